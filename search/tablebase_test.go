package search

import (
	"testing"
	"time"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
	"skein/syzygy"
	"skein/tt"
)

// openTables opens the tablebases of the test data and sets them in e.
func openTables(t testing.TB, e *Engine) *syzygy.Tables {
	t.Helper()
	tables := syzygy.Open(corpora.Path("syzygy"), nil)
	if tables.Largest() < 4 {
		t.Fatalf("the largest table in %s has %d men", corpora.Path("syzygy"), tables.Largest())
	}
	t.Cleanup(func() { tables.Close() })
	e.SetTablebase(Tablebase{Tables: tables, ProbeLimit: 7, ProbeDepth: 1, FiftyMoves: true})
	return tables
}

// TestBandsOfScores checks that the scores of evaluations, tablebase wins and
// mates do not overlap, also when stored in the transposition table.
func TestBandsOfScores(t *testing.T) {
	for _, ply := range []int{0, 1, chess.MaxPly} {
		for _, score := range []chess.Score{endgameScore(syzygy.Win, ply), endgameScore(syzygy.Loss, ply)} {
			stored := toTable(score, ply)
			if _, mate := score.Mate(); !score.IsDecisive() || mate || fromTable(stored, ply, 0) != score ||
				abs(chess.Score(stored)) != chess.TableWin {
				t.Errorf("ply %d: score %d, in the table %d", ply, score, stored)
			}
		}
		for _, stored := range []chess.Score{chess.TableWin - 100, chess.MateScore - 100} {
			if score := fromTable(int16(stored), ply, 0); !score.IsWin() {
				t.Errorf("ply %d: %d in the table is %d, no win", ply, stored, score)
			}
		}
	}
}

// TestDrawn tells certain draws from scores of zero.
func TestDrawn(t *testing.T) {
	e := newEngine(t, 1, 1)
	for fen, want := range map[string]bool{
		"8/8/4k3/8/8/4K3/8/8 w - - 0 1":     true,  // insufficient material
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1":    true,  // stalemate
		"8/8/8/3k4/8/3K4/3P4/8 w - - 0 1":   false, // without tablebases
		"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1": false,
	} {
		lines := 0
		e.Search(newGame(t, fen), Limits{Depth: 3}, OnLine(func(i *Line) {
			if lines++; i.Drawn != want {
				t.Errorf("%s: score %d, drawn: %t", fen, i.Score, i.Drawn)
			}
		}))
		if lines == 0 {
			t.Errorf("%s: nothing is reported", fen)
		}
	}
}

// TestRootInTables searches positions in the tablebases: the best move
// preserves the result, and the score agrees with it.
func TestRootInTables(t *testing.T) {
	e := newEngine(t, 2, 1)
	tables := openTables(t, e)
	for _, test := range []struct {
		fen  string
		want syzygy.WDL
	}{
		{"3k4/8/2K5/3P4/8/8/8/8 w - - 0 1", syzygy.Win},
		{"8/8/8/8/1k6/8/2P5/1K6 w - - 0 1", syzygy.Draw},
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", syzygy.Win},
		{"8/8/8/3k4/8/8/8/K6R b - - 0 1", syzygy.Loss},
		{"8/8/8/3k4/8/8/8/K6R w - - 90 80", syzygy.CursedWin},
		{"8/8/8/3k4/8/8/8/K6R b - - 90 80", syzygy.BlessedLoss},
		{"8/8/5k2/8/3b4/8/8/K6R w - - 0 1", syzygy.Draw},
	} {
		g := newGame(t, test.fen)
		for _, multiPV := range []int{1, 4} {
			var lines []chess.Score
			r := e.Search(g, Limits{Depth: 6, MultiPV: multiPV}, OnLine(func(i *Line) {
				if i.MultiPV == 1 {
					lines = lines[:0]
				}
				lines = append(lines, i.Score)
				if i.TBHits == 0 || i.Bound != Exact {
					t.Errorf("%s: %d hits, bound %d", test.fen, i.TBHits, i.Bound)
				}
				if i.Drawn == i.Score.IsDecisive() {
					t.Errorf("%s: score %d, drawn: %t", test.fen, i.Score, i.Drawn)
				}
			}))
			ranking, err := tables.Rank(g, true)
			if err != nil {
				t.Fatal(err)
			}
			if verdict(r.Score) != test.want || !keeps(ranking, r.Best, test.want) {
				t.Errorf("%s: %v, score %d, want %v", test.fen, r.Best, r.Score, test.want)
			}
			if want := min(multiPV, len(ranking.Moves)); len(lines) != want {
				t.Errorf("%s: %d lines of %d", test.fen, len(lines), want)
			}
			for i := 1; i < len(lines); i++ {
				if verdict(lines[i]) > verdict(lines[i-1]) {
					t.Errorf("%s: scores of lines are %v", test.fen, lines)
				}
			}
		}
	}
}

