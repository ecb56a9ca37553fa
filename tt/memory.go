package tt

import (
	"errors"
	"fmt"
)

// MemoryError reports a table that does not fit into memory.
type MemoryError struct {
	MiB int   // the size asked for
	Err error // what the system says
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("tt: no memory for a table of %d MiB: %v", e.MiB, e.Err)
}

func (e *MemoryError) Unwrap() error { return e.Err }

var errAddressSpace = errors.New("larger than the address space")

// hugePageSize is the size of the huge pages of amd64, and of arm64 with small
// pages of 4 KiB.
const hugePageSize = 2 << 20

// backing is the kind of memory a table lives in. All but the first exist for
// tests and benchmarks.
type backing uint8

const (
	hugePages  backing = iota // system memory, huge pages where they are to be had
	smallPages                // system memory, no huge pages
	goHeap                    // where the race detector looks; it ignores system memory
)

// reserve returns memory for size bytes of zeroed clusters, in place of a table
// of old bytes that is released next.
func reserve(size, old int, b backing) (memory, []cluster, error) {
	if b == goHeap {
		return memory{}, make([]cluster, size/clusterSize), nil
	}
	return allocate(size, old, b == hugePages)
}
