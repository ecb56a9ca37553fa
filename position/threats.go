package position

import "skein/chess"

// Threats returns the squares that the side not to move attacks.
func (p *Position) Threats() (t chess.Threats) {
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
	t.All = t.Rooks
	for b := p.PiecesOf(them, chess.King); b != 0; {
		t.All |= chess.KingAttacks(b.Pop())
	}
	for b := p.PiecesOf(them, chess.Queen); b != 0; {
		t.All |= chess.QueenAttacks(b.Pop(), occ)
	}
	return t
}
