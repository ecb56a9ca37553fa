package search

import (
	"math/rand/v2"

	"skein/chess"
)

// chooseLimited moves the line that limited play chooses to the front of the root moves
// of w. The bonuses are a function of the seed, the position and the number of plies
// since the last capture or pawn move.
func chooseLimited(w *worker, l *Level, seed uint64) {
	var random rand.PCG
	random.Seed(seed, uint64(w.keys[w.gameKeys])+uint64(w.gameKeys))
	if best := w.rootMoves[0]; best.depth == 0 || best.value.IsDecisive() {
		return
	}
	chosen, highest := 0, -chess.Infinity
	for i := range min(l.Lines, len(w.rootMoves)) {
		rm := w.rootMoves[i]
		bonus := chess.Score(random.Uint64() % uint64(max(l.Bonus, 1)))
		if rm.depth > 0 && rm.value+bonus > highest {
			chosen, highest = i, rm.value+bonus
		}
	}
	preferred := w.rootMoves[chosen]
	copy(w.rootMoves[1:chosen+1], w.rootMoves[:chosen])
	w.rootMoves[0] = preferred
}
