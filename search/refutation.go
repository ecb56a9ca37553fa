package search

import (
	"skein/chess"
	"skein/movegen"
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
		rm := w.rootMoves[i]
		if rm.nodes == 0 {
			continue // not searched
		}
		r.reports.refutation = Refutation{r.asked(w.rootDepth), rm.move, w.reply(rm.move)}
		r.report(&r.reports.refutation)
	}
}

// ponderMove returns the expected reply to the best move, from its line or from
// the table, NoMove if none is known.
func (w *worker) ponderMove(best *rootMove) chess.Move {
	if best.pvLength > 1 {
		return best.pv[1]
	}
	return w.reply(best.move)
}

// reply returns the table move of the position after the root move m, NoMove if there
// is none.
func (w *worker) reply(m chess.Move) chess.Move {
	next := w.stack[0].pos.After(m)
	if entry, ok := w.shared.table.Probe(next.Key() ^ w.keySalt(1)); ok && movegen.IsLegal(&next, entry.Move) {
		return entry.Move
	}
	return chess.NoMove
}
