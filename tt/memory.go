package tt

import (
	"errors"
	"fmt"
)

// MemoryError reports a table that does not fit into memory.
type MemoryError struct {
	MiB int   // the requested size
	Err error // the reason
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("tt: no memory for a table of %d MiB: %v", e.MiB, e.Err)
}

func (e *MemoryError) Unwrap() error { return e.Err }

var errAddressSpace = errors.New("larger than the address space")

// hugePageSize is the size of the huge pages of amd64, and of arm64 with small
// pages of 4 KiB.
const hugePageSize = 2 << 20

// backing is the kind of memory of a table. All but the first are for tests and
// benchmarks.
type backing uint8

const (
	hugePages  backing = iota // system memory, with huge pages if available
	smallPages                // system memory, no huge pages
	goHeap                    // for the race detector, which ignores system memory
)

// reserve returns memory for size bytes of zeroed clusters. old is the size in
// bytes of the table that it replaces, which is released afterwards.
func reserve(size, old int, b backing) (memory, []cluster, error) {
	if b == goHeap {
		return memory{}, make([]cluster, size/clusterSize), nil
	}
	return allocate(size, old, b == hugePages)
}
