package search

import (
	"cmp"
	"slices"

	"skein/chess"
	"skein/syzygy"
	"skein/tt"
)

// rank notes what the tables say of the root moves and sorts them by it.
func (w *worker) rank(r *syzygy.Ranking) {
	for _, known := range r.Moves {
		i := slices.IndexFunc(w.rootMoves, func(rm rootMove) bool { return rm.move == known.Move })
		if i < 0 {
			continue // not among the moves to search
		}
		rm := &w.rootMoves[i]
		rm.rank, rm.known = known.Rank, true
		rm.tableScore = endgameScore(known.WDL, min(known.DTZ, chess.MaxPly))
	}
	slices.SortStableFunc(w.rootMoves, func(a, b rootMove) int { return cmp.Compare(b.rank, a.rank) })
}

// choices returns the end of the root moves from first on that rank as high as
// the first: those to choose from.
func (w *worker) choices(first int) int {
	end := first
	for end < len(w.rootMoves) && w.rootMoves[end].rank == w.rootMoves[first].rank {
		end++
	}
	return end
}

// shown returns the score to tell others: that of the tables, unless the search
// found a mate.
func (rm *rootMove) shown() chess.Score {
	if _, mate := rm.value.Mate(); rm.known && !mate {
		return rm.tableScore
	}
	return rm.value
}

// probeTables looks the position at ply up. If that decides the node, its score is
// least. Otherwise the node's score is at least that and at most ceiling: a win
// may still be a mate that the search has yet to see, and so may a loss.
func (w *worker) probeTables(ply, depth int, alpha, beta chess.Score, hit bool, eval int16) (least, ceiling chess.Score, decided bool) {
	score, bound := w.lookUp(ply, depth)
	switch {
	case bound == tt.BoundNone:
		return -chess.Infinity, chess.Infinity, false
	case bound == tt.BoundExact || cutsOff(bound, score, beta) && (score >= beta || score <= alpha):
		w.storeTables(ply, depth, score, bound, hit, eval)
		return score, score, true
	case bound == tt.BoundLower:
		return score, chess.Infinity, false
	}
	return -chess.Infinity, score, false
}

// lookUp returns what endgame tables say of the position at ply, and what that
// score is to the search; BoundNone if they say nothing.
func (w *worker) lookUp(ply, depth int) (score chess.Score, bound tt.Bound) {
	e := &w.shared.endings
	pos := &w.stack[ply].pos
	men := pos.Occupied().Count()
	if men > e.men || pos.Halfmoves() > 0 || men == e.men && depth < e.depth {
		return 0, tt.BoundNone
	}
	v, err := e.tables.ProbeWDL(pos)
	if err != nil {
		return 0, tt.BoundNone
	}
	w.tableHits++
	if !e.fiftyMoves {
		v = v.Final()
	}
	switch score = endgameScore(v, ply); v {
	case syzygy.Win:
		return score, tt.BoundLower
	case syzygy.Loss:
		return score, tt.BoundUpper
	}
	return score, tt.BoundExact
}

// storeTables remembers what endgame tables said. The table of the search wants
// an evaluation, which it may have already.
func (w *worker) storeTables(ply, depth int, score chess.Score, bound tt.Bound, hit bool, eval int16) {
	f := &w.stack[ply]
	if !hit && !f.pos.InCheck() {
		eval = int16(w.evaluate(ply))
	}
	w.shared.table.Store(w.tableKey(ply), tt.Entry{
		Score: toTable(score, ply), Eval: eval, Depth: uint8(min(depth+6, chess.MaxPly)), Bound: bound, PV: f.wasPV,
	})
}

// endgameScore is the score of a position that tables know, plies away. Wins that
// the fifty-move rule spoils are a little better than other draws.
func endgameScore(v syzygy.WDL, plies int) chess.Score {
	switch v {
	case syzygy.Win:
		return chess.TableWin - chess.Score(abs(plies))
	case syzygy.Loss:
		return -chess.TableWin + chess.Score(abs(plies))
	}
	return chess.DrawScore + 3*chess.Score(v) // a hundredth of a pawn
}
