package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errLocked is the error of lock if another open file has the lock.
var errLocked = errors.New("locked")

// lockOutput locks f, the output called name. It is an error if another process
// has locked it, but not if the file system does not support locks.
func lockOutput(f *os.File, name string) error {
	if errors.Is(lock(f), errLocked) {
		return fmt.Errorf("%s is being written by another process", name)
	}
	return nil
}

// CheckFree returns an error if another process has locked the file called name, which
// need not exist.
func CheckFree(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(lockOutput(f, name), f.Close())
}

// CheckNoPart returns an error if another process writes the file called name with
// Create or Replace.
func CheckNoPart(name string) error { return CheckFree(name + suffix) }

// Lock is an exclusive lock on a file, for outputs that are written in place and
// for runs that write several files. It ends with the process at the latest.
type Lock struct {
	f      *os.File
	linked bool // locked by the name of a symbolic link
}

// NewLock locks the file name, and creates it if it does not exist. It is an error
// if another process has locked the file, by this name or another one, or if it is
// not a regular file.
func NewLock(name string) (*Lock, error) {
	given := name
	name, err := resolve(given)
	if err != nil {
		return nil, err
	}
	for {
		if _, err := statRegular(name); err != nil {
			return nil, err
		}
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := lockOutput(f, name); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		ours, err := isAt(f, name)
		if ours {
			return &Lock{f, name != given}, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
}

// Close releases the lock. It removes the file if it is empty, but not another one that
// has its name now, nor the target of a symbolic link, which would be broken and could not
// be locked again.
func (l *Lock) Close() error {
	info, err := l.f.Stat()
	if err == nil && info.Size() == 0 && !l.linked {
		if ours, _ := isAt(l.f, l.f.Name()); ours {
			return removeLocked(l.f)
		}
	}
	return errors.Join(err, l.f.Close())
}

// Rename gives the locked file a new name and releases the lock. It is an error if
// there is such a file.
func (l *Lock) Rename(name string) error {
	err := CheckNew(name)
	if err == nil {
		err = moveLocked(l.f, name)
	}
	if err != nil {
		return errors.Join(err, l.f.Close())
	}
	syncFolder(filepath.Dir(name))
	return nil
}

// resolve returns the target if name is a symbolic link, otherwise name.
func resolve(name string) (string, error) {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return filepath.EvalSymlinks(name)
	}
	return name, nil
}

// Same reports whether two names denote the same file, which need not exist.
func Same(a, b string) bool {
	same := func(a, b string) bool {
		infoA, errA := os.Stat(a)
		infoB, errB := os.Stat(b)
		return errA == nil && errB == nil && os.SameFile(infoA, infoB)
	}
	return same(a, b) || filepath.Base(a) == filepath.Base(b) && same(filepath.Dir(a), filepath.Dir(b))
}
