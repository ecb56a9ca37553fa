package input

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLineFeeds reads ends of lines of all kinds, at once and byte by byte.
func TestLineFeeds(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"a\nb\n":              "a\nb\n",
		"a\r\nb\r\n\r\nc\r\n": "a\r\nb\r\n\r\nc\r\n",
		"a\rb\r\rc\r":         "a\nb\n\nc\n",
		"a\r\r\nb\r\r\n":      "a\r\r\nb\r\r\n",
		"\ra\r\r\r\n\n\r":     "\na\n\r\r\n\n\n",
	} {
		for name, in := range map[string]io.Reader{
			"at once":      LineFeeds(strings.NewReader(text)),
			"byte by byte": iotest.OneByteReader(LineFeeds(iotest.OneByteReader(strings.NewReader(text)))),
		} {
			if got, err := io.ReadAll(in); string(got) != want || err != nil {
				t.Errorf("%q %s: %q, want %q, error %v", text, name, got, want, err)
			}
		}
	}
}
