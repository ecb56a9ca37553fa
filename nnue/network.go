// Package nnue evaluates positions with an efficiently updatable neural
// network: network file format, input features, incrementally updated
// accumulators, and output.
//
//	net, err := nnue.LoadFile("default.nnue")
//	...
//	stack := nnue.NewStack(net, 100) // for lines of up to 100 moves
//	stack.Reset(&p)
//	score := stack.Evaluate(&p) // from the view of the side to move
//	var next position.Position
//	p.Do(m, &next, stack.Push())
//	reply := stack.Evaluate(&next)
//	stack.Pop()
//
// A [Network] may be shared by any number of goroutines, each with a [Stack] of
// its own. Scores are in units of 1/256 pawn; see [chess.Score].
//
// A network has one hidden layer, the accumulator, computed from the
// perspective of each side: the bias plus a row of weights for every piece on
// the board, which may depend on whether the piece is threatened, and possibly
// for every danger of a side. Both accumulators, that of the side to move first,
// are activated by squared clipped ReLU and multiplied with the output weights of
// a bucket, which is selected by the number of men. A network with a head has two
// small layers between: the clipped halves of each accumulator are multiplied
// element by element, and the products are the inputs of the bucket's layers.
//
// Source: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
// Functions for Computer Shogi", 2018.
//
// # File format
//
// A network file is little-endian:
//
//	magic          8 bytes  "SKEINNET"
//	version        uint32   1, with a head 2, with features of threatened pieces 3,
//	                        with those of dangers 5; 4 has 16 rows of dangers instead of
//	                        44, those of bits 0 to 7 of each side
//	width          uint16
//	king buckets   uint8
//	output buckets uint8
//	king map       32 bytes
//	QA, QB, scale  uint16 each
//	layers         uint8 each, from version 2 on; zero without a head
//	threats        uint8 1, only from version 3 on
//	name           uint16 length, UTF-8
//	description    uint32 length up to 1 MiB, UTF-8
//	weights        int16 feature weights, int16 feature bias,
//	               with a head: int8 first weights, int32 first bias,
//	               int16 second weights, int32 second bias,
//	               int16 output weights, int32 output bias
//	checksum       32 bytes, SHA-256 of everything before
package nnue

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync"
	"unicode/utf8"

	"skein/chess"
	"skein/internal/hugepages"
	"skein/internal/simd"
)

const (
	// Features is the number of inputs of one feature table: six piece types of
	// two colors on 64 squares.
	Features = 2 * 6 * 64

	widthStep        = 16
	headWidthStep    = 64
	maxWidth         = 4096
	maxKingBuckets   = 32
	maxOutputBuckets = 8
	maxName          = 1<<16 - 1
	maxDescription   = 1 << 20
)

// The scales of quantization: a real number is stored multiplied by its scale.
// The sums of the first layer of a head are in units of 512/(QA*QA*QB), which
// is 1/8128.125.
const (
	QA = simd.Clip           // of accumulators, which are clipped to 0..QA
	QB = 64                  // of output weights without a head, and of the first layer of a head
	QH = simd.HeadOne        // of activations of a head
	QO = 1 << simd.HeadShift // of weights of the second layer and of the output of a head
)

// The bounds of the absolute values of weights. They allow kernels to multiply
// output weights in 16 bits without a head, and keep all sums of a head within
// 32 bits: that of the first layer is at most 4096*127*127 plus the bias, that
// of the second 32*8128*2047 plus the bias.
const (
	MaxOutputWeight = 127       // output weights without a head
	MaxFirstWeight  = 127       // weights of the first layer of a head
	MaxSecondWeight = 1<<11 - 1 // weights of its second layer
	MaxHeadWeight   = 1<<14 - 1 // its output weights
	MaxHeadBias     = 1 << 30   // biases of both layers
)

