package tt

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// memory is one region of committed pages.
type memory struct{ address uintptr }

// allocate commits the region, which fails if the system lacks the memory.
// Large pages would need a privilege that users do not have.
func allocate(size, _ int, _ bool) (memory, []cluster, error) {
	address, err := windows.VirtualAlloc(0, uintptr(size),
		windows.MEM_RESERVE|windows.MEM_COMMIT, windows.PAGE_READWRITE)
	if err != nil {
		return memory{}, nil, err
	}
	// The region is outside the Go heap and does not move.
	base := *(**cluster)(unsafe.Pointer(&address))
	return memory{address}, unsafe.Slice(base, size/clusterSize), nil
}

func (m memory) release() error {
	if m.address == 0 {
		return nil
	}
	return windows.VirtualFree(m.address, 0, windows.MEM_RELEASE)
}
