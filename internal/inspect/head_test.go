package inspect

import (
	"math/rand/v2"
	"testing"

	"skein/internal/train"
	"skein/nnue"
	"skein/position"
)

// headed returns a network with a head and random weights.
func headed(t *testing.T) *nnue.Network {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 9))
	p := nnue.NewParameters(nnue.Architecture{
		Width: 64, KingBuckets: 1, OutputBuckets: 4, Scale: 400, Layers: [2]int{16, 32},
	})
	p.Name = "headed"
	for i := range p.FeatureWeights {
		p.FeatureWeights[i] = int16(r.IntN(81) - 40)
	}
	for i := range p.FirstWeights {
		p.FirstWeights[i] = int8(r.IntN(81) - 40)
	}
	for i := range p.SecondWeights {
		p.SecondWeights[i] = int16(r.IntN(801) - 400)
	}
	for i := range p.OutputWeights {
		p.OutputWeights[i] = int16(r.IntN(801) - 400)
	}
	for _, part := range [][]int32{p.FirstBias, p.SecondBias, p.OutputBias} {
		for i := range part {
			part[i] = int32(r.IntN(2001) - 1000)
		}
	}
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

var headFENs = []string{
	"1k6/8/8/8/8/8/P7/1K6 w - - 0 1",
	"7k/8/8/8/8/8/P7/R1K5 b - - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	position.StartFEN,
}

// TestHeadActivity compares the outputs of add with the values of the network and
// of a widened one.
func TestHeadActivity(t *testing.T) {
	net := headed(t)
	p := net.Parameters()
	wide, err := train.Widen(p, 192)
	if err != nil {
		t.Fatal(err)
	}
	h := newHeadActivity(p)
	for _, fen := range headFENs {
		pos, err := position.Parse(fen, true)
		if err != nil {
			t.Fatal(err)
		}
		acc := accumulators(nnue.NewStack(net, 0), &pos)
		got := h.add(acc, p.OutputBucket(pos.Occupied().Count())) * p.Scale / (nnue.QH * nnue.QO)
		for _, n := range []*nnue.Network{net, wide} {
			s := nnue.NewStack(n, 0)
			s.Reset(&pos)
			if want := int(s.Evaluate(&pos)); got != want {
				t.Errorf("%s, width %d: %d, want %d", fen, n.Architecture().Width, got, want)
			}
		}
	}
	if h.positions != 4 || h.products == 0 || h.products >= 4*p.Width || h.blocks < h.products/4 || h.blocks > p.Width {
		t.Errorf("%d positions, %d products, %d blocks", h.positions, h.products, h.blocks)
	}
}

func TestInspectHead(t *testing.T) {
	describes(t, headed(t),
		"(768x1hm -> 64)x2 -> (16 -> 32 -> 1)x4", "after the first layer 1/512",
		"first layer weights: 4096, -40 to 40", "first layer bias: 64,",
		"second layer weights: 4096,", "second layer bias: 128,",
		"output weights: 128,", "neurons: 64, of which 0 have no weight in any first layer",
		"nonzero products: ", "of the blocks of 4",
		"first layer: active ", "of 64 neurons ", "second layer: active ", "of 128 neurons ",
	)
}
