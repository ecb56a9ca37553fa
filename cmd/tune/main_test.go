package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/internal/train"
	"skein/nets"
	"skein/nnue"
	"skein/position"
)

// must runs tune and fails the test if that fails. It returns the output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if err := program.Run(t.Context(), args, &stdout, &stderr); err != nil {
		t.Fatalf("tune %q: %v\n%s", args, err, stderr.String())
	}
	return stdout.String()
}

// fails runs tune and fails the test unless that returns an error which contains
// want.
func fails(t *testing.T, want string, args ...string) {
	t.Helper()
	err := program.Run(t.Context(), args, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("tune %q: error %v, want one that contains %q", args, err, want)
	}
}

func TestSeed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seed.nnue")
	var stderr strings.Builder
	if err := program.Run(t.Context(), []string{"seed", "-o", path}, io.Discard, &stderr); err != nil {
		t.Fatal(err)
	}
	want, err := train.Seed()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := want.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, b.Bytes()) {
		t.Errorf("a file of %d bytes differs from the network of %d bytes; %v", len(got), b.Len(), err)
	}
	if _, err := nnue.LoadFile(path); err != nil {
		t.Error(err)
	}
	for _, part := range []string{path, want.Name(), want.Hash(), want.Architecture().String()} {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("report %q does not name %q", stderr.String(), part)
		}
	}
}

func TestSeedErrors(t *testing.T) {
	fails(t, "seed: -o FILE is missing", "seed", "-o", "")
	fails(t, `seed: unexpected argument "x"`, "seed", "x")
}

// TestWiden checks that a widened network evaluates the same.
func TestWiden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.nnue")
	must(t, "widen", "-o", path, "--width", "528")
	wide, err := nnue.LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if got := wide.Architecture().Width; got != 528 {
		t.Errorf("width %d", got)
	}
	a, b := nnue.NewStack(net, 0), nnue.NewStack(wide, 0)
	for _, fen := range []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/8/2k5/8/5q2/8/4K3/6R1 b - - 3 40",
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		a.Reset(&p)
		b.Reset(&p)
		if got, want := b.Evaluate(&p), a.Evaluate(&p); got != want {
			t.Errorf("%s: %d instead of %d", fen, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	unwritable := filepath.Join(t.TempDir(), "no such folder", "seed.nnue")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "no command"},
		{[]string{"sed"}, `unknown command "sed"`},
		{[]string{"seed", "-o"}, "-o"},
		{[]string{"seed", "-x"}, "-x"},
		{[]string{"seed", "-o", unwritable}, unwritable},
		{[]string{"widen"}, "-o FILE"},
		{[]string{"widen", "-o", unwritable}, unwritable},
		{[]string{"widen", "-o", "x", "none.nnue"}, "none.nnue"},
		{[]string{"widen", "-o", "x", "--width", "0"}, "wider than 0"},
		{[]string{"widen", "-o", "x", "--width", "1000"}, "width 1000 is not a multiple of 16"},
	} {
		fails(t, test.want, test.args...)
	}
}

func TestHelp(t *testing.T) {
	for _, line := range []string{
		"help", "help seed", "-h", "--help", "seed -h", "match -h", "eval -h", "wdl -h", "inspect -h", "train -h",
	} {
		var out strings.Builder
		err := program.Run(t.Context(), strings.Fields(line), &out, &out)
		if err != nil || !strings.HasPrefix(strings.ToLower(out.String()), "usage") {
			t.Errorf("tune %s: %q, error %v", line, out.String(), err)
		}
	}
}

func contents(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
