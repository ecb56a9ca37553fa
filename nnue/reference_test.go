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
			p.FeatureWeights[i] = int16(between(0, 1)*2026 - 1013)
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
	var rows []int // of dangers
	for i, side := range []chess.Color{c, c.Other()} {
		for bit := range 22 {
			if net.Dangers && danger(p, side, bit) {
				rows = append(rows, 3*net.KingBuckets*nnue.Features+22*i+bit)
			}
		}
	}
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
		for _, row := range rows {
			total += int(net.FeatureWeights[row*net.Width+n])
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

// sight is what a side whose dangers are asked for sees of a position.
type sight struct {
	p      *position.Position
	c      chess.Color // the side
	theirs chess.Color // its opponent
}

// by returns the men of a color that attack s.
func (v sight) by(c chess.Color, s chess.Square) chess.Bitboard {
	return v.p.AttackersTo(s, v.p.Occupied()) & v.p.Of(c)
}

// of returns the men among b of some types.
func (v sight) of(b chess.Bitboard, kinds ...chess.PieceType) (some chess.Bitboard) {
	for _, kind := range kinds {
		some |= b & v.p.Pieces(kind)
	}
	return some
}

// twice reports whether two types of men of a color attack s, or two of its pawns.
func (v sight) twice(c chess.Color, s chess.Square) bool {
	attackers, kinds := v.by(c, s), 0
	for kind := chess.Pawn; kind <= chess.King; kind++ {
		kinds += min(v.of(attackers, kind).Count(), 1)
	}
	return kinds >= 2 || v.of(attackers, chess.Pawn).Count() == 2
}

// overloaded reports whether the opponent attacks s twice, and the side does not guard it twice.
func (v sight) overloaded(s chess.Square) bool { return v.twice(v.theirs, s) && !v.twice(v.c, s) }

// danger is the definition of the bits of nnue.Dangers.
func danger(p *position.Position, c chess.Color, bit int) bool {
	v := sight{p, c, c.Other()}
	king := p.King(c)
	switch bit {
	case 0, 1, 2, 3, 4, 5, 6:
		return v.checkOrFork(bit)
	case 7, 16:
		return v.push(bit)
	case 8, 9, 10:
		return v.queenAttack(bit)
	case 11:
		return v.trapped()
	case 12:
		for b := v.of(p.Of(v.theirs), chess.Knight, chess.Bishop); b != 0; {
			if v.shields(b.Pop()) {
				return true
			}
		}
	case 13, 14, 15:
		for b := p.Of(c) &^ king.Bit(); b != 0; {
			s := b.Pop()
			pawn, pinner := p.At(s).Type() == chess.Pawn, v.of(v.by(v.theirs, s), chess.Queen, chess.King)
			attacked := v.by(v.theirs, s) != pinner || v.overloaded(s)
			switch {
			case bit == 13 && !pawn && v.shields(s) && attacked,
				bit == 14+flag(pawn) && threatState(p, s) == 0 && v.by(c, s) != 0 && v.overloaded(s):
				return true
			}
		}
	case 17:
		flights := 0
		for b := chess.KingAttacks(king) &^ p.Of(c); b != 0; {
			flights += flag(v.by(v.theirs, b.Pop()) == 0)
		}
		return flights < 2 && (danger(p, c, 0) || danger(p, c, 1) || danger(p, c, 2) || danger(p, c, 3))
	case 18, 19, 20:
		for b := p.PiecesOf(v.theirs, chess.Pawn); b != 0; {
			if v.runs(b.Pop(), bit) {
				return true
			}
		}
	case 21:
		return p.CastlingRooks(c) != 0
	}
	return false
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkOrFork defines bits 0 to 6.
func (v sight) checkOrFork(bit int) bool {
	king := v.p.King(v.c)
	kind := [...]chess.PieceType{
		chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.Queen, chess.Rook, chess.Knight,
	}[bit]
	for s := chess.A1; s <= chess.H8; s++ {
		guards, attackers := v.by(v.c, s), v.by(v.theirs, s)
		movers := v.of(attackers, kind)
		safe := guards == 0 || guards == king.Bit() && attackers != movers
		if movers == 0 || !safe || v.p.Of(v.theirs).Has(s) {
			continue
		}
		reached, beside := chess.Attacks(kind, s, v.p.Occupied()), chess.KingAttacks(king).Has(s)
		switch {
		case bit == 6 && v.of(reached&v.p.Of(v.c), chess.Rook, chess.Queen, chess.King).Count() >= 2,
			bit < 4 && reached.Has(king), (bit == 4 || bit == 5) && beside && reached.Has(king):
			return true
		}
	}
	return false
}

// push defines bits 7 and 16.
func (v sight) push(bit int) bool {
	step, start := 8, 1
	if v.theirs == chess.Black {
		step, start = -8, 6
	}
	for b := v.p.PiecesOf(v.theirs, chess.Pawn); b != 0; {
		from := b.Pop()
		for i, to := 0, int(from)+step; i < 2 && to >= 0 && to < 64; i, to = i+1, to+step {
			s := chess.Square(to)
			if v.p.At(s) != chess.NoPiece || i == 1 && from.Rank() != start {
				break
			}
			guards := v.by(v.c, s)
			safe := v.of(guards, chess.Pawn) == 0 && (guards == 0 || v.by(v.theirs, s) != 0)
			targets := chess.PawnAttacks(v.theirs, s) & v.p.Of(v.c) &^ v.p.Pieces(chess.Pawn)
			if bit == 16 {
				for t := v.of(targets, chess.Knight, chess.Bishop); t != 0; {
					if t := t.Pop(); safe && v.of(v.by(v.theirs, t), chess.Pawn) == 0 {
						return true
					}
				}
			} else if safe && targets.Count() == 2 {
				return true
			}
		}
	}
	return false
}

// queenAttack defines bits 8 to 10.
func (v sight) queenAttack(bit int) bool {
	occ, queens := v.p.Occupied(), v.p.PiecesOf(v.c, chess.Queen)
	var unguarded chess.Bitboard
	for b := v.p.Of(v.c) &^ v.p.Pieces(chess.Pawn); b != 0; {
		if s := b.Pop(); v.by(v.c, s) == 0 || s == v.p.King(v.c) {
			unguarded |= s.Bit()
		}
	}
	for s := chess.A1; s <= chess.H8; s++ {
		guards, attackers := v.by(v.c, s), v.by(v.theirs, s)
		if v.p.Of(v.theirs).Has(s) || guards != 0 && (bit == 10 || !v.twice(v.theirs, s)) ||
			v.of(guards, chess.Pawn, chess.Knight, chess.Bishop) != 0 {
			continue
		}
		line, diagonal := chess.RookAttacks(s, occ), chess.BishopAttacks(s, occ)
		switch {
		case bit == 8 && v.of(attackers, chess.Knight) != 0 && chess.KnightAttacks(s)&queens != 0,
			bit == 8 && v.of(attackers, chess.Bishop) != 0 && diagonal&queens != 0,
			bit == 9 && v.of(attackers, chess.Rook) != 0 && v.of(guards, chess.Rook) == 0 && line&queens != 0,
			bit == 10 && v.of(attackers, chess.Queen) != 0 && ((line|diagonal)&unguarded).Count() >= 2:
			return true
		}
	}
	return false
}

// trapped defines bit 11.
func (v sight) trapped() bool {
	for b := v.p.Of(v.c) &^ v.p.Pieces(chess.Pawn); b != 0; {
		from := b.Pop()
		if threatState(v.p, from) == 0 {
			continue
		}
		kind := v.p.At(from).Type()
		lesser := []chess.PieceType{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook}
		switch kind {
		case chess.Knight, chess.Bishop:
			lesser = lesser[:1]
		case chess.Rook:
			lesser = lesser[:3]
		}
		free := false
		for to := chess.Attacks(kind, from, v.p.Occupied()) &^ v.p.Of(v.c); to != 0; {
			s := to.Pop()
			attackers := v.by(v.theirs, s)
			free = free || v.of(attackers, lesser...) == 0 && (attackers == 0 || v.twice(v.c, s))
		}
		if !free {
			return true
		}
	}
	return false
}

// shields reports whether a piece on s alone keeps a slider of the opponent from the king.
func (v sight) shields(s chess.Square) bool {
	king, occ := v.p.King(v.c), v.p.Occupied()
	before, after := v.p.AttackersTo(king, occ), v.p.AttackersTo(king, occ&^s.Bit())
	return after&^before&v.p.Of(v.theirs) != 0
}

// runs defines bits 18 to 20 of a pawn of the opponent.
func (v sight) runs(pawn chess.Square, bit int) bool {
	last, step := 7, 8
	if v.theirs == chess.Black {
		last, step = 0, -8
	}
	steps, free, passed := 0, true, true
	for s := pawn; s.Rank() != last; steps++ {
		s = chess.Square(int(s) + step)
		free = free && v.p.At(s) == chess.NoPiece && (bit != 18 || v.by(v.c, s) == 0)
		for file := max(s.File()-1, 0); file <= min(s.File()+1, 7); file++ {
			passed = passed && v.p.At(chess.MakeSquare(file, s.Rank())) != chess.MakePiece(v.c, chess.Pawn)
		}
	}
	king := v.p.King(v.c)
	distance := max(king.File()-pawn.File(), pawn.File()-king.File(), king.Rank()-last, last-king.Rank())
	switch {
	case bit == 18:
		return free && steps <= 3
	case v.p.Of(v.c) != v.of(v.p.Of(v.c), chess.Pawn, chess.King):
		return false
	}
	return free && passed && distance > min(steps, 5)+bit-19
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
