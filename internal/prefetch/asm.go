//go:build (amd64 || arm64) && !purego

package prefetch

// Line starts loading the cache line of p.
//
//go:noescape
func Line(p *uint64)

// Lines starts loading the cache lines of six values.
//
//go:noescape
func Lines(p *[6]*int16)

// Rows starts loading the 384 values, 768 bytes, from each of a, b and c on.
//
//go:noescape
func Rows(a, b, c *int16)
