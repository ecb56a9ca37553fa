package position

import "skein/chess"

// Threats are the squares that the side not to move attacks in one position,
// defended pieces of its own included.
type Threats struct {
	Pawns  chess.Bitboard // by pawns
	Minors chess.Bitboard // by pawns, knights, and bishops
	Rooks  chess.Bitboard // by these and rooks
	All    chess.Bitboard // by anything
}

// Threats returns the squares that the side not to move attacks.
func (p *Position) Threats() (t Threats) {
	them := p.side.Other()
	occ := p.Occupied()
	t.Pawns = chess.PawnsAttack(them, p.PiecesOf(them, chess.Pawn))
	t.Minors = t.Pawns
	for b := p.PiecesOf(them, chess.Knight); b != 0; {
		t.Minors |= chess.KnightAttacks(b.Pop())
	}
	for b := p.PiecesOf(them, chess.Bishop); b != 0; {
		t.Minors |= chess.BishopAttacks(b.Pop(), occ)
	}
	t.Rooks = t.Minors
	for b := p.PiecesOf(them, chess.Rook); b != 0; {
		t.Rooks |= chess.RookAttacks(b.Pop(), occ)
	}
	t.All = t.Rooks | chess.KingAttacks(p.King(them))
	for b := p.PiecesOf(them, chess.Queen); b != 0; {
		t.All |= chess.QueenAttacks(b.Pop(), occ)
	}
	return t
}

// ByLesser returns the squares where a piece of type pt is attacked by one
// worth less.
func (t *Threats) ByLesser(pt chess.PieceType) chess.Bitboard {
	switch pt {
	case chess.Knight, chess.Bishop:
		return t.Pawns
	case chess.Rook:
		return t.Minors
	case chess.Queen:
		return t.Rooks
	}
	return 0
}
