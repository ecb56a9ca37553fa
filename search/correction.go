package search

import (
	"skein/chess"
	"skein/internal/prefetch"
	"skein/tt"
)

const correctionSize = 16384

// corrections are averages of the error of the static evaluation in positions
// with the same pawns, the same knights and bishops, the same pieces of one
// side, or after the same two moves. Values are within ±correctionMax.
type corrections struct {
	pawnCorrection         [2][correctionSize]int16    // by side to move, pawns
	minorCorrection        [2][correctionSize]int16    // by side to move, knights and bishops
	nonPawnCorrection      [2][2][correctionSize]int16 // by side to move, side, its pieces
	continuationCorrection [16][64]pieceTo             // by the move two or four plies ago, the last move
}

// findCorrections finds the values for the position at ply and starts loading
// them: pawns, knights and bishops, White's pieces, Black's, and after the moves
// two and four plies ago. The last two are a value that stays zero if there are
// no such moves.
func (w *worker) findCorrections(ply int) {
	f := &w.stack[ply]
	p := &f.pos
	us := p.SideToMove() & 1
	f.correctionEntries = [...]*int16{
		&w.pawnCorrection[us][p.PawnKey()%correctionSize],
		&w.minorCorrection[us][p.MinorKey()%correctionSize],
		&w.nonPawnCorrection[us][chess.White][p.NonPawnKey(chess.White)%correctionSize],
		&w.nonPawnCorrection[us][chess.Black][p.NonPawnKey(chess.Black)%correctionSize],
		&w.none[0],
		&w.none[0],
	}
	if last := w.earlier(ply, 1); last.move != chess.NoMove {
		at := pieceToIndex(last.pos.At(last.move.From()), last.move.To())
		if before := w.earlier(ply, 2); before.move != chess.NoMove {
			f.correctionEntries[4] = &before.continuationCorrection[at]
		}
		if before := w.earlier(ply, 4); before.move != chess.NoMove {
			f.correctionEntries[5] = &before.continuationCorrection[at]
		}
	}
	prefetch.Lines(&f.correctionEntries)
}

// correction returns the correction to add to the static evaluation at ply, in
// units of scores.
func (w *worker) correction(ply int) chess.Score {
	c := &w.stack[ply].correctionEntries
	return chess.Score(int(*c[0])*correctionPawn+
		int(*c[1])*correctionMinor+
		(int(*c[2])+int(*c[3]))*correctionNonPawn+
		int(*c[4])*correctionContinuation+
		int(*c[5])*correctionEarlier) / 2048
}

// learnError lets the corrections learn how far the score of a search of the position
// at ply, with its bound, is from the static evaluation: unless a capture or promotion
// is best or, as a singular extension search without it suggests, may well be.
func (w *worker) learnError(ply, depth int, bestMove chess.Move, score chess.Score, bound tt.Bound) {
	f := &w.stack[ply]
	for _, m := range [...]chess.Move{bestMove, f.excluded} {
		if m != chess.NoMove && f.pos.IsNoisy(m) {
			return
		}
	}
	if !f.pos.InCheck() && cutsOff(bound, score, f.static+1) {
		w.learnCorrection(ply, correctionBonus(score-f.static, depth))
	}
}

// learnCorrection adds bonus to the corrections of the position at ply.
func (w *worker) learnCorrection(ply, bonus int) {
	for _, c := range w.stack[ply].correctionEntries {
		if c != &w.none[0] {
			gravityWithin(c, bonus, correctionMax)
		}
	}
}

// correctedEval returns the static evaluation at ply from the network's value, and
// records the correction in the frame.
func (w *worker) correctedEval(ply int, eval chess.Score) chess.Score {
	f := &w.stack[ply]
	f.correction = w.correction(ply)
	eval = Scaled(eval, &f.pos) + f.correction
	return min(max(eval, -chess.MaxEval), chess.MaxEval)
}
