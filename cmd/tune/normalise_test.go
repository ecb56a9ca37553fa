package main

import (
	"os"
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
	fails(t, "--data FILE", "normalise", "-o", out, "--like", "", embedded)
	fails(t, "--center VALUE or", "normalise", "-o", out, "--like", "", "--center", "1", "--data", "a.bin", embedded)
	fails(t, "--center VALUE", "normalise", "-o", out, "--center", "0", "--data", "a.bin", embedded)
	fails(t, "--center VALUE", "normalise", "-o", out, "--center", "100", "--data", "a.bin", embedded)
	fails(t, "--center -1 is not positive", "normalise", "-o", out, "--center", "-1", embedded)
	fails(t, "-o OUT", "normalise", "--center", "100", embedded)
	out = filepath.Join(t.TempDir(), "other.nnue")
	fails(t, "scale", "normalise", "-o", out, "--center", "1", embedded)
	fails(t, "none.nnue", "normalise", "-o", out, "--center", "100", "none.nnue")
}

// TestNormaliseLike scales a network whose values are twice those of the embedded
// one back to its unit.
func TestNormaliseLike(t *testing.T) {
	dir := t.TempDir()
	const embedded = "../../nets/default.nnue"
	twice, back := filepath.Join(dir, "twice.nnue"), filepath.Join(dir, "back.nnue")
	must(t, "normalise", "-o", twice, "--center", "128", embedded)

	data := filepath.Join(dir, "x.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(data, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const decided = "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1 | 0 | 1.0\n"
	write("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1 | 0 | 0.5\n" +
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1 | 0 | 0.5\n" + decided)
	must(t, "normalise", "-o", back, "--like", embedded, "--data", data, twice)
	fails(t, "back.nnue already exists", "normalise", "-o", back, "--like", embedded, "--data", "none.bin", twice)
	want, err := nnue.LoadFile(embedded)
	if err != nil {
		t.Fatal(err)
	}
	got, err := nnue.LoadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := want.Architecture().Scale, got.Architecture().Scale; 100*max(a-b, b-a) > 2*a {
		t.Errorf("scale %d, want about %d", b, a)
	}
	if d := got.Description(); !strings.Contains(d, want.Name()+" "+want.Hash()) {
		t.Errorf("the description does not name the other network: %q", d)
	}

	back = filepath.Join(dir, "other.nnue")
	write(decided)
	fails(t, "no positions", "normalise", "-o", back, "--like", embedded, "--data", data, twice)
	fails(t, "none.bin", "normalise", "-o", back, "--like", embedded, "--data", "none.bin", twice)
}
