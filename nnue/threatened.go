package nnue

import (
	"skein/chess"
	"skein/internal/simd"
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

// Threatened returns the threatened pieces of a position, or none if there are no features
// of threatened pieces, and the dangers if there are features of those. Knights and
// bishops are worth the same.
func (a *Architecture) Threatened(p *position.Position) Threatened {
	m := menOf(p)
	return a.threatened(&m, new(simd.Threats))
}

// ThreatenedMen is Threatened, given the men of both colors by type and by color, and the
// rooks that may castle.
func (a *Architecture) ThreatenedMen(
	byType *[6]chess.Bitboard, byColor *[2]chess.Bitboard, castling chess.Bitboard,
) Threatened {
	return a.threatened(&men{byType, byColor, castling}, new(simd.Threats))
}

// threatened is Threatened for some men. It changes all of threats.
func (a *Architecture) threatened(m *men, threats *simd.Threats) (t Threatened) {
	if !a.Threats {
		return t
	}
	m.setThreats(threats)
	t.Hanging, t.ByLesser = chess.Bitboard(threats.Hanging), chess.Bitboard(threats.ByLesser)
	if a.Dangers {
		t.Dangers = m.dangers(threats)
	}
	return t
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
