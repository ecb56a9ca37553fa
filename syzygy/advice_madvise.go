//go:build unix && !aix && !solaris

package syzygy

import "golang.org/x/sys/unix"

// readRandomly tells the system that reading ahead is of no use: a probe looks
// at a few places far apart.
func (m mapping) readRandomly() { _ = unix.Madvise(m, unix.MADV_RANDOM) }
