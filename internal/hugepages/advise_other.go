//go:build !linux

package hugepages

// advise does nothing.
func advise(from, n uintptr) {}
