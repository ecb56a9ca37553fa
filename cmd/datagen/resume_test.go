package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/label"
	"skein/nets"
)

// TestResume interrupts a command after every batch of games until it is done.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "--games", "70")...) // three batches
	inputs := []string{file("games.skr")}
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	config := label.DefaultConfig()
	config.Nodes, config.PerGame = 50, 3
	step := func(out string) error {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return resume(out, "settings", inputs, io.Discard, io.Discard,
			func(skip int, write func(*label.Batch) error) error {
				return label.Games(ctx, net, config, inputs, skip, func(b *label.Batch) error {
					defer cancel()
					return write(b)
				})
			})
	}
	before := namesIn(t, dir)
	for _, extension := range []string{".bin", ".txt", ".bin.gz"} {
		whole, out := file("whole"+extension), file("x"+extension)
		must(t, "label", "-o", whole, "--nodes", "50", "--per-game", "3", inputs[0])
		steps := 1
		for err = step(out); errors.Is(err, context.Canceled) && steps < 10; err = step(out) {
			steps++
			if !strings.Contains(err.Error(), "the same command continues "+out) {
				t.Error(err)
			}
			fails(t, "other settings", "label", "-o", out, inputs[0])
		}
		if err != nil || steps < 3 {
			t.Fatalf("%s: %d steps, %v", extension, steps, err)
		}
		if !bytes.Equal(contents(t, whole), contents(t, out)) {
			t.Errorf("%s differs from a file written at once", extension)
		}
		fails(t, "already exists", "label", "-o", out, inputs[0])
		for _, name := range []string{whole, out} {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if after := namesIn(t, dir); len(after) != len(before) {
			t.Errorf("%s: left %q", extension, after)
		}
	}
}
