package movegen

import (
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/corpora"
	"skein/position"
)

// perftBudget is the largest expected number of nodes that is counted, so that
// all suites take seconds. scripts/perft runs them in full.
const perftBudget = 150_000

// refused are the boards in the suites that the FEN reader rejects, because no
// last move can have given the check.
var refused = map[string]bool{
	"B6b/8/8/8/2K5/5k2/8/b6B":                              true,
	"3R4/8/q4k2/2B5/1NK5/3b4/8/8":                          true,
	"2Nq4/2K5/1b6/8/7R/3k4/7P/8":                           true,
	"5R2/2P5/8/4k3/8/3rK2r/8/8":                            true,
	"8/8/8/1k6/3Pp3/8/8/4KQ2":                              true,
	"1b1k4/8/8/1rPpK3/8/8/8/8":                             true,
	"rnbqk1nr/bb3p1p/1q2r3/2pPp3/3P4/7P/1PP1NpPP/R1BQKBNR": true,
}

// suites returns the perft suites.
func suites(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(corpora.Path("perft/*.epd"))
	if err != nil || len(files) == 0 {
		t.Fatal("no perft suites at", corpora.Path("perft"), err)
	}
	return files
}

// rows reads a suite file, without the rows in refused, and parses its
// positions.
func rows(t testing.TB, file string) ([]corpora.PerftRow, []position.Position) {
	t.Helper()
	all, err := corpora.PerftRows(file)
	if err != nil {
		t.Fatal(err)
	}
	var (
		rows      []corpora.PerftRow
		positions []position.Position
	)
	for _, row := range all {
		board, _, _ := strings.Cut(row.FEN, " ")
		p, err := position.Parse(row.FEN, true)
		if refused[board] != (err != nil) {
			t.Errorf("%s: %s: error %v", row.Where, row.FEN, err)
		}
		if err == nil {
			rows, positions = append(rows, row), append(positions, p)
		}
	}
	return rows, positions
}

// TestPerft checks every row of every suite at the depths within the budget.
func TestPerft(t *testing.T) {
	for _, file := range suites(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			rows, positions := rows(t, file)
			for i, row := range rows {
				for _, c := range row.Counts {
					if c.Nodes > perftBudget {
						continue
					}
					if n := Perft(&positions[i], c.Depth); n != c.Nodes {
						t.Errorf("%s: %s: depth %d: %d nodes, want %d", row.Where, row.FEN, c.Depth, n, c.Nodes)
					}
				}
			}
		})
	}
}
