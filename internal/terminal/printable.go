package terminal

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable replaces the characters that could control a terminal, and bytes that are
// not UTF-8, by question marks. Line breaks and tabs stay.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return printable(r)
	}, s)
}

// PrintableLine is Printable for text that belongs in one line: line breaks and tabs are
// replaced as well.
func PrintableLine(s string) string { return strings.Map(printable, s) }

// printable returns r, or a question mark if it could control a terminal.
func printable(r rune) rune {
	if r != utf8.RuneError && unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// PrintableWriter writes what Printable leaves. Each Write has whole characters.
type PrintableWriter struct{ W io.Writer }

// Write implements io.Writer.
func (p PrintableWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.W, Printable(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
