package nnue_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"skein/chess"
	"skein/nnue"
	"skein/position"
)

// kingMap has four buckets: the corner, the rest of the first rank, the second
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

// shapes are the tested architectures.
var shapes = []nnue.Architecture{
	{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400},
	{Width: 16, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 64, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 1, Scale: 250},
	{Width: 64, KingBuckets: 1, OutputBuckets: 8, Scale: 400},
	{Width: 128, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 48, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 400},
	{Width: 64, KingBuckets: 1, OutputBuckets: 1, Scale: 400, Layers: layers},
	{Width: 192, KingBuckets: 4, KingMap: kingMap, OutputBuckets: 8, Scale: 250, Layers: layers},
	{Width: 64, KingBuckets: 1, Threats: true, OutputBuckets: 8, Scale: 400},
	{Width: 128, KingBuckets: 4, KingMap: kingMap, Threats: true, OutputBuckets: 8, Scale: 300, Layers: layers},
	{Width: 64, KingBuckets: 1, Threats: true, Dangers: true, OutputBuckets: 8, Scale: 400},
	{Width: 64, KingBuckets: 4, KingMap: kingMap, Threats: true, Dangers: true, OutputBuckets: 1, Scale: 400,
		Layers: layers},
}

// layers are the layers of a head.
var layers = [2]int{16, 32}

