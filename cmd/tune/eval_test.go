package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"skein/internal/cli"
	"skein/internal/fit"
	"skein/internal/record"
)

// labeled has four positions with labels.
const labeled = `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0
4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -800 | 0.0
4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1 | 10 | 0.5
4k3/8/8/8/8/8/8/4KN2 b - - 0 1 | 0 | 0.5
`

func TestEval(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte(labeled), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := filepath.Join(t.TempDir(), "seed.nnue")
	must(t, "seed", "-o", seed)
	out := must(t, "eval", "-k", "200", seed, seed, "--data", file, "--workers", "1", "--paired")
	for _, want := range []string{"gen0", ", k 200\n", "1-4              4", "fit to 4 positions", "+0 ± 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.txt")
	empty := filepath.Join(t.TempDir(), "empty.bin")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "expected"},
		{[]string{""}, "expected"},
		{[]string{missing, "x.txt"}, missing},
		{[]string{"", missing}, missing},
		{[]string{"", missing, "-k", "0"}, "k 0 is not positive"},
		{[]string{"", missing, "--wdl", "2"}, "share of the result"},
		{[]string{"", missing, "--sample", "-1"}, "sample"},
		{[]string{"", missing, "--score-scale", "0"}, "score scale"},
		{[]string{"", missing, "--nodes", "100,0"}, `"0" is not a positive number of nodes`},
		{[]string{"", missing, "--nodes", "100", "--hash", "0"}, "hash"},
		{[]string{"", missing, "--soft"}, "--soft has no effect without --nodes"},
		{[]string{"", missing, "--seed", "5"}, "--seed has no effect without --sample"},
		{[]string{"", missing, "--sample", "5"}, missing},
		{[]string{"", missing, "--paired"}, "paired"},
		{[]string{"", "missing.nnue", missing}, "missing.nnue"},
		{[]string{"", empty}, empty + ": no positions to compare"},
	} {
		fails(t, test.want, append([]string{"eval"}, test.args...)...)
	}
}

func TestWDLCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	lines := strings.Repeat(labeled, 5) +
		"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 90 | 0.0\n" +
		"4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -300 | 1.0\n"
	if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "wdl", file, "--workers", "2"); !strings.Contains(out, "slope  =") {
		t.Error(out)
	}
	missing := filepath.Join(t.TempDir(), "missing.skr")
	fails(t, "not a file of games", "wdl", "--min-move", "9", file)
	fails(t, "files", "wdl")
	fails(t, missing, "wdl", missing)
}

// TestEvalFlags sets every flag of eval.
func TestEvalFlags(t *testing.T) {
	flags := cli.NewFlags("tune eval")
	j := newEval(flags)
	const args = "--data d -k 1 --wdl 0.2 --clip 3 --score-scale 4 --scaled --paired --nodes 5,6 --soft --hash 7 " +
		"--workers 8 --sample 9 --seed 10 --min-move 11 --max-score 12 --quiet=false"
	if err := flags.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	want := evalJob{files: []string{"d"}, config: fit.Config{
		Filter: record.Filter{MinMove: 11, MaxScore: 12}, K: 1, Clip: 3, ResultShare: 0.2, ScoreScale: 4,
		Scaled: true, Nodes: []uint64{5, 6}, Soft: true, Hash: 7, Sample: 9, Seed: 10, Paired: true, Workers: 8,
	}}
	if !reflect.DeepEqual(*j, want) {
		t.Errorf("%+v, want %+v", *j, want)
	}
}

// TestWDLMinMove leaves out all positions of a game of one move.
func TestWDLMinMove(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.pgn")
	if err := os.WriteFile(name, []byte("1. e4 {+0.30/8} e5 {+0.10/8} 1-0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	fails(t, "no observations", "wdl", "--min-move", "2", name)
}
