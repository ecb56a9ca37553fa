//go:build !unix && !windows

package tt

import "fmt"

// memory is empty: clusters are on the Go heap.
type memory struct{}

// maxHeap is the largest table, in bytes: a failed allocation on the Go heap
// ends the process.
const maxHeap = 1 << 30

func allocate(size, _ int, _ bool) (memory, []cluster, error) {
	if size > maxHeap {
		return memory{}, nil, fmt.Errorf("%d MiB is the limit on this system", maxHeap>>20)
	}
	return memory{}, make([]cluster, size/clusterSize), nil
}

func (memory) release() error { return nil }
