package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// reportRefutations reports, for each root move that w searched and that is not
// among its best lines, the answer to it: now if last, else not before the
// interval since the last time has passed.
func (e *Engine) reportRefutations(w *worker, last bool) {
	elapsed := e.timer.elapsed()
	if e.report == nil || e.limits.Refutations == 0 || !last && elapsed < e.refutationsDue {
		return
	}
	e.refutationsDue = elapsed + e.limits.Refutations
	for i := w.shownLines(); i < len(w.rootMoves); i++ {
		rm := &w.rootMoves[i]
		if rm.nodes == 0 {
			continue // endgame tables know better moves
		}
		e.current = Info{
			Depth: w.rootDepth, Nodes: e.nodes(), Elapsed: elapsed,
			Refuted: rm.move, Refutation: e.reply(&w.stack[0].pos, rm.move),
		}
		e.report(&e.current)
	}
}

// reply returns the answer to m in p that the table knows, NoMove if none.
func (e *Engine) reply(p *position.Position, m chess.Move) chess.Move {
	var next position.Position
	var d position.Delta
	p.Do(m, &next, &d)
	if entry, ok := e.table.Probe(next.Key()); ok && movegen.IsLegal(&next, entry.Move) {
		return entry.Move
	}
	return chess.NoMove
}
