package search

import "skein/chess"

// vote returns the worker whose first move is to be played. Each that completed
// an iteration votes for its move with the depth of that and the score it saw; a
// proven mate, the shortest, outvotes all. Of those with the winning move the
// deepest speaks.
func vote(workers []*worker) *worker {
	lowest := chess.Infinity
	for _, w := range workers {
		lowest = min(lowest, w.rootMoves[0].value)
	}
	best, bestVotes := workers[0], votes(workers, workers[0], lowest)
	for _, w := range workers[1:] {
		if w.completed == 0 {
			continue
		}
		votes := votes(workers, w, lowest)
		ours, theirs := &w.rootMoves[0], &best.rootMoves[0]
		better := votes > bestVotes || ours.move == theirs.move && w.completed > best.completed
		if ours.value.IsWin() || theirs.value.IsWin() {
			better = ours.value > theirs.value
		}
		if better {
			best, bestVotes = w, votes
		}
	}
	return best
}

// votes adds up the votes for the first move of w.
func votes(workers []*worker, w *worker, lowest chess.Score) int {
	sum := 0
	for _, v := range workers {
		if v.rootMoves[0].move == w.rootMoves[0].move {
			sum += voteWeight(v.rootMoves[0].value-lowest, v.completed)
		}
	}
	return sum
}
