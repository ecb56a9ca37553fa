package tt

import "golang.org/x/sys/unix"

// advise asks for huge pages, or for none. Kernels without huge pages return an
// error, which only affects speed.
func advise(table []byte, huge bool) {
	advice := unix.MADV_NOHUGEPAGE
	if huge {
		advice = unix.MADV_HUGEPAGE
	}
	_ = unix.Madvise(table, advice)
}
