package main

import (
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
	const embedded = "../../nets/default.nnue"
	out := filepath.Join(t.TempDir(), "new.nnue")
	must(t, "normalise", "-o", out, "--center", "128", "--name", "double", embedded)
	scaled, err := nnue.LoadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	text, more := strings.CutPrefix(scaled.Description(), old.Description())
	if scaled.Name() != "double" || !more || !strings.Contains(text, "128") {
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
	fails(t, "--center VALUE", "normalise", "-o", out, embedded)
	fails(t, "-o OUT", "normalise", "--center", "100", embedded)
	fails(t, "scale", "normalise", "-o", out, "--center", "1", embedded)
	fails(t, "none.nnue", "normalise", "-o", out, "--center", "100", "none.nnue")
}
