//go:build debug

package search

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/invariant"
	"skein/movegen"
)

// TestInvariants plants a fault of every kind in a search and expects it to be
// detected, and nothing without one.
func TestInvariants(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	w := e.run.workers[0]
	picked := func(spoil func(mp *movePicker)) func() {
		return func() {
			w.stack[0].checks, w.stack[0].threats = g.Pos.Checks(), g.Pos.Threats()
			mp := &w.stack[0].picker
			mp.reset(w, 0, chess.NoMove)
			mp.pick()
			spoil(mp)
			for mp.pick() != chess.NoMove {
			}
		}
	}
	search := func(depth int, alpha, beta chess.Score, cut bool) func() {
		return func() { w.alphaBeta(0, depth, alpha, beta, cut) }
	}
	for _, test := range []struct {
		name  string
		fault func()
		want  string // "" for none
	}{
		{"none", search(2, -100, 100, false), ""},
		{"window", search(2, 100, 100, true), "window"},
		{"window beyond all scores", search(2, -chess.Infinity-1, 0, false), "window"},
		{"node of two kinds", search(2, -100, 100, true), "expected to fail high"},
		{"depth", search(5*chess.MaxPly, 0, 1, true), "depth"},
		{"ply", func() { w.quiescence(chess.MaxPly+2, 0, 1) }, "beyond the stack"},
		{"key", func() { w.keys[w.gameKeys]++; search(2, 0, 1, true)() }, "key of another position"},
		{"static", func() {
			f := &frame{pos: g.Pos, static: chess.MaxEval + 1}
			invariant.NoError(f.validateStatic())
		}, "static"},
		{"score", func() { invariant.NoError(validateScore(&g.Pos, chess.Infinity)) }, "score"},
		{"line", func() {
			line := []chess.Move{findMove(t, &g.Pos, "e1h1"), 0x0fff}
			invariant.NoError(validateLine(&g.Pos, line))
		}, "move 2"},
		{"table's move", func() { w.stack[0].picker.reset(w, 0, chess.NewMove(chess.E1, chess.E8)) }, "table's move"},
		{"picker", picked(func(*movePicker) {}), ""},
		{"move twice", picked(func(mp *movePicker) { mp.next-- }), "twice"},
		{"move left out", picked(func(mp *movePicker) { mp.end-- }), "missing"},
		{"move of another position", picked(func(mp *movePicker) {
			mp.scored[mp.next] = packMove(1<<20, mp.next, chess.NewMove(chess.E1, chess.E8))
		}), "not legal"},
	} {
		e.run.begin(g, Limits{}, nil, &e.tablebase)
		got := ""
		if v := invariant.Catch(test.fault); v != nil {
			got = v.Error()
		}
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if movegen.Count(&g.Pos) != len(w.rootMoves) {
		t.Error("the last search was not prepared")
	}
}
