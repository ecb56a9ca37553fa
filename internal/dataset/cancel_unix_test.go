//go:build unix

package dataset_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"skein/internal/dataset"
	"skein/internal/record"
)

// TestCancel cancels the reading of named pipes of every kind: one without a
// writer, one with a writer that is silent, and one that ends in the middle of an
// item.
func TestCancel(t *testing.T) {
	silent := func(*os.File) error { return nil }
	partial := func(text string) func(*os.File) error {
		return func(f *os.File) error { _, err := f.WriteString(text); return err }
	}
	for _, test := range []struct {
		name  string
		write func(*os.File) error // nil without a writer
	}{
		{"x.pgn", nil},
		{"x.skr", silent},
		{"x.bin", silent},
		{"x.txt", silent},
		{"x.epd", silent},
		{"x.pgn", silent},
		{"x.pgn.gz", silent},
		{"x.pgn.zst", silent},
		{"x.pgn", partial("1. e4 {a")},
		{"x.epd", partial("\n\n\n4k3/8/8/8")},
	} {
		name := filepath.Join(t.TempDir(), test.name)
		if err := unix.Mkfifo(name, 0o666); err != nil {
			t.Skip(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if test.write == nil {
			go cancel()
		} else {
			go func() {
				f, err := os.OpenFile(name, os.O_WRONLY, 0) // waits for the reader
				if err == nil {
					err = test.write(f)
				}
				if err != nil {
					t.Error(err)
				}
				cancel()
				<-t.Context().Done()
				f.Close()
			}()
		}
		err := dataset.Entries(ctx, []string{name}, record.Filter{}, 2, func(*dataset.Entry) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestErrorEndsReading has a visitor's error end the reading of a pipe whose writer
// is silent after some batches.
func TestErrorEndsReading(t *testing.T) {
	stop := errors.New("stop")
	name := filepath.Join(t.TempDir(), "x.txt")
	if err := unix.Mkfifo(name, 0o666); err != nil {
		t.Skip(err)
	}
	go func() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		for range 2048 { // more than a batch; the reader may close the pipe before the last
			f.WriteString("7k/8/8/8/8/8/4P3/K7 w - - 0 1 | 5 | 0.5\n")
		}
		<-t.Context().Done()
		f.Close()
	}()
	err := dataset.Entries(t.Context(), []string{name}, record.Filter{}, 2, func(*dataset.Entry) error { return stop })
	if err != stop {
		t.Error(err)
	}
}
