//go:build purego || !amd64

package simd

// SetAttacks returns false: there is no kernel.
func SetAttacks(*[2]Attacks, *[6]uint64, *[2]uint64) bool { return false }
