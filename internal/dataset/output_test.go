package dataset_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// TestCreateGames writes files of games as streams, which must be those that
// record.Create writes.
func TestCreateGames(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	game := &record.Game{Start: position.Start(), Result: rules.Draw}
	write := func(w *record.Writer) error {
		for range 3 {
			if err := w.Write(game); err != nil {
				return err
			}
		}
		return nil
	}
	w, _, err := record.Open(t.Context(), file("want.skr"), "three games")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(write(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file("want.skr"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.skr", "x.skr.gz", "x.skr.zst"} {
		if err := dataset.CreateGames(file(name), "three games", write); err != nil {
			t.Error(name, err)
			continue
		}
		r, err := dataset.Open(t.Context(), file(name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes instead of %d, %v", name, len(got), len(want), err)
		}
		if err := dataset.CreateGames(file(name), "", write); err == nil || !strings.Contains(err.Error(), "exists") {
			t.Errorf("%s over a file: %v", name, err)
		}
	}
	failure := errors.New("enough")
	for _, name := range []string{"y.skr", "y.skr.zst"} {
		failing := func(w *record.Writer) error { return errors.Join(write(w), failure) }
		err := dataset.CreateGames(file(name), "", failing)
		if !errors.Is(err, failure) {
			t.Error(name, err)
		}
	}
	if left, err := filepath.Glob(file("y*")); err != nil || len(left) > 0 {
		t.Errorf("failures left %v, %v", left, err)
	}
}

// TestCreateFull has a disk that fills up: the failure is that of the disk.
func TestCreateFull(t *testing.T) {
	full := errors.New("no space left")
	w, err := record.NewWriter(&limited{left: 100, err: full}, "x.skr", "")
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if err := w.Write(&record.Game{Start: position.Start(), Result: rules.Draw}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); !errors.Is(err, full) {
		t.Error(err)
	}
}

// limited takes as many bytes and fails then.
type limited struct {
	left int
	err  error
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if n < len(b) {
		return n, l.err
	}
	return n, nil
}
