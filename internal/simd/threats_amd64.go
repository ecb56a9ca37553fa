//go:build !purego

package simd

// SetThreats sets dst, given the men of both colors by type (pawn, knight, bishop, rook,
// queen, king) and by color, and the rooks that may castle. If there is no kernel at the
// level in use, it changes nothing and returns false.
func SetThreats(dst *Threats, byType *[6]uint64, byColor *[2]uint64, castling uint64) bool {
	if useVector {
		threatsVector(dst, byType, byColor, castling)
	}
	return useVector
}

//go:noescape
func threatsVector(dst *Threats, byType *[6]uint64, byColor *[2]uint64, castling uint64)
