package corpora

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "suite.epd")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPerftRows(t *testing.T) {
	path := write(t, "# comment\r\n \t\r\nfen a ;D1 20 ;D3 8902\r\nfen b;D2 400; ")
	rows, err := PerftRows(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []PerftRow{
		{path + ":3", "fen a", []PerftCount{{1, 20}, {3, 8902}}},
		{path + ":4", "fen b", []PerftCount{{2, 400}}},
	}
	if !slices.EqualFunc(rows, want, func(a, b PerftRow) bool {
		return a.Where == b.Where && a.FEN == b.FEN && slices.Equal(a.Counts, b.Counts)
	}) {
		t.Errorf("rows are %v, want %v", rows, want)
	}
}

func TestPerftRowsErrors(t *testing.T) {
	for _, text := range []string{"fen", "fen ;", "fen ;D1", "fen ;1 20", "fen ;Dx 20", "fen ;D0 1", "fen ;D1 -20",
		"fen ;D1 20 ;x"} {
		path := write(t, "fen ;D1 20\n"+text+"\n")
		if _, err := PerftRows(path); err == nil || !strings.HasPrefix(err.Error(), path+":2: ") {
			t.Errorf("%q: error %v, want one of line 2", text, err)
		}
	}
	if _, err := PerftRows(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that does not exist is read")
	}
}

func TestPath(t *testing.T) {
	t.Setenv("SKEIN_CORPORA", "")
	if _, err := os.Stat(Path("perft/standard.epd")); err != nil {
		t.Error(err)
	}
	t.Setenv("SKEIN_CORPORA", "/elsewhere")
	if got, want := Path("a/b"), filepath.Join("/elsewhere", "a", "b"); got != want {
		t.Errorf("Path = %s, want %s", got, want)
	}
}
