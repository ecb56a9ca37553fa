package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// labelled is a small file: piece values from White's view are 256, -1280, 0 and
// 832 units.
const labelled = `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 120 | 1.0
4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -800 | 0.0
4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1 | 10 | 0.5
4k3/8/8/8/8/8/8/4KN2 b - - 0 1 | 0 | 0.5
`

func TestEval(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte(labelled), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := filepath.Join(t.TempDir(), "seed.nnue")
	if err := program.Run(t.Context(), []string{"seed", "-o", seed}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := program.Run(t.Context(), []string{"eval", "-k", "200", seed, "--data", file, "-workers", "1"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gen0", ", k 200\n", "1-4              4", "fit to 4 positions"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestEvalErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.txt")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "expected"},
		{[]string{""}, "expected"},
		{[]string{missing, "x.txt"}, missing},
		{[]string{"", missing}, missing},
		{[]string{"", missing, "-k", "0"}, "k"},
		{[]string{"", missing, "-wdl", "2"}, "share of the result"},
		{[]string{"", missing, "-sample", "-1"}, "sample"},
		{[]string{"", missing, "-score-scale", "0"}, "score scale"},
		{[]string{"", missing, "-nodes", "100,0"}, `"0" is no number of nodes`},
		{[]string{"", missing, "-nodes", "100", "-hash", "0"}, "hash"},
		{[]string{"", missing, "-sample", "5"}, missing},
		{[]string{"", "missing.nnue", missing}, "missing.nnue"},
	} {
		if err := program.Run(t.Context(), append([]string{"eval"}, test.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("eval %q: error %v does not say %s", test.args, err, test.want)
		}
	}
}

func TestWDLCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.txt")
	lines := strings.Repeat(labelled, 5) + "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 90 | 0.0\n4k1r1/8/8/8/8/8/8/4K3 w - - 0 1 | -300 | 1.0\n"
	if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := program.Run(t.Context(), []string{"wdl", file, "-workers", "2"}, &out, io.Discard); err != nil || !strings.Contains(out.String(), "winSlope") {
		t.Error(out.String(), err)
	}
	if err := program.Run(t.Context(), []string{"wdl"}, io.Discard, io.Discard); err == nil {
		t.Error("no file accepted")
	}
	missing := filepath.Join(t.TempDir(), "missing.skr")
	if err := program.Run(t.Context(), []string{"wdl", missing}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), missing) {
		t.Error(err)
	}
}
