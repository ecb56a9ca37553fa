package position

import "skein/chess"

// Checks determines which moves of one position give check.
type Checks struct {
	squares  [8]chess.Bitboard // by PieceType: where such a piece attacks the king
	king     chess.Square      // of the side not to move
	blockers chess.Bitboard    // pieces of the side to move that may give discovered check by moving
}

// Checks returns the data to determine which moves give check.
func (p *Position) Checks() (c Checks) {
	us, them := p.side, p.side.Other()
	occ := p.Occupied()
	c.king = p.King(them)
	diagonal, straight := chess.BishopAttacks(c.king, occ), chess.RookAttacks(c.king, occ)
	c.squares[chess.Pawn] = chess.PawnAttacks(them, c.king)
	c.squares[chess.Knight] = chess.KnightAttacks(c.king)
	c.squares[chess.Bishop] = diagonal
	c.squares[chess.Rook] = straight
	c.squares[chess.Queen] = diagonal | straight

	c.blockers = p.Of(us) & shields(c.king, p.snipers(us, c.king), occ)
	return c
}

// snipers returns the pieces of color c that would attack s along a line if the
// board were empty otherwise.
func (p *Position) snipers(c chess.Color, s chess.Square) chess.Bitboard {
	queens := p.Pieces(chess.Queen)
	return p.Of(c) & (chess.RookRays(s)&(p.Pieces(chess.Rook)|queens) |
		chess.BishopRays(s)&(p.Pieces(chess.Bishop)|queens))
}

// shields returns the squares of occ that are the only ones between the king and one
// of the snipers.
func shields(king chess.Square, snipers, occ chess.Bitboard) (alone chess.Bitboard) {
	for snipers != 0 {
		if between := chess.Between(king, snipers.Pop()) & occ; !between.Many() {
			alone |= between
		}
	}
	return alone
}

// Gives reports whether m gives check. m must be legal in p, from which c was
// computed. It misses checks by castling and checks discovered by the removal of
// a pawn captured en passant.
func (c *Checks) Gives(p *Position, m chess.Move) bool {
	from, to := m.From(), m.To()
	if m.IsPromotion() {
		if chess.Attacks(m.Promotion(), to, p.Occupied()&^from.Bit()).Has(c.king) {
			return true
		}
	} else if c.squares[p.At(from).Type()&7].Has(to) {
		return true
	}
	return c.blockers.Has(from) && !chess.Line(c.king, from).Has(to)
}

// MayGive reports whether a move of piece, other than a promotion, may give
// check: Gives is false if it is false, and usually true if it is true.
func (c *Checks) MayGive(piece chess.Piece, from, to chess.Square) bool {
	return c.squares[piece.Type()&7].Has(to) || c.blockers.Has(from)
}
