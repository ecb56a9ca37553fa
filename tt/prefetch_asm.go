//go:build (amd64 || arm64) && !purego

package tt

// prefetch starts loading the cache line of c.
//
//go:noescape
func prefetch(c *cluster)
