package search

import (
	"slices"

	"skein/chess"
	"skein/position"
	"skein/tt"
)

// variation is a line from the root and its score.
type variation struct {
	value    chess.Score
	depth    int // iteration, 0 if none
	selDepth int
	pv       [chess.MaxPly + 2]chess.Move
	pvLength int
}

// keepLines keeps the best lines of an iteration that was completed.
func (w *worker) keepLines() {
	w.complete = w.complete[:w.lines()]
	for i := range w.complete {
		w.complete[i] = w.rootMoves[i].variation
	}
}

// restoreLines replaces the first n root moves, unless they have exact scores in
// descending order, by the lines of the last completed iteration: that of the
// first root move, which is to be played, and then the others. Without a line of
// that move it does nothing.
func (w *worker) restoreLines(n int) {
	first := slices.IndexFunc(w.complete, func(v variation) bool { return v.pv[0] == w.rootMoves[0].move })
	if first < 0 || w.exact(n) {
		return
	}
	w.restore(0, &w.complete[first])
	i := 1
	for k := range w.complete {
		if k != first && i < n {
			w.restore(i, &w.complete[k])
			i++
		}
	}
}

// exact reports whether the first n root moves have exact scores in descending
// order.
func (w *worker) exact(n int) bool {
	above := chess.Infinity
	for i := range w.rootMoves[:n] {
		rm := w.rootMoves[i]
		if rm.depth == 0 || rm.bound != Exact || rm.shown() > above {
			return false
		}
		above = rm.shown()
	}
	return true
}

// restore moves the root move of v to place i, with the line and score of v.
func (w *worker) restore(i int, v *variation) {
	for j := i; j < len(w.rootMoves); j++ {
		if rm := w.rootMoves[j]; rm.move == v.pv[0] {
			rm.variation, rm.bound = *v, Exact
			w.rootMoves[i], w.rootMoves[j] = w.rootMoves[j], w.rootMoves[i]
			return
		}
	}
}

// lengthen appends to the line of the root move rm the moves of exact entries of
// the table, up to a draw or the end of the game. It uses the frames of w, so the
// search must have ended.
func (w *worker) lengthen(rm *rootMove) {
	ply := 0
	for ; ply < rm.pvLength; ply++ {
		w.follow(ply, rm.pv[ply])
	}
	for ply < w.horizon && !w.drawn(ply) {
		entry, hit, move, _ := w.probe(ply, w.tableKey(ply))
		if !hit || entry.Bound != tt.BoundExact || move == chess.NoMove {
			return
		}
		w.follow(ply, move)
		rm.pv[ply] = move
		ply++
		rm.pvLength = ply
	}
}

// setLine sets the line to m and the line after it.
func (v *variation) setLine(m chess.Move, after []chess.Move) {
	v.pv[0] = m
	v.pvLength = 1 + copy(v.pv[1:], after)
}

// follow makes the move m at ply without the work that only the search needs.
func (w *worker) follow(ply int, m chess.Move) {
	f, next := &w.stack[ply], &w.stack[ply+1]
	var d position.Delta
	f.pos.Do(m, &next.pos, &d)
	w.record(ply)
}
