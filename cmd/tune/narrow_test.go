package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skein/nnue"
	"skein/position"
)

func TestNarrow(t *testing.T) {
	dir := t.TempDir()
	net, data, out := filepath.Join(dir, "net.nnue"), filepath.Join(dir, "x.epd"), filepath.Join(dir, "out.nnue")
	must(t, "seed", "-o", net)
	lines := position.StartFEN + "\nr3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n" +
		"4k3/5ppp/8/2r5/3N4/8/5PPP/4K3 w - -\n"
	if err := os.WriteFile(data, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "narrow", "-o", out, "--width", "32", "--name", "thin", "--data", data, net)
	thin, err := nnue.LoadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	text := thin.Description()
	if thin.Name() != "thin" || thin.Architecture().Width != 32 || !strings.Contains(text, "in 3 positions") {
		t.Errorf("%s %s: %s", thin.Name(), thin.Architecture(), text)
	}
	fails(t, "expected -o OUT, --data FILE and a network", "narrow", "-o", out, net)
	fails(t, "expected -o OUT", "narrow", "--data", data, net)
	fails(t, "and a network", "narrow", "-o", out, "--data", data)
	fails(t, "out.nnue already exists", "narrow", "-o", out, "--width", "32", "--data", "none.bin", net)
	fails(t, "is also an input", "narrow", "-o", data, "--data", data, net)
	out = filepath.Join(dir, "other.nnue")
	fails(t, "only 64 neurons", "narrow", "-o", out, "--width", "128", "--data", "none.bin", net)
	fails(t, "none.nnue", "narrow", "-o", out, "--data", data, "none.nnue")
	fails(t, "none.bin", "narrow", "-o", out, "--width", "32", "--data", "none.bin", net)
}
