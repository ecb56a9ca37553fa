package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize knows what is no terminal.
func TestSize(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, file := range []*os.File{f, null} {
		if _, _, ok := Size(file); ok {
			t.Errorf("%s is taken for a terminal", file.Name())
		}
	}
	if _, _, ok := Size(new(strings.Builder)); ok || Columns(f) != 80 {
		t.Errorf("a buffer is taken for a terminal, or a file has %d columns", Columns(f))
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text            string
		columns, indent int
		want            string
	}{
		{"", 10, 2, ""},
		{"one two three", 13, 2, "one two three"},
		{"one two three", 12, 2, "one two\n  three"},
		{"one\ntwo  three", 9, 0, "one two\nthree"},
		{"one two three", 5, 2, "one\n  two\n  three"},
		{"± ± ±", 3, 0, "± ±\n±"},
		{"longer than that", 4, 1, "longer\n than\n that"},
	} {
		if got := Wrap(test.text, test.columns, test.indent); got != test.want {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}
