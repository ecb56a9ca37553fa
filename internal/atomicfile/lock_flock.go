//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file or folder until it is closed. The error is errLocked if another
// open file has the lock, and another one if the file system does not support locks.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, syscall.EINTR):
			return err
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
