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

// wantError fails the test unless err contains all parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one that contains %q", err, part)
		}
	}
}

// noParts fails the test if there is a part file in the folder.
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
			t.Errorf("%q, want %q, error %v", contents(t, name), s, err)
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
	wantError(t, Create(name, text("newer")), name+" already exists")
	if got := contents(t, name); got != "new" {
		t.Errorf("an existing file became %q", got)
	}
	other := filepath.Join(dir, "y")
	err := Create(other, func(w io.Writer) error { return os.WriteFile(other, []byte("another's"), 0o666) })
	wantError(t, err, other+" already exists")
	if got := contents(t, other); got != "another's" {
		t.Errorf("a file created meanwhile became %q", got)
	}
	noParts(t, dir)
	missing := filepath.Join(dir, "none", "x")
	wantError(t, Create(missing, text("")), missing)
}

// TestTwoWriters writes one target twice at the same time: the second writer gets
// an error, and the first one succeeds.
func TestTwoWriters(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the error is worded by Windows")
	}
	dir := t.TempDir()
	for _, write := range []func(string, func(io.Writer) error) error{Replace, Create} {
		name := filepath.Join(dir, "x")
		err := write(name, func(w io.Writer) error {
			wantError(t, write(name, text("second")), name+" is being written by another process")
			return text("first")(w)
		})
		if err != nil || contents(t, name) != "first" {
			t.Error("the first writer:", err)
		}
		noParts(t, dir)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStale replaces the part file of a killed process.
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
	wantError(t, Replace(name, text("other")), name+suffix, "a folder")
	if got := contents(t, name); got != "whole" {
		t.Errorf("the file became %q", got)
	}
}

func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{dir: "a folder", os.DevNull: "a device"} {
		if runtime.GOOS == "windows" && name == os.DevNull {
			continue
		}
		wantError(t, Replace(name, text("")), name, want)
		wantError(t, Create(name, text("")), name)
	}
	noParts(t, filepath.Dir(dir))
}

// symlink creates a symbolic link. Where that is not possible, or has no effect, as
// with Wine up to version 8, the test is skipped.
func symlink(t *testing.T, target, link string) {
	t.Helper()
	err := os.Symlink(target, link)
	if err == nil {
		_, err = os.Lstat(link)
	}
	if err != nil {
		t.SkipNow()
	}
}

func TestSymlink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	symlink(t, "target", link)
	if err := Create(link, text("")); err == nil {
		t.Error("a broken link was replaced")
	}
	if err := Replace(link, text("new")); err == nil {
		t.Error("the target of a broken link was created")
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
