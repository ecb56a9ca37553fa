//go:build unix

package syzygy

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapping is a file in memory, shared with the system's page cache.
type mapping []byte

func (m *mapping) open(f *os.File, size int) error {
	data, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	*m = data
	return nil
}

func (m *mapping) close() error {
	if *m == nil {
		return nil
	}
	return unix.Munmap(*m)
}
