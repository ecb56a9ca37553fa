package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// TempDir is a temporary folder, locked as long as it is in use.
type TempDir struct {
	Path string
	f    *os.File
}

// NewTempDir creates a temporary folder in dir, whose name begins with prefix. It
// removes the folders with that prefix that killed processes have left in dir.
func NewTempDir(dir, prefix string) (*TempDir, error) {
	removeStale(dir, prefix)
	for {
		path, err := os.MkdirTemp(dir, prefix)
		if err != nil {
			return nil, err
		}
		t, err := lockDir(path)
		if t != nil || err != nil {
			return t, err
		}
	}
}

// lockDir opens and locks a new folder. It returns nil if another process, which
// took it for one that was left, has locked or removed it.
func lockDir(path string) (*TempDir, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	locked := errors.Is(lock(f), errLocked)
	ours, err := isAt(f, path)
	if err != nil || locked || !ours {
		return nil, errors.Join(err, f.Close())
	}
	return &TempDir{path, f}, nil
}

// Remove removes the folder with its files, which must be closed.
func (t *TempDir) Remove() error { return errors.Join(t.f.Close(), os.RemoveAll(t.Path)) }

// removeStale removes the folders in dir with the prefix that nobody has locked. It
// ignores errors, and removes none if the file system does not support locks.
func removeStale(dir, prefix string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if f, err := os.Open(path); err == nil {
			if ours, _ := isAt(f, path); ours && lock(f) == nil {
				os.RemoveAll(path)
			}
			f.Close()
		}
	}
}
