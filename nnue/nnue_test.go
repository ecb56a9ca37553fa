package nnue_test

import (
	"bytes"
	"testing"

	"skein/nets"
	"skein/nnue"
	"skein/position"
)

func TestSeedValues(t *testing.T) {
	net, err := nnue.Read(bytes.NewReader(nets.Default))
	if err != nil {
		t.Fatal(err)
	}
	s := nnue.NewStack(net, 4)
	for _, fen := range []string{position.StartFEN, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 b - - 0 1", "4k3/8/8/8/8/8/N7/4K3 w - - 0 1", "4k3/8/8/8/8/8/B7/4K3 w - - 0 1", "4k3/8/8/8/8/8/R7/4K3 w - - 0 1", "4k3/8/8/8/8/8/Q7/4K3 w - - 0 1", "4k3/8/8/8/8/Q7/QQQQQQQQ/4K3 w - - 0 1"} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(&p)
		t.Log(fen, s.Evaluate(&p))
	}
}
