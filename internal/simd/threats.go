package simd

// Threats are sets of squares, as bits 0 (a1), 1 (b1) to 63 (h8), of which pairs have
// those of White first.
type Threats struct {
	Pawns, Minors, Rooks, All [2]uint64 // attacked by pawns; by minor pieces, too; by rooks, too; by any
	Twice                     [2]uint64 // attacked by pieces of two types, or by two pawns
	Hanging, ByLesser         uint64    // threatened pieces of both colors
	Dangers                   [2]uint64 // bits of the dangers of a side, but for 11, 19 and 20
}
