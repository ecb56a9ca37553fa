package nnue_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/nnue"
)

// TestFeatureIndex compares the index with its definition, and expects every
// value from 0 to Features-1 once per perspective and king square.
func TestFeatureIndex(t *testing.T) {
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for king := chess.A1; king <= chess.H8; king++ {
			var seen [nnue.Features]bool
			for _, color := range []chess.Color{chess.White, chess.Black} {
				for kind := chess.Pawn; kind <= chess.King; kind++ {
					for s := chess.A1; s <= chess.H8; s++ {
						piece := chess.MakePiece(color, kind)
						got, want := nnue.FeatureIndex(c, king, piece, s), feature(c, king, piece, s)
						if got != want {
							t.Fatalf("%s with king on %s: %c on %s is feature %d instead of %d",
								c, king, piece.Letter(), s, got, want)
						}
						if seen[got] {
							t.Fatalf("%s with king on %s: feature %d occurs twice", c, king, got)
						}
						seen[got] = true
					}
				}
			}
		}
	}
}

func TestFeatureIndexByHand(t *testing.T) {
	for _, test := range []struct {
		perspective chess.Color
		king        string
		piece       byte
		square      string
		want        int
	}{
		{chess.White, "a1", 'P', "a2", 8},
		{chess.White, "h1", 'P', "a2", 15},
		{chess.White, "d1", 'p', "a7", 6*64 + 48},
		{chess.Black, "d8", 'p', "a7", 8},
		{chess.Black, "e8", 'p', "a7", 15},
		{chess.Black, "e8", 'K', "e1", 11*64 + 59},
		{chess.White, "e1", 'K', "e1", 5*64 + 3},
	} {
		king, _ := chess.SquareOf(test.king)
		square, _ := chess.SquareOf(test.square)
		if got := nnue.FeatureIndex(test.perspective, king, chess.PieceOf(test.piece), square); got != test.want {
			t.Errorf("%s with king on %s: %c on %s is feature %d instead of %d",
				test.perspective, test.king, test.piece, test.square, got, test.want)
		}
	}
}

func TestKingBucket(t *testing.T) {
	a := nnue.Architecture{Width: 16, KingBuckets: 32, OutputBuckets: 1, Scale: 400}
	for i := range a.KingMap {
		a.KingMap[i] = uint8(i)
	}
	for _, test := range []struct {
		perspective chess.Color
		king        string
		want        int
	}{
		{chess.White, "a1", 0}, {chess.White, "d1", 3}, {chess.White, "e1", 3}, {chess.White, "h1", 0},
		{chess.White, "b2", 5}, {chess.White, "g2", 5}, {chess.White, "d8", 31}, {chess.White, "h8", 28},
		{chess.Black, "a8", 0}, {chess.Black, "e8", 3}, {chess.Black, "g7", 5}, {chess.Black, "e1", 31},
	} {
		king, _ := chess.SquareOf(test.king)
		if got := a.KingBucket(test.perspective, king); got != test.want {
			t.Errorf("%s king on %s: bucket %d instead of %d", test.perspective, test.king, got, test.want)
		}
	}
}

// TestOutputBucket checks that buckets do not decrease with the number of men,
// and that all are used.
func TestOutputBucket(t *testing.T) {
	for n := 1; n <= 8; n++ {
		a := nnue.Architecture{OutputBuckets: n}
		used := map[int]bool{}
		for men, last := 2, 0; men <= 64; men++ {
			b := a.OutputBucket(men)
			if b < last || b >= n {
				t.Errorf("%d men in bucket %d of %d after bucket %d", men, b, n, last)
			}
			last = b
			used[b] = true
		}
		if len(used) != n {
			t.Errorf("%d of %d buckets in use", len(used), n)
		}
	}
	eight := nnue.Architecture{OutputBuckets: 8}
	for men, want := range map[int]int{2: 0, 5: 0, 6: 1, 17: 3, 18: 4, 29: 6, 30: 7, 32: 7, 33: 7, 64: 7} {
		if got := eight.OutputBucket(men); got != want {
			t.Errorf("%d men in bucket %d of 8 instead of %d", men, got, want)
		}
	}
}

