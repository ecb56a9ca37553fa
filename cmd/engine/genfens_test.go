package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/position"
)

// fens runs genfens and returns what it wrote.
func fens(t *testing.T, command string) (list []string, status int, output string) {
	t.Helper()
	var out, stderr strings.Builder
	status = run(t.Context(), []string{command, "quit"}, strings.NewReader(""), &out, &stderr)
	for line := range strings.Lines(out.String()) {
		if fen, ok := strings.CutPrefix(strings.TrimSpace(line), "info string genfens "); ok {
			if _, err := position.Parse(fen, false); err != nil {
				t.Error(err)
			}
			list = append(list, fen)
		}
	}
	return list, status, out.String() + stderr.String()
}

func TestGenfens(t *testing.T) {
	first, status, output := fens(t, "genfens 20 seed 7 book None")
	again, _, _ := fens(t, "genfens 20 seed 7 book None")
	other, _, _ := fens(t, "genfens 20 seed 8 book None")
	if status != 0 || len(first) != 20 || len(other) != 20 {
		t.Fatalf("status %d, %d positions\n%s", status, len(first), output)
	}
	different := map[string]bool{}
	for i, fen := range first {
		different[fen] = true
		if again[i] != fen {
			t.Error("the same seed gives", again[i], "instead of", fen)
		}
		different[other[i]] = true
	}
	if len(different) != 40 {
		t.Errorf("%d different positions of 40", len(different))
	}
	more, status, output := fens(t, "genfens 20 seed 7 book None foo=1  bar")
	if status != 0 || !slices.Equal(more, first) {
		t.Errorf("with more arguments: status %d, other positions\n%s", status, output)
	}
	if !strings.Contains(output, "info string ignored foo=1\ninfo string ignored bar\n") {
		t.Errorf("does not say what it ignores:\n%s", output)
	}

	book := filepath.Join(t.TempDir(), "book.epd")
	if err := os.WriteFile(book, []byte("rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	if list, status, output := fens(t, "genfens 5 seed 1 book "+book); status != 0 || len(list) != 5 {
		t.Errorf("status %d\n%s", status, output)
	} else {
		for _, fen := range list {
			if rows := strings.Split(strings.Fields(fen)[0], "/"); rows[6][0] == 'P' {
				t.Error("not from the book:", fen)
			}
		}
	}
	for command, want := range map[string]string{
		"genfens":                        "expected",
		"genfens 5 book None seed 1":     "expected",
		"genfens 5 seed 1 book":          "expected",
		"genfens x seed 1 book None":     `"x"`,
		"genfens 5 seed -1 book None":    `"-1"`,
		"genfens 5 seed 1 book none.epd": "none.epd",
	} {
		if list, status, output := fens(t, command); status == 0 || len(list) > 0 || !strings.Contains(output, want) {
			t.Errorf("%s: status %d\n%s", command, status, output)
		}
	}
}
