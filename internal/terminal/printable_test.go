package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, test := range []struct{ text, want, line string }{
		{"1. e4 ½-½ é 中\n\tx", "1. e4 ½-½ é 中\n\tx", "1. e4 ½-½ é 中??x"},
		{"\x1b[31mred\x1b[0m", "?[31mred?[0m", "?[31mred?[0m"},
		{"\x1b]0;title\a", "?]0;title?", "?]0;title?"},
		{"a\rb\bc\x7fd\x00", "a?b?c?d?", "a?b?c?d?"},
		{"\u009b31m \u202e \u200b", "?31m ? ?", "?31m ? ?"},
		{"\x9b31m \xff", "?31m ?", "?31m ?"},
	} {
		if got := Printable(test.text); got != test.want {
			t.Errorf("%q became %q, want %q", test.text, got, test.want)
		}
		if got := PrintableLine(test.text); got != test.line {
			t.Errorf("%q became %q in a line, want %q", test.text, got, test.line)
		}
		var s strings.Builder
		n, err := io.WriteString(PrintableWriter{&s}, test.text)
		if n != len(test.text) || err != nil || s.String() != test.want {
			t.Errorf("%q was written as %q, want %q; %d bytes, %v", test.text, s.String(), test.want, n, err)
		}
	}
	r, w := io.Pipe()
	r.Close()
	if n, err := io.WriteString(PrintableWriter{w}, "x"); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%d bytes, error %v", n, err)
	}
}
