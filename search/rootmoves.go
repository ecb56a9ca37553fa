package search

import (
	"cmp"
	"slices"

	"skein/chess"
	"skein/syzygy"
)

// rootMove is a move of the root with the results of its searches.
type rootMove struct {
	move  chess.Move
	score chess.Score // for sorting: of this iteration, -chess.Infinity if only bounded
	nodes uint64      // searched below it in this search

	// Result by tablebases, if known. Moves of the same rank are equally good.
	known   bool
	rank    int
	tbScore chess.Score
	tbDraw  bool

	variation // of the last search whose score was not just an upper bound of a move after the first
	bound     Bound
}

// shown returns the score to report: that of the tablebases, unless the search
// found a mate.
func (rm *rootMove) shown() chess.Score {
	if _, mate := rm.value.Mate(); rm.known && !mate {
		return rm.tbScore
	}
	return rm.value
}

// drawn reports whether tablebases know that the move draws.
func (rm *rootMove) drawn() bool {
	_, mate := rm.value.Mate()
	return rm.tbDraw && !mate
}

// lines returns the number of best lines to find.
func (w *worker) lines() int {
	return min(max(w.shared.limits.MultiPV, w.shared.level.Lines, 1), len(w.rootMoves))
}

// shownLines returns the number of best lines to report.
func (w *worker) shownLines() int { return min(max(w.shared.limits.MultiPV, 1), len(w.rootMoves)) }

// setTBRanks sets the tablebase results of the root moves and sorts them by rank.
func (w *worker) setTBRanks(r *syzygy.Ranking) {
	for _, known := range r.Moves {
		i := slices.IndexFunc(w.rootMoves, func(rm *rootMove) bool { return rm.move == known.Move })
		if i < 0 {
			continue // excluded by SearchMoves
		}
		rm := w.rootMoves[i]
		rm.rank, rm.known = known.Rank, true
		rm.tbScore = endgameScore(known.WDL, known.DTZ)
		rm.tbDraw = known.WDL != syzygy.Win && known.WDL != syzygy.Loss
	}
	slices.SortStableFunc(w.rootMoves, func(a, b *rootMove) int { return cmp.Compare(b.rank, a.rank) })
}

// sortRoot sorts root moves [from, to) by rank and score, best first. Moves
// without a score keep their order.
func (w *worker) sortRoot(from, to int) {
	slices.SortStableFunc(w.rootMoves[from:to], func(a, b *rootMove) int {
		if a.rank != b.rank {
			return b.rank - a.rank
		}
		return int(b.score - a.score)
	})
}

// choices returns the end of the root moves, from index first on, with the same
// tablebase rank as the one at first.
func (w *worker) choices(first int) int {
	end := first
	for end < len(w.rootMoves) && w.rootMoves[end].rank == w.rootMoves[first].rank {
		end++
	}
	return end
}

// findChoosable lists the root moves that are searched at the current pvIndex.
func (w *worker) findChoosable() {
	w.choosable = w.choosable[:0]
	for _, rm := range w.rootMoves[w.pvIndex:w.choices(w.pvIndex)] {
		w.choosable = append(w.choosable, rm.move)
	}
}

// recordRoot stores the result of a root move searched with the given window. A
// move other than the first that fails low has only an upper bound, and its
// score is not kept.
func (w *worker) recordRoot(m chess.Move, score, alpha, beta chess.Score, first bool, nodes uint64) {
	i := w.pvIndex
	for w.rootMoves[i].move != m {
		i++
	}
	rm := w.rootMoves[i]
	rm.nodes += nodes
	if !first && score <= alpha {
		rm.score = -chess.Infinity
		return
	}
	next := &w.stack[1]
	rm.score, rm.value, rm.depth, rm.selDepth = score, score, w.rootDepth, w.selDepth
	rm.bound = Exact
	if score <= alpha {
		rm.bound = UpperBound
	} else if score >= beta {
		rm.bound = LowerBound
	}
	rm.setLine(m, next.pv[:next.pvLength])
}
