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

// TestRunErrors asks for what there is not.
func TestRunErrors(t *testing.T) {
	for _, args := range [][]string{{}, {"-syzygy", corpora.Path("syzygy"), "-endings", "KQQQvK"}, {"-nodes"}} {
		var out strings.Builder
		if err := run(args, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
