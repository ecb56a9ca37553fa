package movegen

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/position"
)

// perftBudget is the largest expected number of nodes that is counted, so that
// all suites take seconds. engine perft --suite runs them in full.
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

// TestDivide compares the counts below the moves with Perft of the positions
// behind them.
func TestDivide(t *testing.T) {
	const depth = 4
	p, err := position.Parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	total, err := Divide(&p, depth, func() bool { return false }, func(m chess.Move, leaves uint64) {
		moves++
		next := p.After(m)
		if want := Perft(&next, depth-1); leaves != want {
			t.Errorf("%v: %d leaves instead of %d", m, leaves, want)
		}
	})
	if err != nil || total != 4_085_603 || moves != 48 {
		t.Errorf("%d leaves below %d moves, error %v", total, moves, err)
	}
	if total, err := Divide(&p, 2, nil, nil); err != nil || total != 2039 {
		t.Errorf("without functions: %d leaves, error %v", total, err)
	}
}

// TestDivideRefuses asks for depths out of range and stops a count that would
// not end.
func TestDivideRefuses(t *testing.T) {
	p := position.Start()
	report := func(m chess.Move, _ uint64) { t.Errorf("%v was counted", m) }
	for _, depth := range []int{-1, 0, MaxPerftDepth + 1, 700_000} {
		_, err := Divide(&p, depth, func() bool { return false }, report)
		if err == nil || !strings.Contains(err.Error(), "depth") {
			t.Errorf("depth %d: error %v", depth, err)
		}
	}
	asked := 0
	stopped := func() bool { asked++; return asked > 3 }
	if _, err := Divide(&p, MaxPerftDepth, stopped, report); !errors.Is(err, ErrStopped) {
		t.Errorf("stopped: error %v", err)
	}
}
