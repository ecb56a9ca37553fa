package simd

// Attacks are sets of squares, as bits 0 (a1), 1 (b1) to 63 (h8), for the pieces
// of one color. Lines that its pieces attack end with the first occupied square.
type Attacks struct {
	Knights, Queens, Bishops, Rooks uint64 // attacked by pieces of a type; the kernel writes the four at once

	KingDiagonals, KingLines uint64 // attacked if the king were a bishop, a rook
	Forks                    uint64 // a knight's move from two or more of its rooks, queens and king
}
