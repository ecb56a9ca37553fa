package nnue

import (
	"skein/chess"
	"skein/position"
)

// threatStates is the number of feature tables of a king bucket if there are
// features of threatened pieces: one for pieces that are not threatened, one for
// those in Threatened.Hanging, and one for those in Threatened.ByLesser.
const threatStates = 3

// Threatened are the pieces of both sides, except kings, that the opponent
// could win if it were their move, and the dangers of both sides. No piece is in both
// sets.
type Threatened struct {
	Hanging  chess.Bitboard // attacked and not defended
	ByLesser chess.Bitboard // attacked by a piece of a type worth less
	Dangers  Dangers
}

// Threatened returns the threatened pieces, given the pieces of both colors by type
// and by color, or none if there are no features of threatened pieces, and the
// dangers if there are features of those. Knights and bishops are worth the same.
func (a *Architecture) Threatened(byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard) (t Threatened) {
	if !a.Threats {
		return t
	}
	var white, black attackSets
	attacksOfBoth(&white, &black, byType, byColor)
	ofWhite, ofBlack := byColor[chess.White], byColor[chess.Black]
	t.ByLesser = ofWhite&byLesser(byType, &black) | ofBlack&byLesser(byType, &white)
	t.Hanging = ofWhite&black.all()&^white.all() | ofBlack&white.all()&^black.all()
	t.Hanging &^= t.ByLesser | byType[chess.King]
	if a.Dangers {
		t.Dangers = dangers(&white, &black, byType, byColor)
	}
	return t
}

// byLesser returns the pieces of either color on squares attacked by a piece worth less.
func byLesser(byType *[6]chess.Bitboard, by *attackSets) chess.Bitboard {
	minors := by.minors()
	return (byType[chess.Knight]|byType[chess.Bishop])&by.pawns | byType[chess.Rook]&minors |
		byType[chess.Queen]&(minors|by.rooks)
}

// state returns the table, from 0 to threatStates-1, of a piece on s.
func (t *Threatened) state(s chess.Square) int {
	return int(t.Hanging>>(s&63)&1 | t.ByLesser>>(s&63)&1<<1)
}

// differ returns the squares whose states differ.
func (t *Threatened) differ(other *Threatened) chess.Bitboard {
	return (t.Hanging ^ other.Hanging) | (t.ByLesser ^ other.ByLesser)
}

// after returns t after a move, with the pieces that it adds threatened if they
// are so in next and the dangers of t.
func (t *Threatened) after(d *position.Delta, next *Threatened) Threatened {
	added := d.Added[0].Square.Bit()
	gone := added | d.Removed[0].Square.Bit()
	if d.NumRemoved == 2 {
		gone |= d.Removed[1].Square.Bit()
	}
	if d.NumAdded == 2 {
		added |= d.Added[1].Square.Bit()
		gone |= added
	}
	return Threatened{t.Hanging&^gone | next.Hanging&added, t.ByLesser&^gone | next.ByLesser&added, t.Dangers}
}
