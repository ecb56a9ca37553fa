package search

import "time"

// Thinking time of people, in permille of the soft time limit.
const (
	paceForced = 100 // with one legal move
	paceBase   = 250
	paceChoice = 150 // more for each move that seems about as good as the best
)

// paceMargin is how far below the best score a move may be and still seem as good to
// people, in units of scores.
const paceMargin = 64

// pace waits, if Strength.Pace is set, until people would have found the move of
// w, or until the search is stopped. Without a clock or time for the move it does
// not wait.
func (r *run) pace(w *worker) {
	if !r.limits.Strength.Pace || !r.weak() || r.timer.soft == forever || r.limits.NodeTime > 0 {
		return
	}
	end := time.NewTimer(r.paceTime(w) - r.timer.elapsed())
	defer end.Stop()
	select {
	case <-end.C:
	case <-r.control.stopped:
	}
}

// paceTime returns how long people would think about the root moves of w. It varies
// by a third, as the seed decides.
func (r *run) paceTime(w *worker) time.Duration {
	permille := time.Duration(paceForced)
	if len(w.rootMoves) > 1 {
		permille = paceBase
		best := w.rootMoves[0]
		for i := range w.rootMoves {
			if rm := w.rootMoves[i]; rm.depth == best.depth && rm.value+paceMargin >= best.value {
				permille += paceChoice
			}
		}
	}
	variation := time.Duration(scramble(r.limits.Strength.Seed+uint64(w.keys[w.gameKeys])) % 667)
	wanted := r.timer.soft / 1000 * permille / 1000 * (667 + variation)
	return min(wanted, r.timer.soft*3/2, r.timer.hard*9/10)
}
