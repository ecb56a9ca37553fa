package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/tt"
)

// reportRefutations reports, for each root move that w searched and that is not
// among its best lines, the answer to it: now if last, else not before the
// interval since the last time has passed.
func (r *run) reportRefutations(w *worker, last bool) {
	elapsed := r.timer.elapsed()
	if r.report == nil || r.limits.Refutations == 0 || !last && elapsed < r.refutationsDue {
		return
	}
	r.refutationsDue = elapsed + r.limits.Refutations
	for i := w.shownLines(); i < len(w.rootMoves); i++ {
		rm := &w.rootMoves[i]
		if rm.nodes == 0 {
			continue // endgame tables know better moves
		}
		r.reports.refutation = Refutation{
			Depth: w.rootDepth, Nodes: r.nodes(), Elapsed: elapsed,
			Move: rm.move, Reply: reply(r.table, &w.stack[0].pos, rm.move),
		}
		r.report(&r.reports.refutation)
	}
}

// reply returns the answer to m in p that the table knows, NoMove if none.
func reply(table *tt.Table, p *position.Position, m chess.Move) chess.Move {
	var next position.Position
	var d position.Delta
	p.Do(m, &next, &d)
	if entry, ok := table.Probe(next.Key()); ok && movegen.IsLegal(&next, entry.Move) {
		return entry.Move
	}
	return chess.NoMove
}
