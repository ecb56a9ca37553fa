// Package hugepages asks the system for huge pages for memory of the Go heap
// that is accessed at random: with small pages most such accesses miss the TLB.
// Only Linux is asked.
package hugepages

import "unsafe"

// size is the size of the huge pages of amd64, and of arm64 with small pages of
// 4 KiB, in bytes.
const size = 2 << 20

// Advise asks for huge pages for the n values from first on. Whole pages are
// asked for, so that neighbors of the values share them. The values keep their
// contents. A system without huge pages, or without free ones, ignores it.
func Advise[T any](first *T, n int) {
	from := uintptr(unsafe.Pointer(first))
	to := from + uintptr(n)*unsafe.Sizeof(*first)
	from &^= size - 1
	advise(from, (to-from+size-1)&^(size-1))
}
