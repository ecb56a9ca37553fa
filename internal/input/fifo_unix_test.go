//go:build unix

package input_test

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"skein/internal/input"
)

// TestFIFO opens a named pipe that nobody writes.
func TestFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(name, 0o666); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go cancel(errStop)
	if _, err := input.Open(ctx, name); err != errStop {
		t.Error(err)
	}
}
