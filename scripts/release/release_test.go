package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var stamp = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

func testFiles(t *testing.T) []file {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Join("docs", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	program, readme, page := filepath.Join("docs", "engine"), "README.md", filepath.Join("docs", "deep", "page.md")
	for _, name := range []string{program, readme, page} {
		if err := os.WriteFile(name, []byte("the text of "+filepath.Base(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := readFiles(program, readme, page)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// packTwice packs the same files in two folders, which must make equal archives.
func packTwice(
	t *testing.T, write func(w io.Writer, folder string, files []file, stamp time.Time) error,
) (files []file, archive []byte) {
	t.Helper()
	var first, second bytes.Buffer
	for _, w := range []io.Writer{&first, &second} {
		files = testFiles(t)
		if err := write(w, "folder", files, stamp); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("made again, the archive differs")
	}
	return files, first.Bytes()
}

func TestTar(t *testing.T) {
	files, archive := packTwice(t, writeTar)
	zr, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	tr := tar.NewReader(zr)
	for _, f := range files {
		header, err := tr.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(tr)
		if err != nil || header.Name != "folder/"+f.name || header.Mode != f.mode || !header.ModTime.Equal(stamp) ||
			!bytes.Equal(data, f.data) {
			t.Errorf("%+v with %q, %v, want %+v", header, data, err, f)
		}
	}
	if _, err := tr.Next(); err != io.EOF {
		t.Errorf("after the last file: %v", err)
	}
}

func TestZip(t *testing.T) {
	files, archive := packTwice(t, writeZip)
	zr, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil || len(zr.File) != len(files) {
		t.Fatalf("%v", err)
	}
	for i, f := range files {
		r, err := zr.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || zr.File[i].Name != "folder/"+f.name || zr.File[i].Mode() != os.FileMode(f.mode) ||
			!zr.File[i].Modified.Equal(stamp) || !bytes.Equal(data, f.data) {
			t.Errorf("%s %v with %q, %v, want %+v", zr.File[i].Name, zr.File[i].Mode(), data, err, f)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, target := range targets {
		seen[target.archive("1.0")] = true
	}
	if len(seen) != len(targets) || !seen["skein-1.0-macos-arm64.tar.gz"] || !seen["skein-1.0-windows-amd64-v3.zip"] {
		t.Errorf("names %v", seen)
	}
}

// TestSums lists the archive of one platform beside those of others, of this version and
// of another.
func TestSums(t *testing.T) {
	name := func(i int, version string) string { return targets[i].archive(version) }
	old := "11  " + name(0, "2.0.0") + "\n22  " + name(1, "2.0.0") + "\n33  " + name(2, "1.0.0") + "\n"
	sum := sha256.Sum256(nil)
	want := fmt.Sprintf("11  %s\n%x  %s\n", name(0, "2.0.0"), sum, name(1, "2.0.0"))
	got := listSums(old, "2.0.0", map[string][sha256.Size]byte{name(1, "2.0.0"): sum})
	if got != want {
		t.Errorf("sums\n%swant\n%s", got, want)
	}
}
