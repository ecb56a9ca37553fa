package chess

// Threats are the squares that one side attacks, defended pieces of its own
// included.
type Threats struct {
	Pawns  Bitboard // by pawns
	Minors Bitboard // by pawns, knights, and bishops
	Rooks  Bitboard // by these and rooks
	All    Bitboard // by anything
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
