package main

import (
	"strings"
	"testing"

	"skein/internal/corpora"
)

// TestPlay plays some endings out, more of them with the whole corpora.
func TestPlay(t *testing.T) {
	args := []string{"-syzygy", corpora.Path("syzygy"), "-nodes", "500",
		"-endings", "KPvK,KRvK,KQvK,KRvKB,KQvKQ,KRvKR", "-won", "12", "-drawn", "12"}
	if testing.Short() {
		args = append(args, "-won", "6", "-drawn", "6")
	}
	var out strings.Builder
	if err := run(args, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}

// TestLimited wins with a queen and with a rook at every rating from 800 on.
func TestLimited(t *testing.T) {
	args := []string{"-syzygy", corpora.Path("syzygy"), "-endings", "KQvK,KRvK", "-won", "6",
		"-elo", "800,1000,1200,1400,1600,1800,2000,2200,2500,2800"}
	if testing.Short() {
		args = append(args, "-won", "3", "-elo", "800,1600,2500")
	}
	var out strings.Builder
	if err := run(args, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, " 6 of 6 won") && !strings.Contains(line, " 3 of 3 won") {
			t.Error(line)
		}
	}
	if !strings.Contains(out.String(), "KRvK at 2500") {
		t.Errorf("no rook ending:\n%s", out.String())
	}
}

// TestRunErrors asks for what there is not.
func TestRunErrors(t *testing.T) {
	for _, args := range [][]string{{}, {"-syzygy", corpora.Path("syzygy"), "-endings", "KQQQvK"}, {"-nodes"},
		{"-syzygy", corpora.Path("syzygy"), "-endings", "KQvK", "-elo", "800,x"},
		{"-syzygy", corpora.Path("syzygy"), "-endings", "KQvK", "-won", "0", "-drawn", "0", "KRvK"}} {
		var out strings.Builder
		if err := run(args, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
