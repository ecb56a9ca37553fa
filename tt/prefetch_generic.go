//go:build (!amd64 && !arm64) || purego

package tt

// prefetch does nothing.
func prefetch(*cluster) {}
