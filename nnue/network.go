// Package nnue is the engine's opinion of a position: the network file format,
// its input features, incrementally updated accumulators, and the output.
//
// A network has one hidden layer seen from both sides. Each side's accumulator
// is the bias plus a row of weights for every piece on the board; both, that of
// the side to move first, pass a squared clipped rectified linear unit into the
// output of the bucket that fits the number of men. With a head, two small
// layers stand between: the clipped halves of each accumulator are multiplied
// with one another, and the products go through the layers of the bucket.
//
// Source: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
// Functions for Computer Shogi", 2018.
package nnue

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"skein/chess"
	"skein/internal/simd"
)

const (
	// Features is the number of inputs of one king bucket: six types of two
	// colours on 64 squares.
	Features = 2 * 6 * 64

	// QA and QB scale the quantised weights: accumulators hold units of 1/QA
	// and are clipped to 0..QA, output weights are units of 1/QB.
	QA = simd.Clip
	QB = 64

	// MaxOutputWeight bounds the absolute value of output weights, so that
	// kernels may multiply by them in 16 bits.
	MaxOutputWeight = 127

	// Pawn is the value of a pawn, by definition that of a position that the side to move wins in half of
	// all games of the engine with itself. Scores are shown in hundredths of it.
	Pawn = 256

	// QH and QO scale a head: its activations are units of 1/QH, the weights of
	// its second layer and of its output units of 1/QO. The sums of its first
	// layer have the unit 512/(QA*QA*QB), which is 1/8128.125.
	QH = simd.HeadOne
	QO = 1 << simd.HeadShift

	// MaxFirstWeight, MaxSecondWeight and MaxHeadWeight bound the absolute values
	// of the weights of a head: of both layers and of the output. MaxHeadBias
	// bounds the biases of both layers. So no sum of the layers leaves 32 bits:
	// the first is at most 4096*127*127, the second 32*8128*2047, and the bias.
	MaxFirstWeight  = 127
	MaxSecondWeight = 1<<11 - 1
	MaxHeadWeight   = 1<<14 - 1
	MaxHeadBias     = 1 << 30

	// MaxEval bounds the value of Evaluate, in units of 1/Pawn, well inside the
	// scores of mates.
	MaxEval = 28000

	widthStep        = 16
	headWidthStep    = 64
	maxWidth         = 4096
	maxKingBuckets   = 32
	maxOutputBuckets = 8
	maxName          = 1<<16 - 1
	maxDescription   = 1 << 20
)

// Architecture is the shape of a network.
type Architecture struct {
	Width int // neurons of each accumulator: a multiple of 16 up to 4096

	// KingBuckets is the number of feature tables, chosen by the square of the
	// own king as KingMap tells: indexed by rank*4+file as that side sees it,
	// files e-h mirrored onto d-a.
	KingBuckets int
	KingMap     [32]uint8

	OutputBuckets int // 1-8, chosen by the number of men
	Scale         int // units of values, 1/Pawn, of an output of 1

	// Layers is the numbers of neurons of the layers between accumulators and
	// output, the head: {16, 32}, which takes a width that is a multiple of 64,
	// or {0, 0} for none.
	Layers [2]int
}

// HasHead reports whether there are layers between accumulators and output.
func (a *Architecture) HasHead() bool { return a.Layers != [2]int{} }

