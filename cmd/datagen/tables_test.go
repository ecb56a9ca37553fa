package main

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/internal/label"
	"skein/internal/record"
	"skein/position"
)

// TestTables adjudicates games by tablebases and rejects folders without any.
func TestTables(t *testing.T) {
	path := corpora.Path("syzygy")
	tables, err := label.OpenTables(path, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()

	// A position of five pieces, one capture away from the tables.
	file, book := filepath.Join(t.TempDir(), "games.skr"), filepath.Join(t.TempDir(), "book.epd")
	put(t, book, "4k3/8/8/3q4/3R4/8/8/4K3 w - - 0 1\n")
	args := quick(file, "--syzygy", path, "--games", "1", "--book", book, "--start-score", "0")
	if _, stderr, err := datagen(t, args...); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	if stdout := must(t, "stats", file); !strings.Contains(stdout, record.TablebaseEnd.String()) {
		t.Errorf("no game ended by tablebases:\n%s", stdout)
	}
	if want := "syzygy=" + label.DescribeTables(tables); !bytes.Contains(contents(t, file), []byte(want)) {
		t.Errorf("the description does not contain %q", want)
	}
	if stdout, stderr, err := datagen(t, "verify", file); err != nil {
		t.Errorf("verify: %v: %s%s", err, stdout, stderr)
	}
	empty := t.TempDir()
	fails(t, empty, quick(filepath.Join(empty, "g.skr"), "--syzygy", empty, "--games", "1")...)
}

// TestRescoreByTables checks that positions in tablebases get the scores of their
// results, and others that of the network or a search.
func TestRescoreByTables(t *testing.T) {
	file := folder(t)
	lines := []string{
		"4k3/8/8/8/8/8/8/R3K3 w - - 7 9 | 12 | 0.5",
		"4k3/8/8/8/8/8/8/R3K3 b - - 0 1 | 12 | 0.5",
		"4k3/8/8/8/8/8/8/r3K3 w - - 0 1 | 12 | 0.5",
		"4k3/8/8/8/8/4K3/8/B7 w - - 0 1 | 12 | 0.5",
		position.StartFEN + " | 12 | 0.5",
	}
	put(t, file("in.txt"), strings.Join(lines, "\n")+"\n")
	for _, limit := range []string{"0", "3"} {
		out := file("out" + limit + ".txt")
		must(t, "rescore", "-o", out, "--depth", limit, "--syzygy", corpora.Path("syzygy"), file("in.txt"))
		var scores []string
		for line := range strings.Lines(string(contents(t, out))) {
			scores = append(scores, strings.Split(line, " | ")[1])
		}
		want := []string{"10000", "10000", "-10000", "0"}
		if len(scores) != len(lines) || !slices.Equal(scores[:4], want) || slices.Contains(want[:3], scores[4]) {
			t.Errorf("depth %s: scores %q", limit, scores)
		}
	}
}

// TestRescoreByDamagedTable expects an error that names a damaged table.
func TestRescoreByDamagedTable(t *testing.T) {
	file, dir := folder(t), t.TempDir()
	table := contents(t, filepath.Join(corpora.Path("syzygy"), "KRvK.rtbw"))
	table[len(table)/2] ^= 1
	put(t, filepath.Join(dir, "KRvK.rtbw"), string(table))
	put(t, file("in.txt"), "4k3/8/8/8/8/8/8/R3K3 w - - 7 9 | 12 | 0.5\n")
	fails(t, "KRvK.rtbw", "rescore", "-o", file("out.txt"), "--depth", "1", "--syzygy", dir, file("in.txt"))
}
