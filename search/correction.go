package search

import "skein/chess"

const correctionEntries = 16384

// corrections are averages of the error of the static evaluation in positions
// with the same pawns, the same knights and bishops, the same pieces of one
// side, or after the same two moves. Values are within ±correctionMax.
type corrections struct {
	pawnCorrection         [2][correctionEntries]int16    // by side to move, pawns
	minorCorrection        [2][correctionEntries]int16    // by side to move, knights and bishops
	nonPawnCorrection      [2][2][correctionEntries]int16 // by side to move, side, its pieces
	continuationCorrection [16][64]pieceTo                // by the move two or four plies ago, the last move
}

// correctionsOf returns the values for the position at ply. Those after two
// moves are values that stay zero if there are no such moves.
func (w *worker) correctionsOf(ply int) (pawn, minor, white, black, continuation, earlier *int16) {
	p := &w.stack[ply].pos
	us := p.SideToMove() & 1
	continuation, earlier = &w.none[0], &w.none[0]
	if last := w.earlier(ply, 1); last.move != chess.NoMove {
		at := pieceToIndex(last.pos.At(last.move.From()), last.move.To())
		if before := w.earlier(ply, 2); before.move != chess.NoMove {
			continuation = &before.correction[at]
		}
		if before := w.earlier(ply, 4); before.move != chess.NoMove {
			earlier = &before.correction[at]
		}
	}
	return &w.pawnCorrection[us][p.PawnKey()%correctionEntries],
		&w.minorCorrection[us][p.MinorKey()%correctionEntries],
		&w.nonPawnCorrection[us][chess.White][p.NonPawnKey(chess.White)%correctionEntries],
		&w.nonPawnCorrection[us][chess.Black][p.NonPawnKey(chess.Black)%correctionEntries],
		continuation, earlier
}

// correction returns the correction to add to the static evaluation at ply, in
// units of scores.
func (w *worker) correction(ply int) chess.Score {
	pawn, minor, white, black, continuation, earlier := w.correctionsOf(ply)
	return chess.Score(int(*pawn)*correctionPawn+
		int(*minor)*correctionMinor+
		(int(*white)+int(*black))*correctionNonPawn+
		int(*continuation)*correctionContinuation+
		int(*earlier)*correctionEarlier) / 2048
}

// learnCorrection adds bonus to the corrections of the position at ply.
func (w *worker) learnCorrection(ply, bonus int) {
	pawn, minor, white, black, continuation, earlier := w.correctionsOf(ply)
	gravityWithin(pawn, bonus, correctionMax)
	gravityWithin(minor, bonus, correctionMax)
	gravityWithin(white, bonus, correctionMax)
	gravityWithin(black, bonus, correctionMax)
	for _, c := range [...]*int16{continuation, earlier} {
		if c != &w.none[0] {
			gravityWithin(c, bonus, correctionMax)
		}
	}
}

// corrected returns the static evaluation at ply from the network's value.
func (w *worker) corrected(ply int, eval chess.Score) chess.Score {
	f := &w.stack[ply]
	f.corrected = w.correction(ply)
	eval = scaled(eval, &f.pos) + f.corrected
	return min(max(eval, -chess.MaxEval), chess.MaxEval)
}
