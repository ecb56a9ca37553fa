//go:build !purego

package simd

// SetAttacks sets dst to the attacks of White and Black, given the pieces of both by
// type (pawn, knight, bishop, rook, queen, king) and by color. If there is no kernel
// at the level in use, it changes nothing and returns false.
func SetAttacks(dst *[2]Attacks, byType *[6]uint64, byColor *[2]uint64) bool {
	if useVector {
		attacksVector(dst, byType, byColor)
	}
	return useVector
}

//go:noescape
func attacksVector(dst *[2]Attacks, byType *[6]uint64, byColor *[2]uint64)
