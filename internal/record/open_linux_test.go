package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"skein/internal/record"
)

// TestNotRegular checks that files which are not regular are rejected by name and
// left alone.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, device := filepath.Join(dir, "pipe"), filepath.Join(dir, "null")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	names := []string{pipe, dir}
	if err := syscall.Mknod(device, syscall.S_IFCHR|0o666, 1<<8|3); err == nil {
		names = append(names, device) // only root may create one
	}
	for _, name := range names {
		before, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = record.Open(t.Context(), name, "a test")
		if err == nil || !strings.Contains(err.Error(), name+": not a regular file") {
			t.Errorf("%s: error %v", name, err)
		}
		if after, err := os.Stat(name); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was replaced: %v", name, err)
		}
	}
}