// Architecture is the shape of a network.
type Architecture struct {
	Width int // neurons of each accumulator: a multiple of 16 up to 4096

	// KingBuckets is the number of king buckets, 1-32. KingMap gives the bucket
	// of each square of the side's own king, indexed by rank*4+file from its
	// point of view, with files e-h mirrored onto d-a.
	KingBuckets int
	KingMap     [32]uint8

	// Threats tells whether every king bucket has three feature tables instead
	// of one: for pieces that are not threatened, for hanging ones, and for ones
	// attacked by a piece worth less; see Threatened.
	Threats bool

	// Dangers tells whether there are DangerRows rows of weights for Dangers behind the
	// feature tables. It requires Threats.
	Dangers bool

	OutputBuckets int // 1-8, selected by the number of men
	Scale         int // value of an output of 1, in units of chess.Score, 1-4000

	// Layers is the numbers of neurons of the layers between accumulators and
	// output, the head: {16, 32}, which requires a width that is a multiple of
	// 64, or {0, 0} for none.
	Layers [2]int
}

// Tables returns the number of feature tables.
func (a *Architecture) Tables() int { return a.KingBuckets * a.tablesPerBucket() }

func (a *Architecture) tablesPerBucket() int {
	if a.Threats {
		return threatStates
	}
	return 1
}

// Rows returns the number of rows of feature weights: those of the tables, and those of
// dangers.
func (a *Architecture) Rows() int {
	if a.Dangers {
		return a.Tables()*Features + DangerRows
	}
	return a.Tables() * Features
}

// RowsOfDangers returns the rows that dangers add to the accumulator of color c, lowest first.
func (a *Architecture) RowsOfDangers(c chess.Color, d Dangers) iter.Seq[int] {
	return func(yield func(int) bool) {
		for b := d.seenBy(c); b != 0; b &= b - 1 {
			if !yield(a.Tables()*Features + bits.TrailingZeros64(uint64(b))) {
				return
			}
		}
	}
}

// HasHead reports whether there are layers between accumulators and output.
func (a *Architecture) HasHead() bool { return a.Layers != [2]int{} }

