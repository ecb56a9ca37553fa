package input

import (
	"io"
	"strings"
	"testing"
)

// TestByteOrderMark expects a mark before the first line to be left out, and other
// bytes to remain.
func TestByteOrderMark(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "",
		"\ufeff":                  "",
		"\ufeffa\r\nb":            "a|b|",
		"\ufeff\ufeffa":           "\ufeffa|",
		"a\n\ufeffb\n":            "a|\ufeffb|",
		"\xef\xbb":                "\xef\xbb|",
		"x":                       "x|",
		"\ufeff" + "\n\n" + "c\n": "||c|",
	} {
		got := ""
		for line, err := range Lines(strings.NewReader(text)) {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			got += line + "|"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// stream is a text that arrives in one piece, after which nothing follows for long.
type stream struct {
	t    *testing.T
	text string
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	if s.text == "" {
		s.t.Error("waits for more")
		return 0, io.EOF
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// TestFirstLine expects a line as soon as it is there, however short.
func TestFirstLine(t *testing.T) {
	for _, want := range []string{"", "a", "ok", "\ufeffa", "\ufeff"} {
		for line := range Lines(&stream{t, want + "\n"}) {
			if line != strings.TrimPrefix(want, ByteOrderMark) {
				t.Errorf("%q, want %q", line, want)
			}
			break
		}
	}
}
