//go:build unix && !aix && !solaris

package syzygy

import "golang.org/x/sys/unix"

// advise tells the system that reading ahead is of no use: a probe looks at a
// few places far apart.
func advise(data []byte) { _ = unix.Madvise(data, unix.MADV_RANDOM) }