// Validate says what is wrong with the shape, if anything.
func (a *Architecture) Validate() error {
	switch {
	case a.Width < widthStep || a.Width > maxWidth || a.Width%widthStep != 0:
		return fmt.Errorf("width %d is not a multiple of %d up to %d", a.Width, widthStep, maxWidth)
	case a.KingBuckets < 1 || a.KingBuckets > maxKingBuckets:
		return fmt.Errorf("%d king buckets are not 1 to %d", a.KingBuckets, maxKingBuckets)
	case a.OutputBuckets < 1 || a.OutputBuckets > maxOutputBuckets:
		return fmt.Errorf("%d output buckets are not 1 to %d", a.OutputBuckets, maxOutputBuckets)
	case a.Scale < 1 || a.Scale > 4000:
		return fmt.Errorf("scale %d is not 1 to 4000", a.Scale)
	case a.HasHead() && a.Layers != [2]int{simd.FirstNeurons, simd.SecondNeurons}:
		return fmt.Errorf("layers of %d and %d neurons are not %d and %d or none",
			a.Layers[0], a.Layers[1], simd.FirstNeurons, simd.SecondNeurons)
	case a.HasHead() && a.Width%headWidthStep != 0:
		return fmt.Errorf("width %d with further layers is not a multiple of %d", a.Width, headWidthStep)
	}
	for i, b := range a.KingMap {
		if int(b) >= a.KingBuckets {
			return fmt.Errorf("king map entry %d names bucket %d of %d", i, b, a.KingBuckets)
		}
	}
	return nil
}

// String describes the shape, as in "(768x4hm -> 256)x2 -> 1x8" or, with a head,
// "(768x4hm -> 256)x2 -> (16 -> 32 -> 1)x8".
func (a Architecture) String() string {
	if a.HasHead() {
		return fmt.Sprintf("(%dx%dhm -> %d)x2 -> (%d -> %d -> 1)x%d",
			Features, a.KingBuckets, a.Width, a.Layers[0], a.Layers[1], a.OutputBuckets)
	}
	return fmt.Sprintf("(%dx%dhm -> %d)x2 -> 1x%d", Features, a.KingBuckets, a.Width, a.OutputBuckets)
}

// maxMen is the number of men on a full board.
const maxMen = 32

// validateSums sees that no accumulator leaves 16 bits, whatever men stand
// wherever.
func (p *Parameters) validateSums() error {
	least, most := make([]int16, p.Width), make([]int16, p.Width)
	for row := range slices.Chunk(p.FeatureWeights, p.Width) {
		for i, w := range row {
			least[i], most[i] = min(least[i], w), max(most[i], w)
		}
	}
	for i, bias := range p.FeatureBias {
		lo, hi := int(bias)+maxMen*int(least[i]), int(bias)+maxMen*int(most[i])
		if lo < math.MinInt16 || hi > math.MaxInt16 {
			return fmt.Errorf("network: the sums of neuron %d do not fit 16 bits: bias %d, weights %d to %d", i, bias, least[i], most[i])
		}
	}
	return nil
}

// OutputBucket returns the output to use with the given number of men, 2-32.
func (a *Architecture) OutputBucket(men int) int {
	perBucket := (32 + a.OutputBuckets - 1) / a.OutputBuckets
	return (men - 2) / perBucket
}

// Parameters are a network's shape, words and quantised weights.
type Parameters struct {
	Architecture
	Name        string // short, as in "gen0"
	Description string // lineage: data, training, results

	FeatureWeights []int16 // [KingBuckets][Features][Width], unit 1/QA
	FeatureBias    []int16 // [Width], unit 1/QA

	// The layers of a head, empty without one. Input i < Width/2 of the first
	// is the product of neurons i and i+Width/2 of the side to move, the others
	// are those of the other side. The inputs of the second are the 16 outputs
	// of the first, clipped, and the same squared.
	FirstWeights  []int8  // [OutputBuckets][16][Width], unit 1/QB
	FirstBias     []int32 // [OutputBuckets][16], unit 1/QH
	SecondWeights []int16 // [OutputBuckets][32][32], unit 1/QO
	SecondBias    []int32 // [OutputBuckets][32], unit 1/(QH*QO)

	// Without a head [OutputBuckets][2][Width], side to move first, unit 1/QB;
	// with one [OutputBuckets][32], unit 1/QO.
	OutputWeights []int16
	OutputBias    []int32 // [OutputBuckets], unit 1/(QA*QB), with a head 1/(QH*QO)
}

