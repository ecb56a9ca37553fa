//go:build purego || !amd64

package simd

// SetThreats returns false: there is no kernel.
func SetThreats(*Threats, *[6]uint64, *[2]uint64, uint64) bool { return false }
