package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// limited runs datagen in a process whose files are limited to a number of KiB, or
// half as many, as the unit depends on the shell. That has the effect of a full
// disk. It returns the error output and the exit status.
func limited(t *testing.T, limit, stdout string, args ...string) (string, int) {
	t.Helper()
	script := []string{"-c", "ulimit -f " + limit + `; exec "$0" "$@"`, os.Args[0]}
	cmd := exec.Command("sh", append(script, args...)...)
	cmd.Env = append(os.Environ(), "DATAGEN_TEST_MAIN=1")
	out, err := os.OpenFile(stdout, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = out, &stderr
	cmd.Run() // the exit status is returned
	return stderr.String(), cmd.ProcessState.ExitCode()
}

// TestFullDisk runs every command that writes a file until the disk is full: it
// names the error and leaves no file.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "--games", "80")...)
	must(t, "convert", "-o", file("games.txt"), file("games.skr"))
	before := namesIn(t, dir)
	for _, args := range [][]string{
		{"convert", "-o", file("x.txt"), file("games.skr")},
		{"convert", "-o", file("x.bin.gz"), file("games.skr")},
		{"filter", "-o", file("x.bin"), file("games.txt")},
		{"merge", "-o", file("x.skr"), file("games.skr")},
		{"recover", "-o", file("x.skr"), file("games.skr")},
		{"rescore", "-o", file("x.skr"), file("games.skr")},
		{"label", "-o", file("x.txt"), "--nodes", "50", file("games.skr")},
		{"shuffle", "-o", file("x.bin"), file("games.skr")},
		{"split", "-o", file("x.skr"), "--rest", file("y.skr"), file("games.skr")},
		{"split", "-o", file("x.skr"), "--rest", file("y.skr"), "--share", "0.98", file("games.skr")},
	} {
		stderr, status := limited(t, "16", os.DevNull, args...)
		if status != 1 || !strings.Contains(stderr, "file too large") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
		if after := namesIn(t, dir); !slices.Equal(before, after) {
			t.Fatalf("%q: left %q", args, after)
		}
	}
	for _, args := range [][]string{{"verify", file("games.skr")}, {"stats", file("games.skr")}, {"help"}} {
		stderr, status := limited(t, "16", "/dev/full", args...)
		if status != 1 || !strings.Contains(stderr, "no space left") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
}

// TestFullDiskPlay plays until the disk is full: the file ends with an intact block,
// or does not exist if there is none, and play continues it.
func TestFullDiskPlay(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.skr")
	for _, limit := range []string{"16", "64"} {
		stderr, status := limited(t, limit, os.DevNull, quick(name, "--games", "300")...)
		if status != 1 || !strings.Contains(stderr, name) || !strings.Contains(stderr, "file too large") {
			t.Errorf("limit %s: status %d, %s", limit, status, stderr)
		}
		_, err := os.Stat(name)
		if exists := err == nil; exists != (limit == "64") {
			t.Errorf("limit %s: %v", limit, err)
		}
	}
	if out := must(t, "verify", name); !strings.Contains(out, "good") {
		t.Error(out)
	}
	games := len(gamesIn(t, name))
	must(t, quick(name, "--games", strconv.Itoa(games+1))...)
	if n := len(gamesIn(t, name)); n != games+1 {
		t.Errorf("%d games after %d", n, games)
	}
}

// TestFullDiskLink plays to a symbolic link when there is no room for the header of the
// file: the link remains, and play writes to its target later.
func TestFullDiskLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target.skr"), filepath.Join(dir, "x.skr")
	put(t, target, "")
	if err := os.Symlink("target.skr", link); err != nil {
		t.Skip(err)
	}
	stderr, status := limited(t, "0", os.DevNull, quick(link, "--games", "1")...)
	if status != 1 || !strings.Contains(stderr, "file too large") {
		t.Errorf("status %d, %s", status, stderr)
	}
	must(t, quick(link, "--games", "1")...)
	if n := len(gamesIn(t, target)); n != 1 {
		t.Errorf("%d games in the target", n)
	}
}
