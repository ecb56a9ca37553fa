package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// contents reads a file.
func contents(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// text returns a function that writes s.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// noParts sees that there is no part file in the folder.
func noParts(t *testing.T, dir string) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(dir, "*"+suffix)); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

var errFull = errors.New("the disk is full")

// full writes more than a buffer and fails.
func full(w io.Writer) error {
	_, err := w.Write(make([]byte, 2*bufferSize))
	return errors.Join(err, errFull)
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	for _, s := range []string{"first", "the second", ""} {
		if err := Replace(name, text(s)); err != nil || contents(t, name) != s {
			t.Errorf("%q instead of %q, error %v", contents(t, name), s, err)
		}
	}
	if err := WriteFile(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Replace(name, full); !errors.Is(err, errFull) || contents(t, name) != "old" {
		t.Errorf("a full disk: error %v, left %.20q", err, contents(t, name))
	}
	noParts(t, dir)
	if err := WriteFile(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	noParts(t, dir)
}

func TestCreate(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := Create(name, full); !errors.Is(err, errFull) {
		t.Error("a full disk:", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error("a failure left the file:", err)
	}
	noParts(t, dir)
	if err := Create(name, text("new")); err != nil || contents(t, name) != "new" {
		t.Error(err)
	}
	if err := Create(name, text("newer")); err == nil || !strings.Contains(err.Error(), name+" exists") || contents(t, name) != "new" {
		t.Error("an existing file:", err)
	}
	other := filepath.Join(dir, "y")
	err := Create(other, func(w io.Writer) error { return os.WriteFile(other, []byte("somebody else's"), 0o666) })
	if err == nil || contents(t, other) != "somebody else's" {
		t.Error("a file that appeared meanwhile:", err)
	}
	noParts(t, dir)
	if err := Create(filepath.Join(dir, "none", "x"), text("")); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "none", "x")) {
		t.Error("no folder:", err)
	}
}

// TestTwoRuns has two runs with one target, of which the second is refused and
// harms nothing.
func TestTwoRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows words the refusal itself")
	}
	dir := t.TempDir()
	for _, write := range []func(string, func(io.Writer) error) error{Replace, Create} {
		name := filepath.Join(dir, "x")
		err := write(name, func(w io.Writer) error {
			if err := write(name, text("second")); err == nil || !strings.Contains(err.Error(), name+" is being written by another run") {
				t.Error("the second run:", err)
			}
			return text("first")(w)
		})
		if err != nil || contents(t, name) != "first" {
			t.Error("the first run:", err)
		}
		noParts(t, dir)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStale takes the place of a run that was killed.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	if err := os.WriteFile(name+suffix, []byte("half of a longer file"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Create(name, text("whole")); err != nil || contents(t, name) != "whole" {
		t.Error(err)
	}
	noParts(t, dir)
	if err := os.Mkdir(name+suffix, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Replace(name, text("other")); err == nil || !strings.Contains(err.Error(), name+suffix) || contents(t, name) != "whole" {
		t.Error("a folder in the way:", err)
	}
}

func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{dir: "a folder", os.DevNull: "a device"} {
		if runtime.GOOS == "windows" && name == os.DevNull {
			continue
		}
		if err := Replace(name, text("")); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
		if err := Create(name, text("")); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	noParts(t, filepath.Dir(dir))
}

func TestSymlink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := Create(link, text("")); err == nil {
		t.Error("created a file in place of a link")
	}
	if err := Replace(link, text("new")); err == nil {
		t.Error("replaced the target of a broken link")
	}
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Replace(link, text("new")); err != nil || contents(t, target) != "new" {
		t.Error(contents(t, target), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone:", err)
	}
	noParts(t, dir)
}
