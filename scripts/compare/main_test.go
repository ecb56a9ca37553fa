//go:build unix

package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTasks lets both libraries do every task and compare results.
func TestTasks(t *testing.T) {
	testdata := filepath.Join("..", "..", "testdata")
	tasks, err := newTasks(filepath.Join(testdata, "pgn", "cl-backslash_header.pgn"),
		filepath.Join(testdata, "perft", "random-dev.epd"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := report(&out, tasks, 0); err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(out.String(), "\n"); rows != len(tasks)+2 {
		t.Errorf("%d tasks, %d lines:\n%s", len(tasks), rows, out.String())
	}
}

func TestMeasureErrors(t *testing.T) {
	one := func() (int, error) { return 1, nil }
	two := func() (int, error) { return 2, nil }
	fails := func() (int, error) { return 1, errors.New("refused") }
	for want, task := range map[string]task{
		"no data":                       {ours: one, theirs: one},
		"results differ: 1 of Skein, 2": {units: 1, ours: one, theirs: two},
		"skein: refused":                {units: 1, ours: fails, theirs: one},
		other + ": refused":             {units: 1, ours: one, theirs: fails},
	} {
		if _, _, err := task.measure(0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestPer(t *testing.T) {
	for want, got := range map[string]string{
		"1.5 ns":  per(3, 2),
		"2 µs":    per(2*time.Microsecond, 1),
		"12.3 ms": per(12345*time.Microsecond, 1),
		"60 s":    per(time.Minute, 1),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
