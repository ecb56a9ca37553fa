//go:build !unix && !windows

package syzygy

import (
	"errors"
	"io"
	"os"
)

// mapping is a copy of a file.
type mapping []byte

// maxHeap keeps the heap from growing where a failure ends the process.
const maxHeap = 256 << 20

func (m *mapping) open(f *os.File, size int) error {
	if size > maxHeap {
		return errors.New("too large for a system that cannot map files into memory")
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(f, data); err != nil {
		return err
	}
	*m = data
	return nil
}

func (m *mapping) close() error { return nil }
