//go:build !purego

package simd

// lanes holds for every set of 8 lanes (as a bit mask) the numbers of its
// lanes, one per byte, the first in the lowest byte. The assembly of
// NonZeroFloat uses it.
//
//lint:ignore U1000 The assembly reads it.
var lanes = func() (lanes [256]uint64) {
	for set := range lanes {
		shift := 0
		for lane := range 8 {
			if set>>lane&1 != 0 {
				lanes[set] |= uint64(lane) << shift
				shift += 8
			}
		}
	}
	return lanes
}()
