package nnue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"skein/chess"
	"skein/nnue"
	"skein/position"
)

// kingMap has four buckets: the corner, the rest of the home rank, the next
// rank, and all others.
var kingMap = [32]uint8{
	0, 0, 1, 1,
	2, 2, 2, 2,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
	3, 3, 3, 3,
}

// shapes are the architectures the tests run through.
var shapes = []nnue.Architecture{
	{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400},
	{Width: 16, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 64, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 1, Scale: 250},
	{Width: 64, KingBuckets: 1, OutputBuckets: 8, Scale: 400},
	{Width: 128, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 48, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
}

// randomParameters returns weights with which neurons are clipped on both
// sides. With wide they are as large as New takes.
func randomParameters(a nnue.Architecture, wide bool) *nnue.Parameters {
	r := rand.New(rand.NewPCG(uint64(a.Width), uint64(a.KingBuckets*16+a.OutputBuckets)))
	p := nnue.NewParameters(a)
	p.Name, p.Description = "random", "made for a test"
	between := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	for i := range p.FeatureWeights {
		if wide {
			p.FeatureWeights[i] = int16(between(0, 1)*2028 - 1014)
		} else {
			p.FeatureWeights[i] = int16(between(-60, 60))
		}
	}
	for i := range p.FeatureBias {
		p.FeatureBias[i] = int16(between(-100, 300))
	}
	for i := range p.OutputWeights {
		p.OutputWeights[i] = int16(between(-127, 127))
	}
	for i := range p.OutputBias {
		p.OutputBias[i] = int32(between(-10000, 10000))
	}
	return p
}

func newNetwork(t testing.TB, p *nnue.Parameters) *nnue.Network {
	t.Helper()
	net, err := nnue.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func parse(t testing.TB, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// seenFrom returns the file and rank of s as side c sees them, whose king is
// on king.
func seenFrom(c chess.Color, king, s chess.Square) (file, rank int) {
	file, rank = s.File(), s.Rank()
	if king.File() > 3 {
		file = 7 - file
	}
	if c == chess.Black {
		rank = 7 - rank
	}
	return file, rank
}

// feature is the definition of the feature index.
func feature(c chess.Color, king chess.Square, piece chess.Piece, s chess.Square) int {
	file, rank := seenFrom(c, king, s)
	index := int(piece.Type())
	if piece.Color() != c {
		index += 6
	}
	return 64*index + 8*rank + file
}

// reference is the definition of the network's value, once as the engine
// rounds it and once as the real numbers that the weights stand for. It shares
// nothing with the accumulators.
func reference(net *nnue.Parameters, p *position.Position) (value int, real float64) {
	men := 0
	for s := chess.A1; s <= chess.H8; s++ {
		if p.At(s) != chess.NoPiece {
			men++
		}
	}
	bucket := (men - 2) * net.OutputBuckets / 32
	if net.OutputBuckets != 1 && net.OutputBuckets != 8 {
		panic(fmt.Sprintf("the definition for %d output buckets is not written here", net.OutputBuckets))
	}
	var sum int64
	var output float64
	for i, c := range []chess.Color{p.SideToMove(), p.SideToMove().Other()} {
		king := p.PiecesOf(c, chess.King).First()
		file, rank := seenFrom(c, king, king)
		table := int(net.KingMap[4*rank+file]) * nnue.Features
		for n := range net.Width {
			total := int(net.FeatureBias[n])
			for s := chess.A1; s <= chess.H8; s++ {
				if piece := p.At(s); piece != chess.NoPiece {
					total += int(net.FeatureWeights[(table+feature(c, king, piece, s))*net.Width+n])
				}
			}
			neuron := int64(total)
			neuron = max(neuron, 0)
			neuron = min(neuron, nnue.QA)
			weight := net.OutputWeights[(2*bucket+i)*net.Width+n]
			sum += neuron * neuron * int64(weight)
			activation := float64(neuron) / nnue.QA
			output += activation * activation * float64(weight) / nnue.QB
		}
	}
	bias := net.OutputBias[bucket]
	output += float64(bias) / (nnue.QA * nnue.QB)
	cp := (sum/nnue.QA + int64(bias)) * int64(net.Scale) / (nnue.QA * nnue.QB)
	return int(min(max(cp, -nnue.MaxEval), nnue.MaxEval)), output * float64(net.Scale)
}
