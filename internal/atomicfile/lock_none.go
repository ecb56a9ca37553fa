//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

// lock returns an error, because there are no locks.
func lock(*os.File) error { return errors.ErrUnsupported }