// Validate returns an error that names a field that is out of range.
func (a *Architecture) Validate() error {
	switch {
	case a.Width < widthStep || a.Width > maxWidth || a.Width%widthStep != 0:
		return fmt.Errorf("width %d is not a multiple of %d up to %d", a.Width, widthStep, maxWidth)
	case a.KingBuckets < 1 || a.KingBuckets > maxKingBuckets:
		return fmt.Errorf("%d king buckets are not 1 to %d", a.KingBuckets, maxKingBuckets)
	case a.Dangers && !a.Threats:
		return errors.New("features of dangers without those of threatened pieces")
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

// String returns the shape as in "(768x4hm -> 256)x2 -> 1x8" or, with a head,
// "(768x4hm -> 256)x2 -> (16 -> 32 -> 1)x8"; hm stands for horizontal
// mirroring. With features of threatened pieces, 768 becomes 768x3t, and with
// those of dangers, too, 768x3td.
func (a Architecture) String() string {
	features := fmt.Sprint(Features)
	if a.Threats {
		features += fmt.Sprintf("x%dt", threatStates)
	}
	if a.Dangers {
		features += "d"
	}
	output := "1"
	if a.HasHead() {
		output = fmt.Sprintf("(%d -> %d -> 1)", a.Layers[0], a.Layers[1])
	}
	return fmt.Sprintf("(%sx%dhm -> %d)x2 -> %sx%d", features, a.KingBuckets, a.Width, output, a.OutputBuckets)
}

// maxMen is the number of men on a full board of a game.
const maxMen = 32

// validateSums checks that accumulators fit 16 bits for every placement of up
// to 32 men with any dangers. With more, sums may wrap around, and values then
// differ between kernels.
func (p *Parameters) validateSums() error {
	least, most := make([]int16, p.Width), make([]int16, p.Width)
	tables := p.Tables() * Features * p.Width
	for row := range slices.Chunk(p.FeatureWeights[:tables], p.Width) {
		for i, w := range row {
			least[i], most[i] = min(least[i], w), max(most[i], w)
		}
	}
	for i, bias := range p.FeatureBias {
		lo, hi := int(bias)+maxMen*int(least[i]), int(bias)+maxMen*int(most[i])
		for at := tables + i; at < len(p.FeatureWeights); at += p.Width {
			lo, hi = lo+int(min(p.FeatureWeights[at], 0)), hi+int(max(p.FeatureWeights[at], 0))
		}
		if lo < math.MinInt16 || hi > math.MaxInt16 {
			return fmt.Errorf("network: the sums of neuron %d do not fit 16 bits: bias %d, weights %d to %d",
				i, bias, least[i], most[i])
		}
	}
	return nil
}

// OutputBucket returns the output bucket, from 0, for a number of men, at least
// 2. Boards with more than 32 men have that of 32.
func (a *Architecture) OutputBucket(men int) int {
	perBucket := (maxMen + a.OutputBuckets - 1) / a.OutputBuckets
	return (min(men, maxMen) - 2) / perBucket
}

// Parameters are the shape, name, description and quantized weights of a
// network.
type Parameters struct {
	Architecture
	Name        string // short, such as "gen0"
	Description string // lineage: data, training, results

	FeatureWeights []int16 // [Tables][Features][Width], then [DangerRows][Width] of dangers, unit 1/QA
	FeatureBias    []int16 // [Width], unit 1/QA

	// The layers of a head, empty without one. Input i < Width/2 of the first
	// layer is the product of neurons i and i+Width/2 of the side to move; the
	// other inputs are those of the opponent. The inputs of the second layer
	// are the 16 clipped outputs of the first, and their squares.
	FirstWeights  []int8  // [OutputBuckets][16][Width], unit 1/QB
	FirstBias     []int32 // [OutputBuckets][16], unit 1/QH
	SecondWeights []int16 // [OutputBuckets][32][32], unit 1/QO
	SecondBias    []int32 // [OutputBuckets][32], unit 1/(QH*QO)

	// Without a head [OutputBuckets][2][Width], side to move first, unit 1/QB;
	// with one [OutputBuckets][32], unit 1/QO.
	OutputWeights []int16
	OutputBias    []int32 // [OutputBuckets], unit 1/(QA*QB), with a head 1/(QH*QO)
}

// NewParameters returns parameters of the given shape with zero weights.
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

// lengths are the lengths of the slices in Parameters.
type lengths struct {
	featureWeights, featureBias int
	firstWeights, firstBias     int
	secondWeights, secondBias   int
	outputWeights, outputBias   int
}

func (a *Architecture) lengths() lengths {
	n := lengths{
		featureWeights: a.Rows() * a.Width,
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

// bytes returns the size of the weights in a file, in bytes.
func (n *lengths) bytes() int {
	return n.firstWeights + 2*(n.featureWeights+n.featureBias+n.secondWeights+n.outputWeights) +
		4*(n.firstBias+n.secondBias+n.outputBias)
}

// validateWeights checks that the numbers of weights agree with the shape and
// that the weights are within the bounds of the kernels.
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

// validateBounds checks that all values are within ±limit.
func validateBounds[T int8 | int16 | int32](name string, values []T, limit T) error {
	for i, v := range values {
		if v < -limit || v > limit {
			return fmt.Errorf("network: %s %d is %d, beyond ±%d", name, i, v, limit)
		}
	}
	return nil
}

// Permute reorders the pairs of neurons i and i+Width/2: pair order[i] becomes
// pair i. The network's values do not change. Networks with a head are
// evaluated faster if products that are mostly zero are adjacent, because the
// kernels skip blocks of four zeros. Permute panics if order is not a
// permutation of 0 to Width/2-1.
func (p *Parameters) Permute(order []int) {
	half := p.Width / 2
	sorted := slices.Sorted(slices.Values(order))
	for i, pair := range sorted {
		if pair != i || len(order) != half {
			panic(fmt.Sprintf("nnue: the order of %d pairs is not a permutation of %d", len(order), half))
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

// Network is a network ready for evaluation. It is read-only, so that all
// threads can share it.
type Network struct {
	p     Parameters
	heads []*simd.Head // [OutputBuckets], or empty
	hash  func() string

	// Values of p that every evaluation needs.
	firstDanger int         // row of the first danger
	buckets     [64]uint8   // output bucket by number of men
	views       [2][64]View // by color and square of its king
}

// New returns a network with the parameters p, whose slices it keeps. The error
// names what is wrong with p.
func New(p *Parameters) (*Network, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("network: architecture: %w", err)
	}
	if len(p.Name) > maxName || len(p.Description) > maxDescription {
		return nil, fmt.Errorf("network: a name of %d bytes and a description of %d are not up to %d and %d",
			len(p.Name), len(p.Description), maxName, maxDescription)
	}
	if !utf8.ValidString(p.Name) || !utf8.ValidString(p.Description) {
		return nil, errors.New("network: the name or the description is not UTF-8")
	}
	if err := p.validateWeights(); err != nil {
		return nil, err
	}
	hugepages.Advise(&p.FeatureWeights[0], len(p.FeatureWeights))
	n := &Network{p: *p, firstDanger: p.Tables() * Features}
	n.hash = sync.OnceValue(n.checksum)
	for i := range n.buckets {
		n.buckets[i] = uint8(p.OutputBucket(i))
		for c := range chess.Color(2) {
			n.views[c][i] = p.View(c, chess.Square(i))
		}
	}
	if p.HasHead() {
		for b := range p.OutputBuckets {
			n.heads = append(n.heads, p.layOutHead(b))
		}
	}
	return n, nil
}

// dangerRows returns the indices of the first weights of a danger, given by its bit, in
// the accumulators of both colors.
func (n *Network) dangerRows(bit int) (white, black int32) {
	opposite := bit + dangersOfSide
	if opposite >= DangerRows {
		opposite -= DangerRows
	}
	return int32((n.firstDanger + bit) * n.p.Width), int32((n.firstDanger + opposite) * n.p.Width)
}

// layOutHead returns the head of an output bucket in the layout of the kernels.
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

// Parameters returns the network's parameters, which must not be changed.
func (n *Network) Parameters() *Parameters { return &n.p }

// Description returns the network's description: data, training, results.
func (n *Network) Description() string { return n.p.Description }

// FeatureIndex returns the feature, 0 to Features-1, of a piece on a square
// from a perspective whose king is on king: own pieces come first, ranks count
// from the own side, and files are mirrored if the king is on e-h.
func FeatureIndex(perspective chess.Color, king chess.Square, piece chess.Piece, s chess.Square) int {
	return featureIndex(orientation(perspective, king), perspective, piece, s)
}

func featureIndex(orientation chess.Square, perspective chess.Color, piece chess.Piece, s chess.Square) int {
	theirs := int(piece.Color()^perspective) & 1
	return (theirs*6+int(piece.Type()))<<6 | int(s^orientation)
}

// orientation returns the square with which squares are XORed to see them from
// perspective.
func orientation(perspective chess.Color, king chess.Square) chess.Square {
	o := chess.Square(perspective) * 56
	if king.File() >= 4 {
		o ^= 7
	}
	return o
}

// KingBucket returns the king bucket, from 0, of perspective with its king on
// king.
func (a *Architecture) KingBucket(perspective chess.Color, king chess.Square) int {
	s := king ^ orientation(perspective, king)
	return int(a.KingMap[(s.Rank()*4+s.File())&31])
}

// View is the perspective of one side with its king on a given square: it
// determines the features of pieces.
type View struct {
	color       chess.Color
	orientation chess.Square
	first       int // feature of the first table of the king bucket
}

// View returns the view of color c with its king on the given square.
func (a *Architecture) View(c chess.Color, king chess.Square) View {
	return View{c, orientation(c, king), a.KingBucket(c, king) * a.tablesPerBucket() * Features}
}

// Feature returns the index of the feature of a piece on a square, counted
// through all tables: first by king bucket, then by the state of the square in
// t. Its weights start at that index times the width.
func (v View) Feature(piece chess.Piece, s chess.Square, t *Threatened) int {
	return v.feature(piece, s, t.state(s))
}

// feature is Feature, given the state of the square.
func (v View) feature(piece chess.Piece, s chess.Square, state int) int {
	return v.first + state*Features + featureIndex(v.orientation, v.color, piece, s)
}
