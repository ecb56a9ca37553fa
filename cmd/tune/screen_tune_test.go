//go:build tune

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"skein/search"
)

// screening are flags for a screen of few nodes and two changes.
func screening(out string, more ...string) []string {
	flags := []string{"screen", "-o", out, "--nodes", "200", "--hash", "1", "--block", "2",
		"--change", "razorBase=500,razorSlope=300", "--change", "reverseFutilitySlope=120"}
	return append(flags, more...)
}

// TestScreen kills a screen twice and continues it: the result equals that of an
// uninterrupted one with another number of workers. Both are then extended.
func TestScreen(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
	want := must(t, screening(whole, "--pairs", "12", "--workers", "2")...)
	for range 2 {
		killAfterRows(t, killed+".csv", 3, screening(killed, "--pairs", "12", "--workers", "2"))
	}
	cutOff(t, killed+".csv")
	if got := must(t, screening(killed, "--pairs", "12", "--workers", "1")...); got != want {
		t.Errorf("%s\nbecame\n%s", want, got)
	}
	for _, extension := range []string{".csv", ".json"} {
		if a, b := contents(t, whole+extension), contents(t, killed+extension); !bytes.Equal(a, b) {
			t.Errorf("%s differs:\n%.300s\n%.300s", extension, a, b)
		}
	}
	for _, part := range []string{
		"    Elo    95 %  change\n", "  reverseFutilitySlope=120\n", "  razorBase=500,razorSlope=300\n",
		"games        24\n", "spread       ", "by chance 1 ± 1.96",
	} {
		if !strings.Contains(want, part) {
			t.Errorf("no %q in\n%s", part, want)
		}
	}
	if got := must(t, screening(whole, "--pairs", "14")...); !strings.Contains(got, "games        28\n") {
		t.Error(got)
	}
	if rows := bytes.Count(contents(t, whole+".csv"), []byte("\n")); rows != 15 {
		t.Errorf("the table has %d rows, want 15", rows)
	}
	fails(t, "has 14 pairs, more than 12", screening(whole, "--pairs", "12")...)
	for _, other := range [][]string{
		{"--nodes", "201"}, {"--seed", "2"}, {"--block", "3"}, {"--change", "nullMoveBase=7"}, {"--soft", "100"},
	} {
		fails(t, "other settings", screening(whole, append(other, "--pairs", "20")...)...)
	}
}

// cutOff removes the end of the last line of a file.
func cutOff(t *testing.T, name string) {
	t.Helper()
	text := contents(t, name)
	if err := os.WriteFile(name, text[:len(text)-2], 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestInterruptScreen checks that an interrupted screen prints what was played.
func TestInterruptScreen(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	name := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if text, err := os.ReadFile(name + ".csv"); err == nil && bytes.Count(text, []byte("\n")) > 12 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var stdout, stderr strings.Builder
	err := program.Run(ctx, screening(name, "--pairs", "100000", "--workers", "2"), &stdout, &stderr)
	if !errors.Is(err, context.Canceled) || !strings.Contains(stderr.String(), " of 100000 pairs\n") ||
		!strings.Contains(stdout.String(), "  reverseFutilitySlope=120\n") {
		t.Errorf("%v\n%s%s", err, stdout.String(), stderr.String())
	}
}

func TestScreenErrors(t *testing.T) {
	dir := t.TempDir()
	missing, file := filepath.Join(dir, "missing"), filepath.Join(dir, "changes.txt")
	if err := os.WriteFile(file, []byte("# one\nrazorBase=500\nrazorBase=501\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	change := []string{"--change", "razorBase=500"}
	p := search.Tunables()[0]
	same, above := fmt.Sprintf("%s=%d", p.Name, *p.Value), fmt.Sprintf("%s=%d", p.Name, p.Max+1)
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "-o NAME"},
		{[]string{"-o", missing, "x"}, `"x"`},
		{[]string{"-o", missing}, "--change NAME=VALUE"},
		{[]string{"-o", missing, "--change", "gravity=1"}, `--change "gravity=1": there is no parameter "gravity"`},
		{[]string{"-o", missing, "--change", same}, "without the change"},
		{[]string{"-o", missing, "--change", above}, fmt.Sprintf("to %d, not %d", p.Max, p.Max+1)},
		{[]string{"-o", missing, "--changes", missing}, missing},
		{[]string{"-o", missing, "--changes", file}, file + ": line 3: razorBase is in two changes"},
		{append(change, "-o", missing, "--workers", "0"), "workers"},
		{append(change, "-o", missing, "--pairs", "0"), "must be positive"},
		{append(change, "-o", missing, "--pairs", "1"), "1 pairs in blocks of 3 are too few"},
		{append(change, "-o", missing, "--book", missing), missing},
		{append(change, "-o", missing, "--nodes", "0"), "nodes"},
		{append(change, "-o", missing, "--nodes", "5", "--clock", "1s"), "--nodes has no effect with --clock"},
	} {
		fails(t, test.want, append([]string{"screen"}, test.args...)...)
	}
}

// TestScreenPoints plays the pairs of a screen as a match, too.
func TestScreenPoints(t *testing.T) {
	t.Setenv("TUNE_TEST_MAIN", "1")
	name, side := filepath.Join(t.TempDir(), "run"), "--set-b"
	games := []string{"--nodes", "200", "--hash", "1", "--pairs", "8", "--workers", "1"}
	must(t, append([]string{"screen", "-o", name, "--block", "8", "--change", "reductionBase=1000"}, games...)...)
	var pairs [5]int64
	for _, row := range strings.Fields(string(contents(t, name+".csv")))[1:] {
		fields := strings.Split(row, ",")
		pairs[fields[1][0]-'0']++
		if fields[2] == "1" {
			side = "--set-a"
		}
	}
	if pairs[0] == pairs[4] && pairs[1] == pairs[3] {
		t.Errorf("%v tells nothing", pairs)
	}
	out := must(t, append([]string{"match", side, "reductionBase=1000"}, games...)...)
	if !strings.Contains(out, fmt.Sprint(pairs)) {
		t.Errorf("screen %v\n%s", pairs, out)
	}
}
