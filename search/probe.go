package search

import (
	"skein/chess"
	"skein/syzygy"
	"skein/tt"
)

// probeTB looks the position at ply up in the tablebases. If decided, least
// is the score of the node. Otherwise the score is at least least and at most
// ceiling, since a tablebase win or loss may still be a mate.
func (w *worker) probeTB(
	ply, depth int, alpha, beta chess.Score, hit bool, eval int16,
) (least, ceiling chess.Score, decided bool) {
	score, bound := w.lookUp(ply, depth)
	switch {
	case bound == tt.BoundNone:
		return -chess.Infinity, chess.Infinity, false
	case bound == tt.BoundExact || cutsOff(bound, score, beta) && (score >= beta || score <= alpha):
		w.storeTB(ply, depth, score, bound, hit, eval)
		return score, score, true
	case bound == tt.BoundLower:
		return score, chess.Infinity, false
	}
	return -chess.Infinity, score, false
}

// lookUp returns the tablebase score of the position at ply and what bound it
// is, BoundNone if the position is not found.
func (w *worker) lookUp(ply, depth int) (score chess.Score, bound tt.Bound) {
	e := &w.shared.endings
	pos := &w.stack[ply].pos
	men := pos.Occupied().Count()
	if men > e.men || pos.Halfmoves() > 0 || men == e.men && depth < e.depth || w.shared.ended() {
		return 0, tt.BoundNone
	}
	v, err := e.tables.ProbeWDL(pos)
	if err != nil {
		return 0, tt.BoundNone
	}
	w.tbHits++
	w.shared.checkTime() // a probe may open files
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

// storeTB stores a tablebase score in the transposition table. eval is the
// network's value if hit, that is, if the position already had an entry.
func (w *worker) storeTB(ply, depth int, score chess.Score, bound tt.Bound, hit bool, eval int16) {
	f := &w.stack[ply]
	if !hit && !f.pos.InCheck() {
		eval = int16(w.evaluate(ply))
	}
	w.shared.table.Store(w.tableKey(ply), tt.Entry{
		Score: toTable(score, ply), Eval: eval,
		Node: tt.Node{Depth: uint8(min(depth+6, chess.MaxPly)), Bound: bound, PV: f.wasPV},
	})
}

// endgameScore returns the score of a tablebase result that is plies away, of which
// no more than MaxPly count and the sign does not. Wins spoiled by the fifty-move
// rule score slightly above other draws, such losses slightly below.
func endgameScore(v syzygy.WDL, plies int) chess.Score {
	away := chess.Score(min(abs(plies), chess.MaxPly))
	switch v {
	case syzygy.Win:
		return chess.TableWin - away
	case syzygy.Loss:
		return -chess.TableWin + away
	}
	return chess.DrawScore + 3*chess.Score(v) // about one centipawn
}
