package search

import (
	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/tt"
)

// reportRefutations reports the reply to each root move that w searched and
// that is not among its best lines. Unless last is true, it does so only at the
// interval of Limits.Refutations.
func (r *run) reportRefutations(w *worker, last bool) {
	elapsed := r.timer.elapsed()
	if r.report == nil || r.limits.Refutations == 0 || !last && elapsed < r.refutationsDue {
		return
	}
	r.refutationsDue = elapsed + r.limits.Refutations
	for i := w.shownLines(); i < len(w.rootMoves); i++ {
		rm := &w.rootMoves[i]
		if rm.nodes == 0 {
			continue // worse than another move by tablebases
		}
		r.reports.refutation = Refutation{
			Depth: r.asked(w.rootDepth), Nodes: r.nodes(), Elapsed: elapsed,
			Move: rm.move, Reply: reply(r.table, &w.stack[0].pos, rm.move),
		}
		r.report(&r.reports.refutation)
	}
}

// reply returns the table move of the position after m in p, NoMove if there is
// none.
func reply(table *tt.Table, p *position.Position, m chess.Move) chess.Move {
	var next position.Position
	var d position.Delta
	p.Do(m, &next, &d)
	if entry, ok := table.Probe(next.Key()); ok && movegen.IsLegal(&next, entry.Move) {
		return entry.Move
	}
	return chess.NoMove
}
