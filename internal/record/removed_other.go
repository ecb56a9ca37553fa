//go:build !unix

package record

import "io/fs"

// removed reports whether an open file has no name anymore, which is known on Unix only.
func removed(fs.FileInfo) bool { return false }
