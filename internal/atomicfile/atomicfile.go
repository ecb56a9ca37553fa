// Package atomicfile writes files that appear under their name only when complete.
//
// A file is written as NAME.part in the folder of its target, synced, and renamed.
// The part file is locked meanwhile, so that a second process with the same target
// gets an error, while the part file of a killed process is removed. On systems
// without flock a second process takes over the part file, and the first one fails.
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

// suffix is appended to the name of the target to name the part file.
const suffix = ".part"

// bufferSize is the number of bytes per write to the file.
const bufferSize = 1 << 20

// WriteFile calls Replace to write data.
func WriteFile(name string, data []byte) error {
	return Replace(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace writes the file name by calling write. An existing file is replaced when
// the new one is complete, and remains unchanged after an error; its permissions
// are kept. If name is a symbolic link, its target is replaced. It is an error if
// name exists and is not a regular file.
func Replace(name string, write func(io.Writer) error) error {
	name, err := resolve(name)
	if err != nil {
		return err
	}
	p, err := newPart(name)
	if err != nil {
		return err
	}
	return p.finish(p.fill(write))
}

// Create writes the new file name by calling write. It is an error if the file
// exists. After an error there is no file.
func Create(name string, write func(io.Writer) error) error {
	if err := CheckNew(name); err != nil {
		return err
	}
	p, err := newPart(name)
	if err != nil {
		return err
	}
	err = CheckNew(name) // another process may have renamed its part file
	if err == nil {
		err = p.fill(write)
	}
	if err == nil {
		err = CheckNew(name)
	}
	return p.finish(err)
}

// CheckNew returns an error if the file exists.
func CheckNew(name string) error {
	_, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s already exists", name)
}

// part is an open, locked part file.
type part struct {
	name string // of the target
	f    *os.File
}

// newPart creates the part file of a target, which must be a regular file if it
// exists.
func newPart(name string) (*part, error) {
	info, err := statRegular(name)
	if err != nil {
		return nil, err
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

// statRegular returns information about a file, nil if it does not exist. It is an
// error if it is not a regular file.
func statRegular(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file (%s)", name, kind(info.Mode()))
	}
	return info, nil
}

// kind describes the type of a file that is not regular.
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

// openLocked creates and locks the part file of name. It is an error if another
// process has locked it.
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
		if err := lockOutput(f, name); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		ours, err := isAt(f, name+suffix)
		if err == nil && ours && !stale {
			return f, nil
		}
		if err == nil && ours {
			err = removeLocked(f) // its process was killed
		} else {
			err = errors.Join(err, f.Close()) // another process has renamed or removed it
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkPart returns an error if path exists and is not a regular file.
func checkPart(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("cannot create %s: it exists and is not a regular file (%s)", path, kind(info.Mode()))
	}
	return nil
}

// isAt reports whether path still names the open file f.
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

// fill writes and syncs the part file.
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

// finish renames the part file to its target, or removes it if err is not nil. It
// returns err, or the error of renaming.
func (p *part) finish(err error) error {
	ours, statErr := isAt(p.f, p.f.Name())
	if !ours {
		taken := fmt.Errorf("%s was removed by another process", p.f.Name())
		return errors.Join(err, statErr, taken, p.f.Close())
	}
	if err == nil {
		if err = moveLocked(p.f, p.name); err == nil {
			syncFolder(filepath.Dir(p.name))
			return nil
		}
	}
	return errors.Join(err, removeLocked(p.f))
}

// syncFolder syncs a folder after a rename, on systems that support that.
func syncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		folder.Sync()
		folder.Close()
	}
}
