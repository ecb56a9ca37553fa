package console

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable replaces the characters that could control a terminal, and bytes that
// are not UTF-8, by question marks. Line breaks and tabs stay.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r != utf8.RuneError && unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

// printableWriter writes what printable leaves. Each Write has whole characters.
type printableWriter struct{ w io.Writer }

func (p printableWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, printable(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// fromFiles returns the writer of what was read from files: Out, without control
// characters if it is a terminal.
func (c *call) fromFiles() io.Writer {
	if c.screen.terminal {
		return printableWriter{c.Out}
	}
	return c.Out
}
