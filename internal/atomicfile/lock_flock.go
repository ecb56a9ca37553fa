//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file until it is closed. It returns false if another open file has
// locked it, and true if the file system does not support locks.
func lock(f *os.File) bool {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return !errors.Is(err, syscall.EWOULDBLOCK)
		}
	}
}

// removeLocked removes the file while it is locked, and closes it.
func removeLocked(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }

// moveLocked renames the file while it is locked, and closes it. After an error it
// is still open.
func moveLocked(f *os.File, name string) error {
	if err := os.Rename(f.Name(), name); err != nil {
		return err
	}
	f.Close() // was synced
	return nil
}
