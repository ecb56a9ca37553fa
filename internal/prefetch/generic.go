//go:build (!amd64 && !arm64) || purego

package prefetch

// Line does nothing.
func Line(*uint64) {}

// Lines does nothing.
func Lines(*[6]*int16) {}

// Rows does nothing.
func Rows(a, b, c *int16) {}
