package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"skein/internal/atomicfile"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// namesIn returns the names of the files in a folder.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestPlayTwice starts play with the output of a running one, by several names: it
// fails and does not change the file.
func TestPlayTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files cannot be locked")
	}
	dir := t.TempDir()
	name, symbolic, hard := filepath.Join(dir, "x.skr"), filepath.Join(dir, "s.skr"), filepath.Join(dir, "h.skr")
	cmd := command(quick(name)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			break
		}
	}
	if err := os.Symlink("x.skr", symbolic); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, hard); err != nil {
		t.Fatal(err)
	}
	for _, same := range []string{name, symbolic, hard} {
		fails(t, "being written by another process", quick(same, "--games", "1")...)
	}
}

// TestPlayFailed fails at the start of a run: no file remains, except the target of a link,
// and one with games is not changed.
func TestPlayFailed(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x.skr")
	unbalanced := filepath.Join(dir, "book.epd")
	put(t, unbalanced, "4k3/8/8/8/8/8/8/QQQQK3 w - -\n")
	failing := quick(name, "--games", "1", "--book", unbalanced)
	fails(t, "only 1 different games", quick(name, "--games", "2", "--book", unbalanced)...)
	fails(t, "balance", failing...)
	if _, err := os.Stat(name); err == nil {
		t.Error("a failed run left its file")
	}
	put(t, name, "")
	symbolic := filepath.Join(dir, "s.skr")
	if os.Symlink("x.skr", symbolic) == nil { // Windows may not permit it
		fails(t, "balance", quick(symbolic, "--games", "1", "--book", unbalanced)...)
		name = symbolic
	}
	must(t, quick(name, "--games", "1")...)
	before := contents(t, name)
	fails(t, "other settings", failing...)
	if !bytes.Equal(before, contents(t, name)) {
		t.Error("a failed run changed the file")
	}
}

// TestPlayRemoved removes or renames the file of a running play. Without a name play fails,
// and leaves another file that has it as it is; under another name it goes on.
func TestPlayRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	for _, change := range []struct {
		moved bool
		other string // what is put at the name afterwards
	}{{false, ""}, {false, "other"}, {true, ""}} {
		dir := t.TempDir()
		name, elsewhere := filepath.Join(dir, "x.skr"), filepath.Join(dir, "y.skr")
		var stderr strings.Builder
		cmd := command(quick(name, "--games", "40")...)
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if info, err := os.Stat(name); err == nil && info.Size() > 0 {
				break
			}
		}
		if err := os.Rename(name, elsewhere); err != nil {
			t.Fatal(err)
		}
		if !change.moved {
			if err := os.Remove(elsewhere); err != nil {
				t.Fatal(err)
			}
		}
		if change.other != "" {
			put(t, name, change.other)
		}
		late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		err := cmd.Wait()
		late.Stop()
		switch {
		case change.moved:
			if n := len(gamesIn(t, elsewhere)); err != nil || n != 40 {
				t.Errorf("%v, %d games in the file that was renamed, %s", err, n, stderr.String())
			}
		case err == nil || !strings.Contains(stderr.String(), name+" was removed"):
			t.Errorf("%v, %s", err, stderr.String())
		}
		if change.other != "" && string(contents(t, name)) != change.other {
			t.Errorf("the other file has %q", contents(t, name))
		}
	}
}

// TestSameOutputs gives split two names of one file.
func TestSameOutputs(t *testing.T) {
	dir := t.TempDir()
	must(t, quick(filepath.Join(dir, "games.skr"), "--games", "2")...)
	t.Chdir(dir)
	fails(t, "same file", "split", "-o", "s.skr", "--rest", "./s.skr", "games.skr")
	fails(t, "same file", "split", "-o", "s.skr", "--rest", filepath.Join(dir, "s.skr"), "games.skr")
	fails(t, "exists", "merge", "-o", "./games.skr", "games.skr")
	if got := namesIn(t, dir); !slices.Equal(got, []string{"games.skr"}) {
		t.Errorf("left %v", got)
	}
}

// TestShuffleOutput checks that shuffle locks its output before it reads anything,
// and removes the temporary folders of killed runs, but not those of running ones.
func TestShuffleOutput(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "--games", "2")...)
	put(t, file("old.bin"), "")
	fails(t, "old.bin already exists", "shuffle", "-o", file("old.bin"), file("damaged.skr"))
	if runtime.GOOS == "windows" {
		return
	}
	running, err := atomicfile.NewTempDir(dir, ".shuffle-")
	if err != nil {
		t.Fatal(err)
	}
	defer running.Remove()
	killed := file(".shuffle-1")
	if err := os.Mkdir(killed, 0o777); err != nil {
		t.Fatal(err)
	}
	must(t, "shuffle", "-o", file("x.bin"), file("games.skr"))
	want := []string{filepath.Base(running.Path), "games.skr", "old.bin", "x.bin"}
	if got := namesIn(t, dir); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

// TestControlCharacters has escape sequences in the settings of files that cannot be
// continued, and are quoted without what controls a terminal.
func TestControlCharacters(t *testing.T) {
	const escape = "\x1b[2J\a\u009b31m"
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "--games", "1")...)
	for _, name := range []string{"other.skr", "rescored.skr.unfinished"} {
		w, _, err := record.Open(t.Context(), file(name), "text"+escape)
		if err != nil {
			t.Fatal(err)
		}
		game := record.Game{Start: position.Start(), Result: rules.Draw}
		if err := errors.Join(w.Write(&game), w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		quick(file("other.skr")),
		{"rescore", "-o", file("rescored.skr"), file("games.skr")},
	} {
		out, err := command(args...).CombinedOutput()
		control := func(r rune) bool { return r != '\n' && unicode.IsControl(r) }
		text := string(out)
		if err == nil || !strings.Contains(text, "\ntext?[2J") || strings.ContainsFunc(text, control) {
			t.Errorf("%q: %v, %q", args, err, text)
		}
	}
}
