package search

import (
	"testing"

	"skein/chess"
	"skein/tt"
)

// ready sets up a search of a position and returns its worker, without running it.
func ready(t *testing.T, fen string, lim Limits, moves ...string) *worker {
	t.Helper()
	e := newEngine(t, 1, 1)
	e.run.begin(newGame(t, fen, moves...), lim, nil, &e.tablebase)
	w := e.run.workers[0]
	w.findChoosable()
	return w
}

// TestNullMoveProvesNoMate expects beta in place of a mate after a null move, where one is
// found after any move of the opponent.
func TestNullMoveProvesNoMate(t *testing.T) {
	w := ready(t, "k7/8/1K6/8/8/7p/8/6R1 w - - 0 1", Limits{})
	beta := w.correctedEval(0, w.evaluate(0)) // so that nothing but the mate decides
	if score, ok := w.nullMove(0, 13, beta, beta); !ok || score != beta {
		t.Errorf("score %d, cutoff %t, want %d", score, ok, beta)
	}
}

// TestNearFiftyMoves takes a score from the table only as long as the fifty-move draw is
// far away.
func TestNearFiftyMoves(t *testing.T) {
	const stored = 4000
	for halfmoves, want := range map[string]bool{"89": true, "90": false, "95": false} {
		for _, quiet := range []bool{false, true} {
			w := ready(t, "4k3/r6p/8/8/8/8/R6P/4K3 w - - "+halfmoves+" 80", Limits{})
			node := tt.Node{Depth: 100, Bound: tt.BoundExact}
			w.shared.table.Store(w.tableKey(0), tt.Entry{Score: stored, Node: node})
			var score chess.Score
			if quiet {
				score = w.quiescence(0, 99, 100)
			} else {
				score = w.alphaBeta(0, 2, 99, 100, true)
			}
			if got := score == stored; got != want {
				t.Errorf("clock %s, quiescence %t: score %d", halfmoves, quiet, score)
			}
		}
	}
}

// TestNearFiftyMovesBound does the same with a bound far above beta from a search that was
// a little too shallow, which suffices otherwise. The king is in check, so that nothing
// else prunes.
func TestNearFiftyMovesBound(t *testing.T) {
	const beta, depth = 100, 6
	for halfmoves, want := range map[string]bool{"89": true, "90": false} {
		w := ready(t, "4k3/4r2p/8/8/8/8/R6P/4K3 w - - "+halfmoves+" 80", Limits{})
		node := tt.Node{Depth: depth - 1, Bound: tt.BoundLower}
		w.shared.table.Store(w.tableKey(0), tt.Entry{Score: 4000, Node: node})
		score := w.alphaBeta(0, depth, beta-1, beta, true)
		if got := score == chess.Score(beta+tableCutMargin); got != want {
			t.Errorf("clock %s: score %d", halfmoves, score)
		}
	}
}

// TestExcludedNotStored searches a position without one of its moves, as singular
// extensions do, which says nothing about the position.
func TestExcludedNotStored(t *testing.T) {
	w := ready(t, kiwipete, Limits{})
	w.push(0, w.rootMoves[0].move)
	f := &w.stack[1]
	f.excluded = findMove(t, &f.pos, "e8h8")
	w.alphaBeta(1, 4, -1, 0, false)
	f.excluded = chess.NoMove
	if e, ok := w.shared.table.Probe(w.tableKey(1)); ok && e.Bound != tt.BoundNone {
		t.Errorf("a search without a move is stored: %+v", e)
	}
}

// TestRootEntry expects the best of several lines in the table.
func TestRootEntry(t *testing.T) {
	e, g := newEngine(t, 1, 1), newGame(t, kiwipete)
	r := e.Search(g, Limits{Depth: 6, MultiPV: 3}, nil)
	entry, ok := e.run.table.Probe(g.Pos.Key())
	if !ok || entry.Move != r.Best || chess.Score(entry.Score) != r.Score {
		t.Errorf("%+v for %s with %d", entry, r.Best, r.Score)
	}
}

// TestIllegalTableMove probes an entry whose move is illegal, as after a collision of keys.
func TestIllegalTableMove(t *testing.T) {
	w := ready(t, kiwipete, Limits{})
	w.push(0, w.rootMoves[0].move)
	w.shared.table.Store(w.tableKey(1), tt.Entry{Move: chess.NewMove(chess.A1, chess.H8)})
	if _, hit, move, _ := w.probe(1, w.tableKey(1)); !hit || move != chess.NoMove {
		t.Errorf("hit %t, move %s", hit, move)
	}
}

// TestMateSearchHorizon expects entries of a search for a mate only at the same distance
// from its horizon.
func TestMateSearchHorizon(t *testing.T) {
	if w := ready(t, kiwipete, Limits{Mate: 3}); w.keySalt(1) == w.keySalt(3) {
		t.Error("entries at different plies have the same key")
	}
}

// TestRepetitions repeats positions of the game, of the line that is searched, and of both.
// Within the line one repetition is a draw, of earlier positions and the root two.
func TestRepetitions(t *testing.T) {
	dance := []string{"e1d1", "e8d8", "d1e1", "d8e8"}
	for _, tt := range []struct {
		game, line int // plies
		want       bool
	}{
		{0, 4, false}, // the root once more
		{1, 4, false},
		{0, 5, true}, // the position after the first move
		{4, 4, true}, // the root a third time
		{4, 0, false},
		{3, 5, true},
	} {
		var moves []string
		for i := range tt.game {
			moves = append(moves, dance[i%4])
		}
		w := ready(t, "4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Limits{}, moves...)
		for i := range tt.line {
			w.push(i, findMove(t, &w.stack[i].pos, dance[(tt.game+i)%4]))
		}
		if got := w.drawn(tt.line); got != tt.want {
			t.Errorf("%d plies in the game, %d in the line: %t", tt.game, tt.line, got)
		}
	}
}

// TestPonderIgnoresNodes expects no end of a search that ponders when its nodes are used up.
func TestPonderIgnoresNodes(t *testing.T) {
	w := ready(t, kiwipete, Limits{Nodes: 3000, Control: NewControl(true)})
	w.nodes = w.nodeLimit
	w.poll(0)
	if w.halted() || w.shared.ended() {
		t.Error("the search ended")
	}
}

// TestEntryOfBestLine expects the root's entry to say nothing about other lines.
func TestEntryOfBestLine(t *testing.T) {
	w := ready(t, kiwipete, Limits{MultiPV: 2})
	node := tt.Node{Depth: 9, Bound: tt.BoundExact}
	w.shared.table.Store(w.tableKey(0), tt.Entry{Move: w.rootMoves[0].move, Score: 900, Node: node})
	w.pvIndex = 1
	if e, _, m, _ := w.probe(0, w.tableKey(0)); e.Bound != tt.BoundNone || m != w.rootMoves[1].move {
		t.Errorf("%+v, move %v", e, m)
	}
}
