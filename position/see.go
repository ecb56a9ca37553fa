package position

import "skein/chess"

// seeValues are the piece values of static exchange evaluation in
// centipawns, by PieceType.
var seeValues = [8]int{100, 300, 300, 500, 900, 0, 0, 0}

// SEEValue returns the value of a piece of type t in exchanges, in
// centipawns; 0 for a king or none.
func SEEValue(t chess.PieceType) int { return seeValues[t&7] }

// SEE reports whether the exchanges that the pseudo-legal move m starts on its
// target square win at least threshold centipawns for the mover. It ignores
// promotions by later captures. Pieces that are pinned before the exchanges, or by m,
// stay so to the end: they capture along the pin only.
// Source: the swap algorithm (Chess Programming Wiki, "SEE - The Swap
// Algorithm") with the usual early exits.
//
//go:noinline
func (p *Position) SEE(m chess.Move, threshold int) bool {
	// Not inlined, since copies crowd the instruction cache; see docs/search.md.
	if m.IsCastling() {
		return threshold <= 0
	}
	from, to := m.From(), m.To()
	next := p.At(from).Type()
	balance := seeValues[p.Captured(m)&7] - threshold
	if m.IsPromotion() {
		next = m.Promotion()
		balance += seeValues[next&7] - seeValues[chess.Pawn]
	}
	if balance < 0 {
		return false // even keeping everything is not enough
	}
	balance -= seeValues[next&7]
	if balance >= 0 {
		return true // even losing the moved piece is
	}

	occ := p.Occupied()&^from.Bit() | to.Bit()
	if m.IsEnPassant() {
		occ &^= (to ^ 8).Bit()
	}
	diagonal := p.Pieces(chess.Bishop) | p.Pieces(chess.Queen)
	straight := p.Pieces(chess.Rook) | p.Pieces(chess.Queen)
	attackers := p.AttackersTo(to, occ) & occ
	side := p.side.Other()
	if attackers&p.Of(side) == 0 {
		return true
	}
	king := p.King(side)
	pinned := p.pinned | p.Of(side)&shields(king, p.snipers(p.side, king)&occ, occ)
	for {
		ours := attackers & p.Of(side)
		for pins := ours & pinned; pins != 0; {
			if s := pins.Pop(); !chess.Line(p.King(side), s).Has(to) {
				ours &^= s.Bit()
			}
		}
		if ours == 0 {
			break
		}
		next = chess.Pawn
		for ours&p.byType[next&7] == 0 {
			next++
		}
		if next == chess.King && attackers&p.Of(side.Other()) != 0 {
			break // the king may not take a protected piece
		}
		occ &^= (ours & p.byType[next&7]).First().Bit()
		if next == chess.Pawn || next == chess.Bishop || next == chess.Queen {
			attackers |= chess.BishopAttacks(to, occ) & diagonal
		}
		if next == chess.Rook || next == chess.Queen {
			attackers |= chess.RookAttacks(to, occ) & straight
		}
		attackers &= occ
		side = side.Other()
		balance = -balance - 1 - seeValues[next&7]
		if balance >= 0 {
			break
		}
	}
	// The side that could not go on, or had no need to, has lost.
	return side != p.side
}
