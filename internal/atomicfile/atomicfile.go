// Package atomicfile writes files that appear whole or not at all.
//
// A file is written beside its target as NAME.part, synced, and renamed. The part
// file is locked meanwhile, so a second run with the same target is refused, while
// what a killed run has left is removed. Where the system has no locks, such as
// flock, the second run takes the part file over.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// suffix makes the name of the part file.
const suffix = ".part"

// bufferSize is how many bytes are written at a time.
const bufferSize = 1 << 20

// WriteFile is Replace for data that is at hand.
func WriteFile(name string, data []byte) error {
	return Replace(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace writes the file name by calling write, in place of a file that exists.
// The new file has its permissions; a symbolic link stays and its target is
// replaced. After an error the old file is as it was. It is an error if name is
// something else than a regular file, such as a folder or a device.
func Replace(name string, write func(io.Writer) error) error {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	}
	p, err := newPart(name)
	if err != nil {
		return err
	}
	return p.finish(p.fill(write))
}

// Create is Replace for a file that must not exist. A failure leaves nothing
// behind.
func Create(name string, write func(io.Writer) error) error {
	if err := checkNew(name); err != nil {
		return err
	}
	p, err := newPart(name)
	if err != nil {
		return err
	}
	err = checkNew(name) // another run may have had the part file until now
	if err == nil {
		err = p.fill(write)
	}
	if err == nil {
		err = checkNew(name)
	}
	return p.finish(err)
}

// checkNew returns an error if there is a file name.
func checkNew(name string) error {
	_, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s exists already", name)
}

// part is a file on its way to its name.
type part struct {
	name string
	f    *os.File
}

// newPart makes the part file of a regular file, or of one that does not exist.
func newPart(name string) (*part, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file (%s)", name, kind(info.Mode()))
	}
	f, err := openLocked(name)
	if err != nil {
		return nil, err
	}
	p := &part{name, f}
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return nil, p.finish(err)
		}
	}
	return p, nil
}

// kind says what a file is that is not regular.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return m.Type().String()
}

// openLocked makes the part file of name anew and locks it. It is an error if
// another run has it.
func openLocked(name string) (*os.File, error) {
	for {
		f, err := os.OpenFile(name+suffix, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		stale := errors.Is(err, fs.ErrExist)
		if stale {
			if err := checkPart(name + suffix); err != nil {
				return nil, err
			}
			f, err = os.OpenFile(name+suffix, os.O_RDWR, 0)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		if !lock(f) {
			return nil, errors.Join(fmt.Errorf("%s is being written by another run", name), f.Close())
		}
		ours, err := isAt(f, name+suffix)
		if err == nil && ours && !stale {
			return f, nil
		}
		if err == nil && ours {
			err = removeLocked(f) // of a run that was killed
		} else {
			err = errors.Join(err, f.Close()) // another run has renamed or removed it
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkPart returns an error if there is something else than a regular file in the
// place of a part file.
func checkPart(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is in the way: it is not a regular file (%s)", path, kind(info.Mode()))
	}
	return nil
}

// isAt reports whether f is the file of that path.
func isAt(f *os.File, path string) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, there), err
}

// fill writes the part file and brings it to the disk.
func (p *part) fill(write func(io.Writer) error) error {
	b := bufio.NewWriterSize(p.f, bufferSize)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return p.f.Sync()
}

// finish gives the part file its name, or removes it if err is not nil. It
// returns err, or why that failed.
func (p *part) finish(err error) error {
	if err == nil {
		if err = moveLocked(p.f, p.name); err == nil {
			syncFolder(filepath.Dir(p.name))
			return nil
		}
	}
	return errors.Join(err, removeLocked(p.f))
}

// syncFolder brings a rename to the disk where the system can.
func syncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		folder.Sync()
		folder.Close()
	}
}
