package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnpack packs files and unpacks them again.
func TestUnpack(t *testing.T) {
	files := testFiles(t)
	for _, target := range targets[:4] {
		archive, dir := filepath.Join(t.TempDir(), target.archive("1.0.0")), t.TempDir()
		var packed bytes.Buffer
		write := writeTar
		if target.os == "windows" {
			write = writeZip
		}
		if err := write(&packed, "folder", files, stamp); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(archive, packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := unpack(archive, dir); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(dir, "folder", f.name))
			if err != nil || !bytes.Equal(data, f.data) {
				t.Errorf("%s: %q, %v", f.name, data, err)
			}
		}
		if err := unpack(archive, dir); err == nil {
			t.Error("files that existed were replaced")
		}
	}
	if err := unpackFile(t.TempDir(), "../file", 0o644, strings.NewReader("text")); err == nil {
		t.Error("a file was unpacked outside the folder")
	}
}

// TestLinks checks folders whose links are sound, and others.
func TestLinks(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"sound", "[a](docs/page.md#part) [b](https://example.org/no) [c](#here) <img src=\"docs/page.md\">", ""},
		{"missing", "[a](docs/page.md) [b](docs/other.md)", "README.md: the link to docs/other.md"},
		{"missing picture", "<img src=\"docs/other.svg\">", "README.md: the link to docs/other.svg"},
		{"outside", "[a](../README.md)", "leads out of the archive"},
		{"none", "text", "has links"},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "docs"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"README.md": tt.text, "docs/page.md": "text"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		err := checkLinks(dir)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestSignature checks the signature of a program that the Go linker signed, and
// of the same program with one byte changed.
func TestSignature(t *testing.T) {
	if testing.Short() {
		t.Skip("builds for another system")
	}
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ arch, want string }{{"arm64", ""}, {"amd64", "not signed"}} {
		cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", exe, source)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=darwin", "GOARCH="+tt.arch)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		err := checkSignature(exe)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.arch, err, tt.want)
		}
		if tt.want != "" {
			continue
		}
		data, err := os.ReadFile(exe)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(exe, data, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := checkSignature(exe); err == nil || !strings.Contains(err.Error(), "other bytes") {
			t.Errorf("with a byte changed: %v", err)
		}
	}
}
