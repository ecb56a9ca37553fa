package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skein/internal/dataset"
	"skein/internal/label"
	"skein/internal/record"
	"skein/nets"
	"skein/search"
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
		return resume(out, "settings", unscored, inputs, 0, 0, io.Discard, io.Discard,
			func(skip int, write func(*label.Batch) error) error {
				return label.Games(ctx, net, config, inputs, skip, func(b *label.Batch) error {
					defer cancel()
					return write(b)
				})
			})
	}
	if games, _, err := dataset.Count(t.Context(), inputs); games != 70 || err != nil {
		t.Errorf("%d games, %v", games, err)
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
		must(t, "label", "-o", whole, "--nodes", "50", "--per-game", "3", inputs[0])
		for _, name := range []string{whole, out, whole + ".complete.json", out + ".complete.json"} {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if after := namesIn(t, dir); len(after) != len(before) {
			t.Errorf("%s: left %q", extension, after)
		}
	}
}

// TestResumeGames interrupts the rescoring of games twice.
func TestResumeGames(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	inputs := []string{file("games.skr")}
	must(t, quick(inputs[0], "--games", "70")...)
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	r, err := label.NewRescorer(net, search.Limits{}, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stopped := errors.New("stopped")
	step := func(out string, most int) error {
		return dataset.ResumeGames(t.Context(), out, "settings", func(w *record.Writer) error {
			write := func(g *record.Game) error {
				if most--; most < 0 {
					return stopped
				}
				return w.Write(g)
			}
			_, err := r.Games(t.Context(), inputs, w.Games(), write, func(int64, int64, uint64) {})
			return err
		})
	}
	must(t, "rescore", "-o", file("whole.skr"), inputs[0])
	want := gamesIn(t, file("whole.skr"))
	before := namesIn(t, dir)
	for _, out := range []string{file("x.skr"), file("x.skr.zst")} {
		if err := step(out, 0); !errors.Is(err, stopped) || !slices.Equal(namesIn(t, dir), before) {
			t.Errorf("without a game: %v, %q", err, namesIn(t, dir))
		}
		for range 2 {
			if err := step(out, 25); !errors.Is(err, stopped) || !strings.Contains(err.Error(), "keeps what was done") {
				t.Error(err)
			}
			fails(t, "other settings", "rescore", "-o", out, inputs[0])
		}
		if err := step(out, 20); err != nil {
			t.Fatal(err)
		}
		if got := gamesIn(t, out); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d games, or with other scores than the %d written at once", out, len(got), len(want))
		}
		fails(t, "already exists", "rescore", "-o", out, inputs[0])
		must(t, "rescore", "-o", file("whole.skr"), inputs[0])
		if err := os.Remove(out); err != nil {
			t.Fatal(err)
		}
	}
	if after := namesIn(t, dir); !slices.Equal(after, before) {
		t.Errorf("left %q", after)
	}
}