// NewParameters returns zero weights of the given shape.
func NewParameters(a Architecture) *Parameters {
	n := a.lengths()
	return &Parameters{
		Architecture:   a,
		FeatureWeights: make([]int16, n.featureWeights),
		FeatureBias:    make([]int16, n.featureBias),
		FirstWeights:   make([]int8, n.firstWeights),
		FirstBias:      make([]int32, n.firstBias),
		SecondWeights:  make([]int16, n.secondWeights),
		SecondBias:     make([]int32, n.secondBias),
		OutputWeights:  make([]int16, n.outputWeights),
		OutputBias:     make([]int32, n.outputBias),
	}
}

// lengths are the lengths of the slices of Parameters.
type lengths struct {
	featureWeights, featureBias int
	firstWeights, firstBias     int
	secondWeights, secondBias   int
	outputWeights, outputBias   int
}

func (a *Architecture) lengths() lengths {
	n := lengths{
		featureWeights: a.KingBuckets * Features * a.Width,
		featureBias:    a.Width,
		outputWeights:  a.OutputBuckets * 2 * a.Width,
		outputBias:     a.OutputBuckets,
	}
	if a.HasHead() {
		n.firstBias = a.OutputBuckets * a.Layers[0]
		n.firstWeights = n.firstBias * a.Width
		n.secondBias = a.OutputBuckets * a.Layers[1]
		n.secondWeights = n.secondBias * 2 * a.Layers[0]
		n.outputWeights = n.secondBias
	}
	return n
}

// bytes returns how long the weights are in a file.
func (n *lengths) bytes() int {
	return n.firstWeights + 2*(n.featureWeights+n.featureBias+n.secondWeights+n.outputWeights) +
		4*(n.firstBias+n.secondBias+n.outputBias)
}

// validateWeights sees that the weights are as many as the shape says, and
// that they are small enough for the kernels.
func (p *Parameters) validateWeights() error {
	want := p.lengths()
	for _, part := range []struct {
		name      string
		got, want int
	}{
		{"feature weights", len(p.FeatureWeights), want.featureWeights},
		{"feature bias", len(p.FeatureBias), want.featureBias},
		{"first weights", len(p.FirstWeights), want.firstWeights},
		{"first bias", len(p.FirstBias), want.firstBias},
		{"second weights", len(p.SecondWeights), want.secondWeights},
		{"second bias", len(p.SecondBias), want.secondBias},
		{"output weights", len(p.OutputWeights), want.outputWeights},
		{"output bias", len(p.OutputBias), want.outputBias},
	} {
		if part.got != part.want {
			return fmt.Errorf("network: %d %s instead of %d", part.got, part.name, part.want)
		}
	}
	outputLimit := int16(MaxOutputWeight)
	if p.HasHead() {
		outputLimit = MaxHeadWeight
	}
	return cmp.Or(
		validateBounds("first weight", p.FirstWeights, MaxFirstWeight),
		validateBounds("first bias", p.FirstBias, MaxHeadBias),
		validateBounds("second weight", p.SecondWeights, MaxSecondWeight),
		validateBounds("second bias", p.SecondBias, MaxHeadBias),
		validateBounds("output weight", p.OutputWeights, outputLimit),
		p.validateSums(),
	)
}

// validateBounds sees that no value is beyond ±limit.
func validateBounds[T int8 | int16 | int32](name string, values []T, limit T) error {
	for i, v := range values {
		if v < -limit || v > limit {
			return fmt.Errorf("network: %s %d is %d, beyond ±%d", name, i, v, limit)
		}
	}
	return nil
}

// Permute reorders the pairs of neurons i and i+Width/2, both sides alike: pair
// order[i] becomes pair i. Values stay the same. With a head they are computed
// faster if products that are mostly zero stand together, as the kernels skip
// blocks of four. It panics if order is no permutation of Width/2 numbers.
func (p *Parameters) Permute(order []int) {
	half := p.Width / 2
	sorted := slices.Sorted(slices.Values(order))
	for i, pair := range sorted {
		if pair != i || len(order) != half {
			panic(fmt.Sprintf("nnue: the order of %d pairs is no permutation of %d", len(order), half))
		}
	}
	permuteRows(p.FeatureWeights, order)
	permuteRows(p.FeatureBias, order)
	permuteRows(p.FirstWeights, order)
	if !p.HasHead() {
		permuteRows(p.OutputWeights, order)
	}
}