// verdict returns the result that a score means.
func verdict(s chess.Score) syzygy.WDL {
	switch {
	case s.IsWin():
		return syzygy.Win
	case s.IsLoss():
		return syzygy.Loss
	}
	return syzygy.WDL(min(max(s, -1), 1)) // 0.01 pawn or less: a draw, cursed win or blessed loss
}

func keeps(r syzygy.Ranking, m chess.Move, want syzygy.WDL) bool {
	for _, known := range r.Moves {
		if known.Move == m {
			return known.WDL == want
		}
	}
	return false
}

// TestTablesInside searches positions one capture or promotion away from the
// tablebases.
func TestTablesInside(t *testing.T) {
	for _, threads := range []int{1, 3} {
		e := newEngine(t, threads, 1)
		openTables(t, e)
		for _, test := range []struct {
			fen, best string
			least     chess.Score
		}{
			{"8/8/8/8/5r2/8/3k2p1/K2B2R1 w - - 0 1", "", -chess.Infinity},
			{"7k/8/1K6/8/8/8/1p6/1R2b3 w - - 4 9", "b1e1", chess.TableWin - chess.MaxPly},
			{"3q3k/8/8/8/8/3R4/8/6K1 w - - 4 9", "d3d8", chess.TableWin - chess.MaxPly},
		} {
			e.NewGame()
			hits := uint64(0)
			r := e.Search(newGame(t, test.fen), Limits{Depth: 10}, OnLine(func(i *Line) { hits = max(hits, i.TBHits) }))
			if hits == 0 {
				t.Errorf("%s: no position found in the tables", test.fen)
			}
			if test.best != "" && r.Best.String() != test.best || r.Score < test.least {
				t.Errorf("%s: %v, score %d", test.fen, r.Best, r.Score)
			}
		}
	}
}

// TestProbe checks which positions are looked up, and the scores and bounds of
// results.
func TestProbe(t *testing.T) {
	e := newEngine(t, 1, 1)
	tables := openTables(t, e)
	w := e.run.workers[0]
	for _, test := range []struct {
		fen            string
		limit, atDepth int
		depth          int
		score          chess.Score
		bound          tt.Bound
	}{
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", 7, 1, 1, chess.TableWin - 5, tt.BoundLower},
		{"8/8/8/3k4/8/8/8/K6R b - - 0 1", 7, 1, 1, -chess.TableWin + 5, tt.BoundUpper},
		{"8/8/8/8/1k6/8/2P5/1K6 w - - 0 1", 7, 1, 1, 0, tt.BoundExact},
		{"8/8/8/3k4/8/8/8/K6R w - - 1 1", 7, 1, 1, 0, tt.BoundNone},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", 7, 1, 1, 0, tt.BoundNone},
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", 2, 1, 9, 0, tt.BoundNone},
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", 3, 5, 4, 0, tt.BoundNone},
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", 3, 5, 5, chess.TableWin - 5, tt.BoundLower},
		{"8/8/8/3k4/8/8/8/K6R w - - 0 1", 4, 5, 4, chess.TableWin - 5, tt.BoundLower},
		{"8/8/5k2/8/3b4/8/8/K6R w - - 0 1", 7, 5, 1, 0, tt.BoundExact}, // no tables have seven men
		{position.StartFEN, 7, 1, 9, 0, tt.BoundNone},
	} {
		e.SetTablebase(Tablebase{
			Tables: tables, ProbeLimit: test.limit, ProbeDepth: test.atDepth, FiftyMoves: true,
		})
		e.run.begin(newGame(t, position.StartFEN), Limits{}, nil, &e.tablebase)
		w.stack[5].pos = newGame(t, test.fen).Pos
		if score, bound := w.lookUp(5, test.depth); score != test.score || bound != test.bound {
			t.Errorf("%+v: %d, %d", test, score, bound)
		}
	}
}

