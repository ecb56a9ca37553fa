package train

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skein/nnue"
	"skein/position"
)

// TestNarrow removes neurons that do not matter: those without an output weight, and those
// that are the same in all positions, whose part the output biases must take.
func TestNarrow(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	p := nnue.NewParameters(nnue.Architecture{Width: 48, KingBuckets: 1, OutputBuckets: 2, Scale: 400})
	p.Name, p.Description = "wide", "by chance"
	matters := func(neuron int) bool { return neuron%3 == 1 }
	for i := range p.FeatureWeights {
		if i%48%3 != 2 { // every third neuron is constant
			p.FeatureWeights[i] = int16(r.IntN(81) - 40)
		}
	}
	for i := range p.FeatureBias {
		p.FeatureBias[i] = int16(20 + i)
	}
	for i := range p.OutputWeights {
		if i%48%3 != 0 { // and another without effect
			p.OutputWeights[i] = int16(r.IntN(61) - 30)
		}
	}
	wide, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for width, want := range map[int]string{64: "only 48 neurons", 0: "width 0", 20: "width 20 is not a multiple"} {
		if _, err := NewNarrowing(wide, width); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("width %d: %v", width, err)
		}
	}
	n, err := NewNarrowing(wide, 16)
	if err != nil {
		t.Fatal(err)
	}
	var positions []position.Position
	for _, fen := range []string{
		position.StartFEN,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
		"4k3/5ppp/8/2r5/3N4/8/5PPP/4K3 w - - 0 1",
		"8/5k2/8/4p3/8/4K3/4P3/8 b - - 0 1",
	} {
		q, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		positions = append(positions, q)
	}
	if _, err := n.Network(""); err == nil || !strings.Contains(err.Error(), "no positions") {
		t.Error("without positions:", err)
	}
	for i := range positions {
		n.Add(&positions[i])
	}
	narrow, err := n.Network("thin")
	if err != nil {
		t.Fatal(err)
	}
	q := narrow.Parameters()
	text := q.Description
	if q.Name != "thin" || !strings.HasPrefix(text, "by chance\n") || !strings.Contains(text, "from 48 neurons") {
		t.Errorf("%q: %q", q.Name, text)
	}
	var bias []int16
	for i, b := range p.FeatureBias {
		if matters(i) {
			bias = append(bias, b)
		}
	}
	if !slices.Equal(q.FeatureBias, bias) {
		t.Errorf("neurons with biases %d are kept, not %d", q.FeatureBias, bias)
	}
	a, b := nnue.NewStack(wide, 0), nnue.NewStack(narrow, 0)
	for i := range positions {
		a.Reset(&positions[i])
		b.Reset(&positions[i])
		want, got := a.Evaluate(&positions[i]), b.Evaluate(&positions[i])
		if max(got-want, want-got) > 1 { // rounding of the means
			t.Errorf("%s: %d instead of %d", positions[i].FEN(), got, want)
		}
	}
}

func TestNarrowHead(t *testing.T) {
	p := nnue.NewParameters(nnue.Architecture{
		Width: 64, KingBuckets: 1, OutputBuckets: 1, Scale: 400, Layers: [2]int{16, 32},
	})
	p.Name = "headed"
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewNarrowing(net, 64); err == nil || !strings.Contains(err.Error(), "headed: networks with a head") {
		t.Error(err)
	}
}
