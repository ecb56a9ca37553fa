package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMatch plays the embedded network against itself, which ends as it must.
func TestMatch(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book.epd")
	if err := os.WriteFile(book, []byte("4k3/4p3/8/8/8/8/4P3/4K3 w - -\n4k3/3pp3/8/8/8/8/3PP3/4K3 b - -\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	args := []string{"match", "-nodes", "300", "-pairs", "2", "-book", book, "-hash", "1"}
	if err := program.Run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"games        4,", "[0 0 2 0 0]", "+0.0 ± 0.0", "LOS 50.0 %"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
	missing := filepath.Join(dir, "missing")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"x"}, `"x"`},
		{[]string{"-pairs", "0"}, "pairs"},
		{[]string{"-a", missing}, missing},
		{[]string{"-b", missing}, missing},
		{[]string{"-book", missing}, missing},
		{[]string{"-pairs", "3", "-book", book}, "the book has 2"},
		{[]string{"-nodes", "0"}, "nodes"},
		{[]string{"-nodes", "300", "-pairs", "1", "-book", book, "-hash", "1", "-least", "0.1"}, "+0.0 Elo are less than +0.1"},
	} {
		if err := program.Run(t.Context(), append([]string{"match"}, test.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("match %q: error %v does not say %s", test.args, err, test.want)
		}
	}
}
