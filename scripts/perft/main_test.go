package main

import (
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/position"
)

// TestCheck checks that what is wrong is found, and counted as what it is,
// with the table of counts and without.
func TestCheck(t *testing.T) {
	counts := func(c ...corpora.PerftCount) []corpora.PerftCount { return c }
	for _, test := range []struct {
		name    string
		row     corpora.PerftRow
		want    tally
		message string
	}{
		{"right", corpora.PerftRow{FEN: position.StartFEN, Counts: counts(corpora.PerftCount{Depth: 4, Nodes: 197281})},
			tally{rows: 1, depths: 1, nodes: 197281}, ""},
		{"wrong", corpora.PerftRow{FEN: position.StartFEN,
			Counts: counts(corpora.PerftCount{Depth: 1, Nodes: 21}, corpora.PerftCount{Depth: 2, Nodes: 400})},
			tally{rows: 1, depths: 2, nodes: 420, wrong: 1}, "depth 1: 20 nodes, expected 21"},
		{"beyond the limit", corpora.PerftRow{FEN: position.StartFEN,
			Counts: counts(corpora.PerftCount{Depth: 1, Nodes: 1_000_001})},
			tally{rows: 1, skipped: 1}, ""},
		{"no FEN", corpora.PerftRow{FEN: "startpos", Counts: counts(corpora.PerftCount{Depth: 1, Nodes: 20})},
			tally{rows: 1, wrong: 1}, "FEN: board"},
		{"impossible check", corpora.PerftRow{FEN: "5R2/2P5/8/4k3/8/3rK2r/8/8 w - -",
			Counts: counts(corpora.PerftCount{Depth: 1, Nodes: 2})},
			tally{rows: 1, refused: 1}, "impossible"},
	} {
		for _, megabytes := range []int{0, 1} {
			got, messages := check(test.row, 1_000_000, newCounter(megabytes))
			if got != test.want {
				t.Errorf("%s, %d MB: %v, want %v", test.name, megabytes, got, test.want)
			}
			if all := strings.Join(messages, "\n"); !strings.Contains(all, test.message) ||
				(all == "") != (test.message == "") {
				t.Errorf("%s, %d MB: message %q, want %q", test.name, megabytes, all, test.message)
			}
		}
	}
}

// TestCheckAll checks that the rows' tallies are added up, whatever the number
// of workers, and that the table changes no count.
func TestCheckAll(t *testing.T) {
	rows, err := corpora.PerftRows(corpora.Path("perft/edge-castling960-dev.epd"))
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[:100]
	one := checkAll(rows, 1, 50_000, 0)
	three := checkAll(rows, 3, 50_000, 1)
	one.elapsed, three.elapsed = 0, 0
	if one != three || one.rows != 100 || one.wrong != 0 || one.skipped == 0 || one.depths+one.skipped != 400 {
		t.Errorf("one worker: %v\nthree with tables: %v", one, three)
	}
}
