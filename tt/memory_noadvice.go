//go:build unix && !linux

package tt

// advise does nothing: these systems have no such advice.
func advise([]byte, bool) {}
