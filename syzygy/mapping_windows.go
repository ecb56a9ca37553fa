package syzygy

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapping is a view of a file.
type mapping []byte

func (m *mapping) open(f *os.File, size int) error {
	section, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READONLY, 0, 0, nil)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(section) // the view holds it
	address, err := windows.MapViewOfFile(section, windows.FILE_MAP_READ, 0, 0, uintptr(size))
	if err != nil {
		return err
	}
	// The view is not the garbage collector's and does not move.
	*m = unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size)
	return nil
}

func (m *mapping) close() error {
	if *m == nil {
		return nil
	}
	return windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(*m))))
}
