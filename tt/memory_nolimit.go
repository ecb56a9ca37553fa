//go:build unix && !linux && !darwin && !dragonfly && !freebsd

package tt

// advise does nothing: huge pages are not supported here.
func advise([]byte, bool) {}

// checkAvailable accepts every size: the system refuses what is too large.
func checkAvailable(_, _ uint64) error { return nil }
