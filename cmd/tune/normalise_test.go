package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"skein/nets"
	"skein/nnue"
	"skein/position"
)

func TestNormalise(t *testing.T) {
	old, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "new.nnue")
	if err := program.Run(t.Context(), []string{"normalise", "-o", out, "-center", "128", "-name", "double", "../../nets/default.nnue"}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	scaled, err := nnue.LoadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if scaled.Name() != "double" || !strings.HasPrefix(scaled.Description(), old.Description()) || !strings.Contains(scaled.Description(), "128") {
		t.Errorf("%q: %q", scaled.Name(), scaled.Description())
	}
	p, err := position.Parse("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	evaluate := func(n *nnue.Network) int {
		s := nnue.NewStack(n, 0)
		s.Reset(&p)
		return int(s.Evaluate(&p))
	}
	if a, b := evaluate(old), evaluate(scaled); a == 0 || b-2*a > 2 || b-2*a < -2 {
		t.Errorf("a value of %d became %d", a, b)
	}
	for _, args := range [][]string{{"-o", out, "x.nnue"}, {"-center", "100", "../../nets/default.nnue"}, {"-o", out, "-center", "1", "../../nets/default.nnue"}, {"-o", out, "-center", "100", "none.nnue"}} {
		if err := program.Run(t.Context(), append([]string{"normalise"}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("normalise %q: no error", args)
		}
	}
}