// setNeuron sets one weight of neuron n to most and all others to least.
func setNeuron(p *nnue.Parameters, n int, bias, most, least int16) {
	p.FeatureBias[n] = bias
	for i := n; i < len(p.FeatureWeights); i += p.Width {
		p.FeatureWeights[i] = least
	}
	p.FeatureWeights[n+100*p.Width] = most
}

// TestNew expects errors that name what is wrong with parameters.
func TestNew(t *testing.T) {
	for _, test := range []struct {
		want  string
		spoil func(p *nnue.Parameters)
	}{
		{"", func(*nnue.Parameters) {}},
		{"", func(p *nnue.Parameters) { p.Name, p.Description = "", "" }},
		{"", func(p *nnue.Parameters) { p.OutputWeights[3], p.OutputWeights[4] = 127, -127 }},
		{"width 0 ", func(p *nnue.Parameters) { p.Width = 0 }},
		{"width -16 ", func(p *nnue.Parameters) { p.Width = -16 }},
		{"width 24 ", func(p *nnue.Parameters) { p.Width = 24 }},
		{"width 4112 ", func(p *nnue.Parameters) { p.Width = 4112 }},
		{"0 king buckets", func(p *nnue.Parameters) { p.KingBuckets = 0 }},
		{"33 king buckets", func(p *nnue.Parameters) { p.KingBuckets = 33 }},
		{"king map entry 31 names bucket 1 of 1", func(p *nnue.Parameters) { p.KingMap[31] = 1 }},
		{"0 output buckets", func(p *nnue.Parameters) { p.OutputBuckets = 0 }},
		{"9 output buckets", func(p *nnue.Parameters) { p.OutputBuckets = 9 }},
		{"scale 0 ", func(p *nnue.Parameters) { p.Scale = 0 }},
		{"scale 4001 ", func(p *nnue.Parameters) { p.Scale = 4001 }},
		{"name of 65536 bytes", func(p *nnue.Parameters) { p.Name = strings.Repeat("n", 1<<16) }},
		{"description of 1048577", func(p *nnue.Parameters) { p.Description = strings.Repeat("d", 1<<20+1) }},
		{"not UTF-8", func(p *nnue.Parameters) { p.Name = "\xff" }},
		{"not UTF-8", func(p *nnue.Parameters) { p.Description = "\xc3" }},
		{"feature weights instead", func(p *nnue.Parameters) { p.FeatureWeights = p.FeatureWeights[1:] }},
		{"15 feature bias instead of 16", func(p *nnue.Parameters) { p.FeatureBias = p.FeatureBias[1:] }},
		{"33 output weights instead of 32", func(p *nnue.Parameters) { p.OutputWeights = append(p.OutputWeights, 0) }},
		{"0 output bias instead of 1", func(p *nnue.Parameters) { p.OutputBias = nil }},
		{"output weight 31 is 128", func(p *nnue.Parameters) { p.OutputWeights[31] = 128 }},
		{"output weight 0 is -128", func(p *nnue.Parameters) { p.OutputWeights[0] = -128 }},
		{"", func(p *nnue.Parameters) { setNeuron(p, 3, -32, 1024, 5) }},
		{"neuron 3 ", func(p *nnue.Parameters) { setNeuron(p, 3, 0, 1024, 5) }},
		{"neuron 15 ", func(p *nnue.Parameters) { setNeuron(p, 15, -32767, 0, -1) }},
		{"", func(p *nnue.Parameters) { setNeuron(p, 15, -32768, 0, 2) }},
		{"neuron 0 ", func(p *nnue.Parameters) { setNeuron(p, 0, -100, 0, -1021) }},
		{"dangers without those of", func(p *nnue.Parameters) { p.Dangers = true }},
		{"further layers", func(p *nnue.Parameters) { p.Layers = layers }}, // of 16 neurons
		{"16 first weights instead of 0", func(p *nnue.Parameters) { p.FirstWeights = make([]int8, 16) }},
		{"1 second bias instead of 0", func(p *nnue.Parameters) { p.SecondBias = make([]int32, 1) }},
	} {
		testNew(t, shapes[0], test.want, test.spoil)
	}
}

