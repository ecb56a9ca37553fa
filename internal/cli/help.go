package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"skein/internal/terminal"
)

// WriteHelp writes the usage of the command and its flags, which Define has added,
// in the width of the terminal.
func (c *Command) WriteHelp(w io.Writer, flags *Flags) error {
	columns := terminal.Columns(w)
	var s strings.Builder
	usage := fmt.Sprintf("usage: %s [FLAG...] %s", flags.Name(), c.Arguments)
	s.WriteString(terminal.Wrap(usage, columns, len("usage: ")) + "\n\n")
	help := c.Help
	if help == "" {
		first, size := utf8.DecodeRuneInString(c.Summary)
		help = strings.ToUpper(string(first)) + c.Summary[size:] + "."
	}
	for paragraph := range strings.SplitSeq(help, "\n\n") {
		s.WriteString(terminal.Wrap(paragraph, columns, 0) + "\n\n")
	}
	flags.write(&s, columns)
	_, err := io.WriteString(w, s.String())
	return err
}

// write writes all flags under their headings.
func (f *Flags) write(s *strings.Builder, columns int) {
	var rows [][2]string
	for _, flag := range f.all() {
		rows = append(rows, flagRow(flag))
	}
	groups := f.groups
	if len(groups) == 0 || groups[0].first > 0 {
		groups = append([]group{{"Flags", 0}}, groups...)
	}
	width := rowsWidth(rows)
	for i, g := range groups {
		end := len(rows)
		if i+1 < len(groups) {
			end = groups[i+1].first
		}
		if g.first == end {
			continue
		}
		s.WriteString(g.heading + ":\n")
		writeRows(s, rows[g.first:end], width, columns)
		s.WriteByte('\n')
	}
	s.WriteString("Help:\n")
	writeRows(s, [][2]string{{"-h, --help", "show this help"}}, width, columns)
}

// flagRow returns the name of a flag with that of its value, and what it does.
func flagRow(flag *pflag.Flag) [2]string {
	name := "    --" + flag.Name
	if flag.Shorthand != "" {
		name = "-" + flag.Shorthand + ", --" + flag.Name
	}
	value, usage := pflag.UnquoteUsage(flag)
	if value != "" {
		name += " " + value
	}
	switch flag.DefValue {
	case "", "0", "0s", "false", "[]":
	default:
		usage += " (default " + flag.DefValue + ")"
	}
	return [2]string{name, usage}
}

// Limits of the width of the first column of rows.
const (
	leastText  = 30 // columns left for the text, else it begins below
	indent     = 2
	rowSpacing = 2
)

// rowsWidth returns the width of the first column.
func rowsWidth(rows [][2]string) int {
	width := 0
	for _, row := range rows {
		width = max(width, utf8.RuneCountInString(row[0]))
	}
	return width
}

// writeRows writes names with the text about them beside, or, where there is no
// room, below.
func writeRows(s *strings.Builder, rows [][2]string, width, columns int) {
	at := indent + width + rowSpacing
	below := columns-at < leastText
	if below {
		at = 4 * indent
	}
	for _, row := range rows {
		fmt.Fprintf(s, "%*s%s", indent, "", row[0])
		if below {
			fmt.Fprintf(s, "\n%*s", at, "")
		} else {
			fmt.Fprintf(s, "%*s", width-utf8.RuneCountInString(row[0])+rowSpacing, "")
		}
		text := terminal.Wrap(row[1], columns-at, 0)
		s.WriteString(strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", at)) + "\n")
	}
}
