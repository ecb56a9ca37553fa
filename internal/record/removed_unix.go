//go:build unix

package record

import (
	"io/fs"
	"syscall"
)

// removed reports whether an open file has no name anymore.
func removed(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink == 0
}