// permuteRows reorders both halves of every row of weights.
func permuteRows[T int8 | int16](weights []T, order []int) {
	old := make([]T, len(order))
	for half := range slices.Chunk(weights, len(order)) {
		copy(old, half)
		for i, pair := range order {
			half[i] = old[pair]
		}
	}
}

// Network is a network ready for use: read-only, shared by all threads.
type Network struct {
	p     Parameters
	heads []*simd.Head // [OutputBuckets], or empty
}

// New makes a network of p, whose slices it keeps. The error says which part
// of p is wrong.
func New(p *Parameters) (*Network, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("network: architecture: %w", err)
	}
	if len(p.Name) > maxName || len(p.Description) > maxDescription {
		return nil, fmt.Errorf("network: a name of %d bytes and a description of %d are not up to %d and %d", len(p.Name), len(p.Description), maxName, maxDescription)
	}
	if !utf8.ValidString(p.Name) || !utf8.ValidString(p.Description) {
		return nil, errors.New("network: the name or the description is not UTF-8")
	}
	if err := p.validateWeights(); err != nil {
		return nil, err
	}
	n := &Network{p: *p}
	if p.HasHead() {
		for b := range p.OutputBuckets {
			n.heads = append(n.heads, p.layOutHead(b))
		}
	}
	return n, nil
}

// layOutHead returns the head of an output bucket as the kernels want it.
func (p *Parameters) layOutHead(bucket int) *simd.Head {
	first, second := p.Layers[0], p.Layers[1]
	return simd.NewHead(p.Width,
		p.FirstWeights[bucket*first*p.Width:][:first*p.Width], p.FirstBias[bucket*first:][:first],
		p.SecondWeights[bucket*second*2*first:][:second*2*first], p.SecondBias[bucket*second:][:second],
		p.OutputWeights[bucket*second:][:second])
}

// Architecture returns the network's shape.
func (n *Network) Architecture() Architecture { return n.p.Architecture }

// Name returns the network's short name.
func (n *Network) Name() string { return n.p.Name }

// Parameters returns the network's words and weights, which are not to be
// changed.
func (n *Network) Parameters() *Parameters { return &n.p }

// Description returns the network's lineage.
func (n *Network) Description() string { return n.p.Description }

// FeatureIndex returns which of the Features a piece on a square is to
// perspective, whose king is on king: own pieces come first, ranks count from
// the own side, and files are mirrored if the king stands on e-h.
func FeatureIndex(perspective chess.Color, king chess.Square, piece chess.Piece, s chess.Square) int {
	return featureIndex(orientation(perspective, king), perspective, piece, s)
}

func featureIndex(orientation chess.Square, perspective chess.Color, piece chess.Piece, s chess.Square) int {
	theirs := int(piece.Color()^perspective) & 1
	return (theirs*6+int(piece.Type()))<<6 | int(s^orientation)
}

// orientation returns what squares are XORed with from perspective.
func orientation(perspective chess.Color, king chess.Square) chess.Square {
	o := chess.Square(perspective) * 56
	if king.File() >= 4 {
		o ^= 7
	}
	return o
}

// KingBucket returns the feature table of perspective with its king on king.
func (a *Architecture) KingBucket(perspective chess.Color, king chess.Square) int {
	s := king ^ orientation(perspective, king)
	return int(a.KingMap[(s.Rank()*4+s.File())&31])
}

// View is how one side sees the board while its king stands where it does.
type View struct {
	colour      chess.Color
	orientation chess.Square
	table       int // number of its first feature
}

// View returns how colour c sees the board with its king on the given square.
func (a *Architecture) View(c chess.Color, king chess.Square) View {
	return View{c, orientation(c, king), a.KingBucket(c, king) * Features}
}

// Feature returns the number of the input that a piece on a square is to the
// view, counted through the tables of all king buckets: its weights begin at
// that number times the width.
func (v View) Feature(piece chess.Piece, s chess.Square) int {
	return v.table + featureIndex(v.orientation, v.colour, piece, s)
}