// TestNewDangers is TestNew for a network with rows of dangers, of which all 44 may be
// added to the rows of 32 men.
func TestNewDangers(t *testing.T) {
	const behind = 3 * nnue.Features * 16 // the first weight of dangers
	dangers := func(first, last int16) func(*nnue.Parameters) {
		return func(p *nnue.Parameters) {
			clear(p.FeatureWeights)
			clear(p.FeatureBias)
			p.FeatureWeights[100*16+3] = 1023 // 32 of them are 31 less than the limit
			p.FeatureWeights[behind+3], p.FeatureWeights[behind+43*16+3] = first, last
		}
	}
	for _, test := range []struct {
		want  string
		spoil func(p *nnue.Parameters)
	}{
		{"", func(*nnue.Parameters) {}},
		{"", dangers(15, 16)},
		{"", dangers(-30000, 31)},
		{"neuron 3 ", dangers(15, 17)},
		{"neuron 3 ", dangers(-32768, -1)},
		{"feature weights instead", func(p *nnue.Parameters) { p.FeatureWeights = p.FeatureWeights[:behind] }},
	} {
		a := nnue.Architecture{
			Width: 16, KingBuckets: 1, Threats: true, Dangers: true, OutputBuckets: 1, Scale: 400,
		}
		testNew(t, a, test.want, test.spoil)
	}
}

// TestNewHead is TestNew for a network with a head.
func TestNewHead(t *testing.T) {
	for _, test := range []struct {
		want  string
		spoil func(p *nnue.Parameters)
	}{
		{"", func(*nnue.Parameters) {}},
		{"", func(p *nnue.Parameters) { p.FirstWeights[3], p.FirstWeights[4] = 127, -127 }},
		{"", func(p *nnue.Parameters) { p.FirstBias[0], p.FirstBias[15] = 1<<30, -1<<30 }},
		{"", func(p *nnue.Parameters) { p.SecondWeights[3], p.SecondWeights[4] = 2047, -2047 }},
		{"", func(p *nnue.Parameters) { p.SecondBias[0], p.SecondBias[31] = 1<<30, -1<<30 }},
		{"", func(p *nnue.Parameters) { p.OutputWeights[3], p.OutputWeights[4] = 16383, -16383 }},
		{"", func(p *nnue.Parameters) { p.OutputBias[0] = math.MinInt32 }},
		{"layers of 16 and 31 neurons", func(p *nnue.Parameters) { p.Layers = [2]int{16, 31} }},
		{"layers of 0 and 32 neurons", func(p *nnue.Parameters) { p.Layers = [2]int{0, 32} }},
		{"layers of -16 and 32 neurons", func(p *nnue.Parameters) { p.Layers = [2]int{-16, 32} }},
		{"width 32 with further layers is not a multiple of 64", func(p *nnue.Parameters) { p.Width = 32 }},
		{"1024 first weights instead of 0", func(p *nnue.Parameters) { p.Layers = [2]int{} }},
		{"1023 first weights instead of 1024", func(p *nnue.Parameters) { p.FirstWeights = p.FirstWeights[1:] }},
		{"17 first bias instead of 16", func(p *nnue.Parameters) { p.FirstBias = append(p.FirstBias, 0) }},
		{"0 second weights instead of 1024", func(p *nnue.Parameters) { p.SecondWeights = nil }},
		{"31 second bias instead of 32", func(p *nnue.Parameters) { p.SecondBias = p.SecondBias[1:] }},
		{"128 output weights instead of 32", func(p *nnue.Parameters) { p.OutputWeights = make([]int16, 128) }},
		{"first weight 1023 is -128, beyond ±127", func(p *nnue.Parameters) { p.FirstWeights[1023] = -128 }},
		{"first bias 3 is 1073741825, beyond ±1073741824", func(p *nnue.Parameters) { p.FirstBias[3] = 1<<30 + 1 }},
		{"second weight 0 is 2048, beyond ±2047", func(p *nnue.Parameters) { p.SecondWeights[0] = 2048 }},
		{"second weight 5 is -2048", func(p *nnue.Parameters) { p.SecondWeights[5] = -2048 }},
		{"second bias 31 is -2147483648", func(p *nnue.Parameters) { p.SecondBias[31] = math.MinInt32 }},
		{"output weight 0 is 16384, beyond ±16383", func(p *nnue.Parameters) { p.OutputWeights[0] = 16384 }},
		{"output weight 1 is -16384", func(p *nnue.Parameters) { p.OutputWeights[1] = -16384 }},
		{"neuron 3 ", func(p *nnue.Parameters) { setNeuron(p, 3, 0, 1024, 5) }},
	} {
		testNew(t, shapes[6], test.want, test.spoil)
	}
}

