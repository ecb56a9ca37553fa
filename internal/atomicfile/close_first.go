//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// removeLocked closes the file, as Windows cannot remove open files, and removes it.
func removeLocked(f *os.File) error {
	err := f.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil // was closed by moveLocked
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// moveLocked closes the file and renames it, as Windows cannot rename open files.
func moveLocked(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
