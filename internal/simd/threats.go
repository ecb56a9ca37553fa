package simd

// Threats are sets of squares, as bits 0 (a1), 1 (b1) to 63 (h8), of which pairs have
// those of White first.
type Threats struct {
	// These must be set before.
	Kings, KingJumps, QueenJumps [2]uint64 // what the king attacks; knights' moves from the king, from queens

	Pawns, Queens, All [2]uint64 // attacked by pawns, by queens, by any piece
	Minors, Rooks      [2]uint64 // attacked by pawns and minor pieces; by these and rooks
	Twice              [2]uint64 // attacked by pieces of two types, or by two pawns
	KingQueens         [2]uint64 // attacked if the king were a queen
	Hanging, ByLesser  uint64    // threatened pieces of both colors
	Dangers            [2]uint64 // bits of the dangers of a side, but for 10, 11, 19 and 20
}
