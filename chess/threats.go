package chess

// Threats are the squares that one side attacks, defended pieces of its own
// included.
type Threats struct {
	Pawns  Bitboard // by pawns
	Minors Bitboard // by pawns, knights, and bishops
	Rooks  Bitboard // by these and rooks
	All    Bitboard // by anything
}

// ThreatsBy returns the squares that the pieces of color c attack, given the pieces
// of both by type and by color.
func ThreatsBy(c Color, byType *[6]Bitboard, byColor *[2]Bitboard) (t Threats) {
	own, occ := byColor[c&1], byColor[White]|byColor[Black]
	t.Pawns = PawnsAttack(c, own&byType[Pawn])
	t.Minors = t.Pawns
	for b := own & byType[Knight]; b != 0; {
		t.Minors |= KnightAttacks(b.Pop())
	}
	for b := own & byType[Bishop]; b != 0; {
		t.Minors |= BishopAttacks(b.Pop(), occ)
	}
	t.Rooks = t.Minors
	for b := own & byType[Rook]; b != 0; {
		t.Rooks |= RookAttacks(b.Pop(), occ)
	}
	t.All = t.Rooks
	for b := own & byType[King]; b != 0; {
		t.All |= KingAttacks(b.Pop())
	}
	for b := own & byType[Queen]; b != 0; {
		t.All |= QueenAttacks(b.Pop(), occ)
	}
	return t
}

// ByLesser returns the squares where a piece of type pt is attacked by one
// worth less.
func (t *Threats) ByLesser(pt PieceType) Bitboard {
	switch pt {
	case Knight, Bishop:
		return t.Pawns
	case Rook:
		return t.Minors
	case Queen:
		return t.Rooks
	}
	return 0
}
