package position

import "skein/chess"

// Checks tells which moves of one position give check.
type Checks struct {
	squares  [8]chess.Bitboard // by PieceType: where such a piece attacks the king
	king     chess.Square      // of the side not to move
	blockers chess.Bitboard    // pieces of the side to move whose leaving may discover a check
}

// Checks finds out what gives check to the side not to move.
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

	queens := p.Pieces(chess.Queen)
	snipers := p.Of(us) & (chess.RookRays(c.king)&(p.Pieces(chess.Rook)|queens) |
		chess.BishopRays(c.king)&(p.Pieces(chess.Bishop)|queens))
	for snipers != 0 {
		if between := chess.Between(c.king, snipers.Pop()) & occ; !between.Many() {
			c.blockers |= between & p.Of(us)
		}
	}
	return c
}

// Gives reports whether m, legal in p, whose Checks these are, gives check.
// Checks by castling and those discovered by a pawn taken en passant are not
// seen.
func (c *Checks) Gives(p *Position, m chess.Move) bool {
	from, to := m.From(), m.To()
	if m.IsCastling() {
		return false
	}
	if m.IsPromotion() {
		if chess.Attacks(m.Promotion(), to, p.Occupied()&^from.Bit()).Has(c.king) {
			return true
		}
	} else if c.squares[p.At(from).Type()&7].Has(to) {
		return true
	}
	return c.blockers.Has(from) && !chess.Line(c.king, from).Has(to)
}

// KeyAfter returns the key of the position after m, legal here, as long as m is
// an ordinary move or capture that changes no castling rights and allows no en
// passant; otherwise something else. It is a hint what to prefetch.
func (p *Position) KeyAfter(m chess.Move) chess.Key {
	from, to := m.From(), m.To()
	piece, taken := p.At(from)&15, p.At(to)&15
	return p.Key() ^ zobrist.black ^ zobrist.pieces[piece][from&63] ^ zobrist.pieces[piece][to&63] ^ zobrist.pieces[taken][to&63]
}
