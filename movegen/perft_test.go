package movegen

import (
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/position"
)

// perftBudget bounds the nodes of one count, so that all suites together take
// seconds. scripts/perft runs them in full.
const perftBudget = 150_000

// refused holds the boards in the suites that the FEN reader refuses, because
// no last move can have given the check.
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

// rows reads the suite file without the rows that are rightly refused.
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

// TestPerft counts every row of every suite at the depths within the budget.
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

// TestDivide checks that the parts are those of the whole, and depth 0.
func TestDivide(t *testing.T) {
	p, err := position.Parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[chess.Move]uint64{}
	var sum uint64
	total := Divide(&p, 3, func(m chess.Move, nodes uint64) {
		parts[m] = nodes
		sum += nodes
	})
	if total != 97862 || sum != total || len(parts) != 48 {
		t.Errorf("total %d, sum %d, %d moves, want 97862 and 48", total, sum, len(parts))
	}
	if got := parts[chess.NewCastling(chess.E1, chess.H1)]; got != 2059 {
		t.Errorf("%d nodes below O-O, want 2059", got)
	}
	if got := Perft(&p, 0); got != 1 {
		t.Errorf("Perft(0) = %d, want 1", got)
	}
}