// testNew changes random parameters and expects an error that contains want,
// none if want is empty.
func testNew(t *testing.T, shape nnue.Architecture, want string, spoil func(p *nnue.Parameters)) {
	t.Helper()
	p := randomParameters(shape, false)
	spoil(p)
	net, err := nnue.New(p)
	switch {
	case want == "" && err != nil:
		t.Error(err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("error %v does not say %q", err, want)
	case err == nil &&
		(net.Name() != p.Name || net.Description() != p.Description || net.Architecture() != p.Architecture):
		t.Errorf("the network is %q, %q, %s", net.Name(), net.Description(), net.Architecture())
	}
}

// TestPermute reorders neurons at random, which must not change values.
func TestPermute(t *testing.T) {
	for _, shape := range shapes {
		r := rand.New(rand.NewPCG(8, uint64(shape.Width)))
		p := randomParameters(shape, false)
		want, permuted := newNetwork(t, p), clone(p)
		order := r.Perm(shape.Width / 2)
		permuted.Permute(order)
		got, old := permuted.FeatureBias, p.FeatureBias
		for i, pair := range order {
			half := shape.Width / 2
			if got[i] != old[pair] || got[half+i] != old[half+pair] {
				t.Fatalf("%s: pair %d is not the old pair %d", shape, i, pair)
			}
		}
		a, b := nnue.NewStack(want, 0), nnue.NewStack(newNetwork(t, permuted), 0)
		for _, fen := range starts {
			pos := parse(t, fen)
			a.Reset(&pos)
			b.Reset(&pos)
			if got, want := b.Evaluate(&pos), a.Evaluate(&pos); got != want {
				t.Errorf("%s: %s: %d instead of %d", shape, fen, got, want)
			}
		}
		back := make([]int, len(order))
		for i, pair := range order {
			back[pair] = i
		}
		permuted.Permute(back)
		if !reflect.DeepEqual(permuted, p) {
			t.Errorf("%s: the inverse permutation does not restore the parameters", shape)
		}
	}
}

func clone(p *nnue.Parameters) *nnue.Parameters {
	q := *p
	q.FeatureWeights, q.FeatureBias = slices.Clone(p.FeatureWeights), slices.Clone(p.FeatureBias)
	q.FirstWeights, q.FirstBias = slices.Clone(p.FirstWeights), slices.Clone(p.FirstBias)
	q.SecondWeights, q.SecondBias = slices.Clone(p.SecondWeights), slices.Clone(p.SecondBias)
	q.OutputWeights, q.OutputBias = slices.Clone(p.OutputWeights), slices.Clone(p.OutputBias)
	return &q
}

// TestPermuteNonsense expects a panic for orders that are not permutations.
func TestPermuteNonsense(t *testing.T) {
	for _, order := range [][]int{nil, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 8},
		{0, 1, 2, 3, 4, 5, 6, 6}, {-1, 0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 8}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("order %d: no panic", order)
				}
			}()
			randomParameters(shapes[0], false).Permute(order)
		}()
	}
}

func TestArchitectureString(t *testing.T) {
	var all []string
	for _, shape := range shapes {
		all = append(all, shape.String())
	}
	for _, want := range []string{
		"(768x4hm -> 128)x2 -> 1x8", "(768x4hm -> 192)x2 -> (16 -> 32 -> 1)x8", "(768x3tx1hm -> 64)x2 -> 1x8",
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%q does not contain %q", all, want)
		}
	}
}
