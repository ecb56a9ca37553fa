package hugepages

import "golang.org/x/sys/unix"

// advise asks for huge pages for n bytes at from, for those that will be
// touched later and for those that were. The addresses are no pointers, since
// they can lie outside of any object. Errors are ignored.
func advise(from, n uintptr) {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, n, unix.MADV_HUGEPAGE)
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, n, unix.MADV_COLLAPSE)
}
