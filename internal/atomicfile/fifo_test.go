//go:build linux

package atomicfile

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNamedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	err := Replace(name, text(""))
	if err == nil || !strings.Contains(err.Error(), name+" is not a regular file (a named pipe)") {
		t.Error(err)
	}
}