// TestTablesAreOptional expects the same search without tablebases and with
// some that are never consulted.
func TestTablesAreOptional(t *testing.T) {
	e := newEngine(t, 1, 1)
	tables := openTables(t, e)
	unused := []Tablebase{{}, {Tables: tables, FiftyMoves: true}, {Tables: syzygy.Open("", nil), ProbeLimit: 7}}
	for _, fen := range varied {
		var results [3]Result
		for i, tb := range unused {
			e.NewGame()
			e.SetTablebase(tb)
			results[i] = e.Search(newGame(t, fen), Limits{Depth: 7}, nil)
			results[i].Elapsed = 0
		}
		if results[0] != results[1] || results[0] != results[2] {
			t.Errorf("%s: %+v", fen, results)
		}
	}
}

// TestSearchMovesInTables searches only losing moves, with tablebases.
func TestSearchMovesInTables(t *testing.T) {
	e := newEngine(t, 1, 1)
	tables := openTables(t, e)
	g := newGame(t, "8/8/5k2/8/3b4/8/8/K6R w - - 0 1") // in check
	for _, m := range movegen.Legal(&g.Pos) {
		r := e.Search(g, Limits{Depth: 4, SearchMoves: []chess.Move{m}}, nil)
		ranking, err := tables.Rank(g, true)
		if err != nil {
			t.Fatal(err)
		}
		if r.Best != m || !keeps(ranking, m, verdict(r.Score)) {
			t.Errorf("%v: %+v", m, r)
		}
	}
}

// TestKnownBelowMate reports a move that tablebases know to lose below one that the
// search knows to be mated: its score is lowered to that mate, as a bound, because its
// line does not end in mate.
func TestKnownBelowMate(t *testing.T) {
	e := newEngine(t, 1, 1)
	openTables(t, e)
	g := newGame(t, "8/8/8/3k4/8/8/8/K6R b - - 0 1")
	e.Search(g, Limits{Depth: 2, MultiPV: 2}, nil)
	w := e.run.workers[0]
	w.rootMoves[0].value, w.rootMoves[0].bound = chess.MatedIn(66), Exact
	var lines []Line
	e.run.report = OnLine(func(line *Line) { lines = append(lines, *line) })
	e.run.reportLines(w)
	if len(lines) != 2 || lines[0].Bound != Exact || lines[1].Score != lines[0].Score || lines[1].Bound != UpperBound {
		t.Errorf("%+v", lines)
	}
}

// TestNoTimeForTables expects a search that is stopped, or late, before it begins to
// look nothing up, and to answer.
func TestNoTimeForTables(t *testing.T) {
	e := newEngine(t, 1, 1)
	openTables(t, e)
	g := newGame(t, "8/8/8/3k4/8/8/8/K6R w - - 0 1")
	stopped := NewControl(false)
	stopped.Stop()
	for _, lim := range []Limits{
		{Infinite: true, Control: stopped},
		{MoveTime: time.Second, Start: time.Now().Add(-time.Hour)},
	} {
		if r := e.Search(g, lim, nil); r.Best == chess.NoMove || r.TBHits != 0 {
			t.Errorf("%v: %v, %d positions found", lim, r.Best, r.TBHits)
		}
	}
	if r := e.Search(g, Limits{Depth: 1}, nil); r.TBHits == 0 {
		t.Error("no position found in time")
	}
}
