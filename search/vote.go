package search

import "skein/chess"

// vote returns the worker whose first root move is played. Each worker that
// completed an iteration votes for its move, weighted by its depth and score, unless
// it knows that the move loses and another knows better; the shortest proven mate
// outweighs all votes. Among the workers with the chosen move it is the one that
// completed the deepest iteration.
func vote(workers []*worker) *worker {
	lowest := chess.Infinity // without losses
	for _, w := range workers {
		if v := w.rootMoves[0].value; w.completed > 0 && !v.IsLoss() {
			lowest = min(lowest, v)
		}
	}
	best, bestVotes := workers[0], votes(workers, workers[0], lowest)
	for _, w := range workers[1:] {
		if w.completed == 0 {
			continue
		}
		votes := votes(workers, w, lowest)
		ours, theirs := w.rootMoves[0], best.rootMoves[0]
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

// votes returns the sum of the votes for the first root move of w. lowest is the
// lowest score of all that are no losses, chess.Infinity if there is none.
func votes(workers []*worker, w *worker, lowest chess.Score) int {
	sum := 0
	for _, v := range workers {
		first := v.rootMoves[0]
		if first.move == w.rootMoves[0].move && (lowest == chess.Infinity || !first.value.IsLoss()) {
			sum += voteWeight(max(first.value-lowest, 0), v.completed)
		}
	}
	return sum
}
