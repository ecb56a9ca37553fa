package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"skein/internal/train"
	"skein/nnue"
)

// TestControlCharacters has escape sequences in the name and the description of a network.
// No command prints them.
func TestControlCharacters(t *testing.T) {
	dir := t.TempDir()
	seed, err := train.Seed()
	if err != nil {
		t.Fatal(err)
	}
	p := *seed.Parameters()
	p.Name, p.Description = "name\x1b[2J", "text\x1b]0;title\a\u009b31m"
	net, err := nnue.New(&p)
	if err != nil {
		t.Fatal(err)
	}
	name, data := filepath.Join(dir, "x.nnue"), filepath.Join(dir, "x.txt")
	if err := writeNet(name, net); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(data, []byte(labeled), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"inspect", name},
		{"eval", name, name, "--paired", data},
		{"match", "-a", name, "-b", name, "--pairs", "1", "--nodes", "50", "--hash", "1"},
		{"widen", "-o", filepath.Join(dir, "wide.nnue"), "--width", "64", name},
	} {
		var out strings.Builder
		if err := program.Run(t.Context(), args, &out, &out); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		control := func(r rune) bool { return r != '\n' && unicode.IsControl(r) }
		if text := out.String(); !strings.Contains(text, "name?[2J") || strings.ContainsFunc(text, control) {
			t.Errorf("%q: %q", args, text)
		}
	}
}
