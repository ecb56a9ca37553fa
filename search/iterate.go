package search

import (
	"time"

	"skein/chess"
)

// iterate runs iterative deepening on w until the search ends. The first thread
// reports lines and decides whether to start another iteration.
func (r *run) iterate(w *worker) {
	multiPV := w.lines()
	for depth := 1; depth < chess.MaxPly && (r.limits.Depth == 0 || depth <= r.limits.Depth); depth++ {
		// Every other worker is one ply ahead, so that the threads do not all
		// search the same tree.
		w.rootDepth = min(depth+w.id&1, chess.MaxPly-1)
		for i := range w.rootMoves {
			w.rootMoves[i].score = -chess.Infinity
		}
		for w.pvIndex = 0; w.pvIndex < multiPV; w.pvIndex++ {
			r.aspire(w)
			w.sortRoot(0, w.pvIndex+1)
			if w.halted() {
				return
			}
		}
		w.completed = w.rootDepth
		w.keepLines()
		if w.id == 0 {
			w.publish()
			r.reportLines(w)
			r.reportRefutations(w, false)
			if r.finished(w) {
				return
			}
		}
	}
}

// aspire searches the root with an aspiration window around the last score, and
// widens it until the score is inside.
func (r *run) aspire(w *worker) {
	w.selDepth = 0
	alpha, beta := -chess.Infinity, chess.Infinity
	last := w.rootMoves[w.pvIndex].value
	delta := aspirationDelta(last)
	if w.rootDepth >= aspirationDepth && !last.IsDecisive() {
		alpha, beta = max(last-delta, -chess.Infinity), min(last+delta, chess.Infinity)
	}
	failedHigh := 0
	w.findChoosable()
	for {
		score := w.alphaBeta(0, max(w.rootDepth-failedHigh, 1), alpha, beta, false)
		w.sortRoot(w.pvIndex, w.choices(w.pvIndex))
		if w.halted() || score > alpha && score < beta {
			return
		}
		if w.id == 0 {
			w.publish()
			r.reportBound(w, score, alpha)
		}
		delta = widen(delta)
		if score <= alpha {
			beta = (alpha + beta) / 2
			alpha = max(score-delta, -chess.Infinity)
			failedHigh = 0
		} else {
			failedHigh++ // a good move is known, so reduce the depth
			alpha = max(alpha, beta-delta)
			beta = min(score+delta, chess.Infinity)
		}
	}
}

// finished ends the search and returns true if no iteration is to follow the
// one that w, the first thread, completed. Within iterations, shared.checkTime
// and shared.checkNodes end the search.
func (r *run) finished(w *worker) bool {
	reason := r.reason(w)
	if r.control.pondering.Load() {
		r.due.Store(uint32(reason))
		return false
	}
	if reason != 0 {
		r.end(reason)
	}
	return reason != 0
}

// reason returns why no iteration is to follow the one that w completed, 0 if one
// is. It also adapts the soft limit of time.
func (r *run) reason(w *worker) End {
	late := r.adaptSoftLimit(w)
	moves, mate := w.rootMoves[0].value.Mate()
	switch {
	case mate && r.limits.Mate > 0 && abs(moves) <= r.limits.Mate:
		return MateFound
	case r.limits.SoftNodes > 0 && r.nodes() >= r.limits.SoftNodes:
		return NodesUsed
	case late:
		return SoftTime
	}
	return 0
}

// adaptSoftLimit sets the soft limit after an iteration of w and reports whether it has
// passed.
func (r *run) adaptSoftLimit(w *worker) (late bool) {
	best := w.rootMoves[0]
	patience := r.trend.patience(best.move, best.value, int(best.nodes*1000/max(w.nodes, 1)))
	soft := r.timer.soft
	if r.limits.Clock && r.limits.MoveTime == 0 && soft != forever {
		if w.choices(0) == 1 {
			soft /= forcedDivisor
		} else {
			soft = min(soft/1000*time.Duration(patience), r.timer.hard)
		}
	}
	r.adapted = soft
	return r.used() >= soft
}