// randomParameters returns random weights with which some neurons are clipped
// at 0 and some at QA. If wide is true, they are as large as New accepts.
func randomParameters(a nnue.Architecture, wide bool) *nnue.Parameters {
	r := rand.New(rand.NewPCG(uint64(a.Width), uint64(a.KingBuckets*16+a.OutputBuckets)))
	p := nnue.NewParameters(a)
	p.Name, p.Description = "random", "made for a test"
	between := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	for i := range p.FeatureWeights {
		if wide && i >= a.Tables()*nnue.Features*a.Width { // of dangers
			p.FeatureWeights[i] = int16(between(0, 1)*2 - 1)
		} else if wide {
			p.FeatureWeights[i] = int16(between(0, 1)*2028 - 1014)
		} else {
			p.FeatureWeights[i] = int16(between(-60, 60))
		}
	}
	for i := range p.FeatureBias {
		p.FeatureBias[i] = int16(between(-100, 300))
	}
	for i := range p.FirstWeights {
		p.FirstWeights[i] = int8(between(-127, 127))
	}
	for i := range p.FirstBias {
		p.FirstBias[i] = int32(between(-8000, 8000))
	}
	for i := range p.SecondWeights {
		if wide {
			p.SecondWeights[i] = int16(between(0, 1)*4094 - 2047)
		} else {
			p.SecondWeights[i] = int16(between(-300, 300))
		}
	}
	for i := range p.SecondBias {
		p.SecondBias[i] = int32(between(-2000000, 2000000))
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

// seenFrom returns the file and rank of s from the perspective of side c, whose
// king is on king.
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

// reference is a reference implementation of the network's value, once in
// integers as in the engine and once in real numbers. It shares no code with
// the accumulators.
func reference(net *nnue.Parameters, p *position.Position) (value chess.Score, real float64) {
	men := 0
	for s := chess.A1; s <= chess.H8; s++ {
		if p.At(s) != chess.NoPiece {
			men++
		}
	}
	bucket := (men - 2) * net.OutputBuckets / 32
	if net.OutputBuckets != 1 && net.OutputBuckets != 8 {
		panic(fmt.Sprintf("no reference for %d output buckets", net.OutputBuckets))
	}
	var sides [2][]int64
	for i, c := range []chess.Color{p.SideToMove(), p.SideToMove().Other()} {
		sides[i] = neurons(net, p, c)
	}
	var sum int64
	if net.HasHead() {
		sum, real = referenceHead(net, bucket, sides)
	} else {
		sum, real = referenceOutput(net, bucket, sides)
	}
	return min(max(chess.Score(sum), -chess.MaxEval), chess.MaxEval), real
}

// neurons returns the clipped accumulator of color c.
func neurons(net *nnue.Parameters, p *position.Position, c chess.Color) (clipped []int64) {
	king := p.PiecesOf(c, chess.King).First()
	file, rank := seenFrom(c, king, king)
	table := int(net.KingMap[4*rank+file])
	for n := range net.Width {
		total := int(net.FeatureBias[n])
		for s := chess.A1; s <= chess.H8; s++ {
			if piece := p.At(s); piece != chess.NoPiece {
				of := table
				if net.Threats {
					of = 3*table + threatState(p, s)
				}
				total += int(net.FeatureWeights[(nnue.Features*of+feature(c, king, piece, s))*net.Width+n])
			}
		}
		if net.Dangers {
			rows := net.FeatureWeights[3*net.KingBuckets*nnue.Features*net.Width:]
			for i, side := range []chess.Color{c, c.Other()} {
				for bit := range 8 {
					if danger(p, side, bit) {
						total += int(rows[(8*i+bit)*net.Width+n])
					}
				}
			}
		}
		clipped = append(clipped, int64(min(max(total, 0), nnue.QA)))
	}
	return clipped
}

// threatState is 2 for a piece that a lesser one attacks, 1 for another that is
// attacked but not defended, and otherwise 0.
func threatState(p *position.Position, s chess.Square) int {
	worth := [...]int{chess.Pawn: 1, chess.Knight: 3, chess.Bishop: 3, chess.Rook: 5, chess.Queen: 9, chess.King: 99}
	piece := p.At(s)
	attackers := p.AttackersTo(s, p.Occupied())
	attacked, defended := attackers&^p.Of(piece.Color()), attackers&p.Of(piece.Color())
	if piece.Type() == chess.King {
		return 0
	}
	for b := attacked; b != 0; {
		if worth[p.At(b.Pop()).Type()] < worth[piece.Type()] {
			return 2
		}
	}
	if attacked != 0 && defended == 0 {
		return 1
	}
	return 0
}

// danger is the definition of the bits of nnue.Dangers.
func danger(p *position.Position, c chess.Color, bit int) bool {
	occ, king, theirs := p.Occupied(), p.King(c), c.Other()
	kind := [8]chess.PieceType{
		chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.Queen, chess.Rook, chess.Knight, chess.Pawn,
	}[bit]
	if kind == chess.Pawn {
		for b := p.PiecesOf(theirs, chess.Pawn); b != 0; {
			if forksByPushing(p, theirs, b.Pop()) {
				return true
			}
		}
		return false
	}
	for s := chess.A1; s <= chess.H8; s++ {
		attackers := p.AttackersTo(s, occ)
		guards, movers := attackers&p.Of(c), attackers&p.PiecesOf(theirs, kind)
		supported := attackers&p.Of(theirs)&^movers != 0
		safe := guards == 0 || guards == king.Bit() && supported
		if movers == 0 || !safe || p.Of(theirs).Has(s) {
			continue
		}
		reached, beside := chess.Attacks(kind, s, occ), chess.KingAttacks(king).Has(s)
		switch {
		case bit == 6 && (reached&(p.PiecesOf(c, chess.Rook)|p.PiecesOf(c, chess.Queen)|king.Bit())).Count() >= 2,
			bit < 4 && reached.Has(king), (bit == 4 || bit == 5) && beside && reached.Has(king):
			return true
		}
	}
	return false
}

// forksByPushing reports whether the pawn of color c on from can advance to where it attacks two pieces and is safe.
func forksByPushing(p *position.Position, c chess.Color, from chess.Square) bool {
	step, start := 8, 1
	if c == chess.Black {
		step, start = -8, 6
	}
	for i, to := 0, int(from)+step; i < 2 && to >= 0 && to < 64; i, to = i+1, to+step {
		s := chess.Square(to)
		if p.At(s) != chess.NoPiece || i == 1 && from.Rank() != start {
			break
		}
		attackers, other := p.AttackersTo(s, p.Occupied()), c.Other()
		guards := attackers & p.Of(other)
		safe := guards&p.PiecesOf(other, chess.Pawn) == 0 && (guards == 0 || attackers&p.Of(c) != 0)
		targets := chess.PawnAttacks(c, s) & p.Of(other) &^ p.PiecesOf(other, chess.Pawn)
		if safe && targets.Count() == 2 {
			return true
		}
	}
	return false
}

// referenceOutput is the reference of the output without a head, in units of
// chess.Score.
func referenceOutput(net *nnue.Parameters, bucket int, sides [2][]int64) (value int64, real float64) {
	var sum int64
	var output float64
	for i, side := range sides {
		for n, neuron := range side {
			weight := net.OutputWeights[(2*bucket+i)*net.Width+n]
			sum += neuron * neuron * int64(weight)
			activation := float64(neuron) / nnue.QA
			output += activation * activation * float64(weight) / nnue.QB
		}
	}
	bias := net.OutputBias[bucket]
	output += float64(bias) / (nnue.QA * nnue.QB)
	value = (sum/nnue.QA + int64(bias)) * int64(net.Scale) / (nnue.QA * nnue.QB)
	return value, output * float64(net.Scale)
}

// referenceHead is the reference of the output with a head, in units of chess.Score.
// In real numbers activations are at most 1; the integers are in units of
// 1/8128, products in units of 512/65025, and squares are 8128/8192 of the
// exact ones. The real numbers are computed from rounded products, as in
// training.
func referenceHead(net *nnue.Parameters, bucket int, sides [2][]int64) (value int64, real float64) {
	var products []int64
	var realProducts []float64
	for _, side := range sides {
		for i, neuron := range side[:net.Width/2] {
			product := neuron * side[net.Width/2+i]
			products = append(products, product/512)
			realProducts = append(realProducts, float64(product/512)*512/65025)
		}
	}
	var activations [32]int64
	var realActivations [32]float64
	for j := range 16 {
		at := 16*bucket + j
		sum, realSum := int64(net.FirstBias[at]), float64(net.FirstBias[at])*8/65025
		for i, product := range products {
			weight := net.FirstWeights[at*net.Width+i]
			sum += product * int64(weight)
			realSum += realProducts[i] * float64(weight) / 64
		}
		sum, realSum = min(max(sum, -8128), 8128), min(max(realSum, -1), 1)
		activations[j], realActivations[j] = max(sum, 0), max(realSum, 0)
		activations[16+j], realActivations[16+j] = sum*sum/8192, realSum*realSum*8128/8192
	}
	output, realOutput := int64(net.OutputBias[bucket]), float64(net.OutputBias[bucket])/(8128*512)
	for k := range 32 {
		at := 32*bucket + k
		sum, realSum := int64(net.SecondBias[at]), float64(net.SecondBias[at])/(8128*512)
		for j := range 32 {
			weight := net.SecondWeights[32*at+j]
			sum += activations[j] * int64(weight)
			realSum += realActivations[j] * float64(weight) / 512
		}
		weight := net.OutputWeights[at]
		output += min(max(sum, 0), 8128*512) / 512 * int64(weight)
		realOutput += min(max(realSum, 0), 1) * float64(weight) / 512
	}
	return output * int64(net.Scale) / (8128 * 512), realOutput * float64(net.Scale)
}
