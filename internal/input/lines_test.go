package input

import (
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
