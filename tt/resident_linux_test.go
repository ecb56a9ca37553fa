package tt

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestTouched checks that the system has provided every page of a new table and
// of a resized one, so that no search waits for them, and that huge pages fit.
func TestTouched(t *testing.T) {
	table, err := New(5)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if missing := absentPages(t, table); missing > 0 {
		t.Errorf("%d pages of a new table are absent", missing)
	}
	if p := uintptr(unsafe.Pointer(&table.clusters[0])); p%hugePageSize != 0 {
		t.Errorf("%#x is not the start of a huge page", p)
	}
	if err := table.Resize(9, 1); err != nil {
		t.Fatal(err)
	}
	if missing := absentPages(t, table); missing > 0 {
		t.Errorf("%d pages of a resized table are absent", missing)
	}
}

// absentPages returns how many pages of the table are not in memory.
func absentPages(t *testing.T, table *Table) int {
	t.Helper()
	pages := make([]byte, table.Size()<<20/os.Getpagesize())
	_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&table.clusters[0])),
		uintptr(table.Size()<<20), uintptr(unsafe.Pointer(&pages[0])))
	if errno != 0 {
		t.Fatal(errno)
	}
	absent := 0
	for _, page := range pages {
		if page&1 == 0 {
			absent++
		}
	}
	return absent
}
