// Package terminal knows the size of terminals, fits text to it, and keeps text from
// controlling them.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Size of a terminal that does not tell, in characters.
const (
	defaultColumns = 80
	defaultRows    = 24
)

// Size returns the size in characters of the terminal that w is. ok is false if w is
// none, or if the environment says that its cursor cannot be moved (TERM=dumb).
func Size(w io.Writer) (columns, rows int, ok bool) {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return 0, 0, false
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return defaultColumns, defaultRows, true
	}
	return columns, rows, true
}

// Columns returns the width of the terminal that w is, 80 if it is none.
func Columns(w io.Writer) int {
	if columns, _, ok := Size(w); ok {
		return columns
	}
	return defaultColumns
}

// Wrap breaks text between words into lines of at most that many columns, where
// possible. All lines but the first are indented by indent columns. Line breaks of
// the text become spaces.
func Wrap(text string, columns, indent int) string {
	var s strings.Builder
	at := 0 // column
	for word := range strings.FieldsSeq(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case at == 0:
		case at+1+width > columns:
			s.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			s.WriteByte(' ')
			at++
		}
		s.WriteString(word)
		at += width
	}
	return s.String()
}
