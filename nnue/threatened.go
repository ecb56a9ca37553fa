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
// could win if it were their move. No piece is in both sets.
type Threatened struct {
	Hanging  chess.Bitboard // attacked and not defended
	ByLesser chess.Bitboard // attacked by a piece of a type worth less
}

// Threatened returns the threatened pieces among those given by color and type,
// or none if there are no features of threatened pieces. Knights and bishops are
// worth the same.
func (a *Architecture) Threatened(pieces *[2][6]chess.Bitboard) (t Threatened) {
	if !a.Threats {
		return t
	}
	ofWhite, ofBlack := union(&pieces[chess.White]), union(&pieces[chess.Black])
	white := chess.ThreatsBy(chess.White, &pieces[chess.White], ofWhite|ofBlack)
	black := chess.ThreatsBy(chess.Black, &pieces[chess.Black], ofWhite|ofBlack)
	t.ByLesser = lesser(&pieces[chess.White], &black) | lesser(&pieces[chess.Black], &white)
	t.Hanging = ofWhite&black.All&^white.All | ofBlack&white.All&^black.All
	t.Hanging &^= t.ByLesser | pieces[chess.White][chess.King] | pieces[chess.Black][chess.King]
	return t
}

// union returns the pieces of all types.
func union(p *[6]chess.Bitboard) chess.Bitboard { return p[0] | p[1] | p[2] | p[3] | p[4] | p[5] }

// lesser returns the pieces that are attacked by a piece worth less.
func lesser(pieces *[6]chess.Bitboard, by *chess.Threats) chess.Bitboard {
	return pieces[chess.Knight]&by.ByLesser(chess.Knight) | pieces[chess.Bishop]&by.ByLesser(chess.Bishop) |
		pieces[chess.Rook]&by.ByLesser(chess.Rook) | pieces[chess.Queen]&by.ByLesser(chess.Queen)
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
// are so in next.
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
	return Threatened{t.Hanging&^gone | next.Hanging&added, t.ByLesser&^gone | next.ByLesser&added}
}
