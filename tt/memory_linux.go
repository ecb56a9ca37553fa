package tt

import "golang.org/x/sys/unix"

// advise requests huge pages for table, or excludes them. Errors are ignored,
// since a kernel without huge pages only makes the table slower.
func advise(table []byte, huge bool) {
	advice := unix.MADV_NOHUGEPAGE
	if huge {
		advice = unix.MADV_HUGEPAGE
	}
	_ = unix.Madvise(table, advice)
}
