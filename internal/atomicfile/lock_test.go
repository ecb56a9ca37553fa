package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestLock(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	l, err := NewLock(name)
	if err != nil {
		t.Fatal(err)
	}
	locked(t, name)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an empty file remains:", err)
	}
	if l, err = NewLock(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil || contents(t, name) != "text" {
		t.Errorf("the file became %q, %v", contents(t, name), err)
	}
	_, err = NewLock(dir)
	wantError(t, err, dir, "a folder")
}

// TestLockReplaced closes the lock of a file that was replaced, and expects the other one
// to remain.
func TestLockReplaced(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are open cannot be replaced")
	}
	name := filepath.Join(t.TempDir(), "x")
	l, err := NewLock(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil || contents(t, name) != "other" {
		t.Errorf("%v; the other file has %q", err, contents(t, name))
	}
}

// locked fails the test unless the file is locked.
func locked(t *testing.T, name string) {
	t.Helper()
	l, err := NewLock(name)
	wantError(t, err, "is being written by another process")
	if err == nil {
		l.Close()
	}
}

// TestLockLinks locks a file that has other names. The symbolic link is not broken by
// removing the empty file.
func TestLockLinks(t *testing.T) {
	dir := t.TempDir()
	name, symbolic, hard := filepath.Join(dir, "x"), filepath.Join(dir, "symbolic"), filepath.Join(dir, "hard")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	symlink(t, "x", symbolic)
	if err := os.Link(name, hard); err != nil {
		t.Fatal(err)
	}
	l, err := NewLock(symbolic)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{name, symbolic, hard} {
		locked(t, other)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err = NewLock(symbolic); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestTakenOver replaces the part file while it is written, as a second process can
// on systems without locks: the first process fails and harms neither file.
func TestTakenOver(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	name := filepath.Join(t.TempDir(), "x")
	for _, failure := range []error{nil, errFull} {
		err := Replace(name, func(io.Writer) error {
			return errors.Join(os.Remove(name+suffix), os.WriteFile(name+suffix, []byte("half"), 0o666), failure)
		})
		wantError(t, err, name+suffix)
		if got := contents(t, name+suffix); got != "half" {
			t.Errorf("the part file of the other process became %q", got)
		}
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the part file of the other process was renamed:", err)
		}
	}
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	symlink(t, "x", file("symbolic"))
	if err := os.Link(file("x"), file("hard")); err != nil {
		t.Skip(err)
	}
	t.Chdir(dir)
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"x", file("x"), true},
		{"x", "symbolic", true},
		{"hard", "symbolic", true},
		{"x", "y", false},
		{"new", "./new", true},
		{"new", file("new"), true},
		{"new", "other", false},
		{"none/new", "none/new", false}, // cannot be created
	} {
		if got := Same(test.a, test.b); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

// TestTempDir removes the folder that a killed process left, and no other.
func TestTempDir(t *testing.T) {
	dir := t.TempDir()
	stale, other, file := filepath.Join(dir, ".x-1"), filepath.Join(dir, ".y-1"), filepath.Join(dir, ".x-file")
	err := errors.Join(os.Mkdir(stale, 0o777), os.Mkdir(other, 0o777), os.WriteFile(file, nil, 0o666),
		os.WriteFile(filepath.Join(stale, "0"), []byte("left"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	var list []*TempDir
	for range 2 {
		d, err := NewTempDir(dir, ".x-")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	for _, path := range []string{other, file, list[0].Path, list[1].Path} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(stale); err == nil && runtime.GOOS != "windows" {
		t.Error("the folder of the killed process remains")
	}
	for _, d := range list {
		if err := d.Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(d.Path); err == nil {
			t.Errorf("%s remains", d.Path)
		}
	}
	_, err = NewTempDir(filepath.Join(dir, "none"), ".x-")
	wantError(t, err, filepath.Join(dir, "none"))
}
