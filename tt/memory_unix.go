//go:build unix

package tt

import (
	"unsafe"

	"golang.org/x/sys/unix"

	"skein/internal/meminfo"
)

// memory is one anonymous mapping.
type memory struct{ mapping []byte }

// allocate maps one huge page more than needed and places the table at the
// first huge page boundary; pages that are never touched use no memory.
func allocate(size, old int, huge bool) (memory, []cluster, error) {
	if err := meminfo.Check(uint64(size), uint64(old)); err != nil {
		return memory{}, nil, err
	}
	mapping, err := unix.Mmap(-1, 0, size+hugePageSize,
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return memory{}, nil, err
	}
	offset := -uintptr(unsafe.Pointer(&mapping[0])) & (hugePageSize - 1)
	table := mapping[offset:][:size]
	advise(table, huge)
	return memory{mapping}, unsafe.Slice((*cluster)(unsafe.Pointer(&table[0])), size/clusterSize), nil
}

func (m memory) release() error {
	if m.mapping == nil {
		return nil
	}
	return unix.Munmap(m.mapping)
}
