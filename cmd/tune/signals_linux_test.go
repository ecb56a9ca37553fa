package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestInterruptLoading cancels commands that wait for a file.
func TestInterruptLoading(t *testing.T) {
	dir, data := t.TempDir(), records(t, "data.bin", 100)
	t.Chdir(dir)
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"eval pipe " + data,
		"match -a pipe",
		"match -b pipe",
		"match --book pipe",
		"inspect pipe",
		"normalise -o x.nnue --center 256 pipe",
		"widen -o x.nnue pipe",
		"narrow -o x.nnue --data " + data + " pipe",
		"train -o x.nnue --config pipe " + data,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if err := program.Run(ctx, strings.Fields(line), io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if left, err := filepath.Glob("x.*"); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}
