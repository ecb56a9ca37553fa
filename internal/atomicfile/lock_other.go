//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// lock reports whether the file may be written. Windows lets nobody remove a file
// that is open, which is as good as a lock.
func lock(*os.File) bool { return true }

// removeLocked closes the file and removes it.
func removeLocked(f *os.File) error {
	err := f.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil // by moveLocked
	}
	return errors.Join(err, os.Remove(f.Name()))
}

// moveLocked closes the file and renames it: Windows renames none that is open.
func moveLocked(f *os.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
