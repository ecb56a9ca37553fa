package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// headWidths are widths with every remainder of the parts that the first layer
// processes.
var headWidths = []int{64, 128, 192, 256, 320, 384, 448, 512, 576, 1024, 1536, 4096}

// headWeights are the arguments of NewHead.
type headWeights struct {
	first      []int8
	firstBias  []int32
	second     []int16
	secondBias []int32
	output     []int16
}

// weightInputs are distributions of weights and biases within ±limit.
var weightInputs = []struct {
	name string
	next func(r *rand.Rand, limit int) int
}{
	{"random", func(r *rand.Rand, limit int) int { return int(r.Int64N(2*int64(limit)+1) - int64(limit)) }},
	{"extreme", func(r *rand.Rand, limit int) int { return (r.IntN(3) - 1) * limit }},
	{"lowest", func(_ *rand.Rand, limit int) int { return -limit }},
	{"highest", func(_ *rand.Rand, limit int) int { return limit }},
}

// makeHeadWeights returns the weights of a head for accumulators of n elements.
// The biases of the first layer are small, so that the weights affect the
// output.
func makeHeadWeights(n int, next func(limit int) int) *headWeights {
	w := &headWeights{
		make([]int8, FirstNeurons*n), make([]int32, FirstNeurons),
		make([]int16, SecondNeurons*2*FirstNeurons), make([]int32, SecondNeurons),
		make([]int16, SecondNeurons),
	}
	for i := range w.first {
		w.first[i] = int8(next(127))
	}
	for i := range w.firstBias {
		w.firstBias[i] = int32(next(2 * HeadOne))
	}
	for i := range w.second {
		w.second[i] = int16(next(2047))
	}
	for i := range w.secondBias {
		w.secondBias[i] = int32(next(1 << (10 + 20*(i%2))))
	}
	for i := range w.output {
		w.output[i] = int16(next(16383))
	}
	return w
}

func (w *headWeights) layOut(n int) *Head {
	return NewHead(n, w.first, w.firstBias, w.second, w.secondBias, w.output)
}

// firstLayer is the reference of products and sums.
func (w *headWeights) firstLayer(us, them []int16) (products []uint8, sums [FirstNeurons]int32) {
	n := len(us)
	clip := func(v int16) int { return int(min(max(v, 0), 255)) }
	for _, side := range [][]int16{us, them} {
		for i, v := range side[:n/2] {
			products = append(products, uint8(clip(v)*clip(side[n/2+i])/512))
		}
	}
	for j := range sums {
		sum := int64(w.firstBias[j])
		for i, p := range products {
			sum += int64(w.first[j*n+i]) * int64(p)
		}
		sums[j] = int32(sum)
	}
	return products, sums
}

// secondLayer is the reference of the second layer and the output.
func (w *headWeights) secondLayer(sums *[FirstNeurons]int32) (output int64) {
	var activations [32]int64
	for j, s := range sums {
		clipped := min(max(int64(s), -8128), 8128)
		activations[j] = max(clipped, 0)
		activations[16+j] = clipped * clipped / 8192
	}
	for k, bias := range w.secondBias {
		sum := int64(bias)
		for j, a := range activations {
			sum += int64(w.second[32*k+j]) * a
		}
		if sum != int64(int32(sum)) {
			panic("a sum of the second layer does not fit 32 bits")
		}
		output += min(max(sum, 0), 8128*512) / 512 * int64(w.output[k])
	}
	return output
}

// checkHead compares a head at the current level with the reference, and checks
// that sources and the memory around products are not changed.
func checkHead(t *testing.T, name string, w *headWeights, us, them []int16) {
	t.Helper()
	const guard = 40
	n := len(us)
	h := w.layOut(n)
	buffer := make([]uint8, guard+n+guard)
	for i := range buffer {
		buffer[i] = 0xa5
	}
	products := buffer[guard : guard+n]
	usCopy, themCopy := slices.Clone(us), slices.Clone(them)
	wantProducts, wantSums := w.firstLayer(us, them)
	var sums [FirstNeurons]int32
	got := h.evaluate(&sums, us, them, products)
	for i := range products {
		if products[i] != wantProducts[i] {
			t.Fatalf("%s, length %d: product %d is %d instead of %d", name, n, i, products[i], wantProducts[i])
		}
	}
	if sums != wantSums {
		t.Fatalf("%s, length %d: sums %d instead of %d", name, n, sums, wantSums)
	}
	for i, b := range buffer {
		if b != 0xa5 && (i < guard || i >= guard+n) {
			t.Fatalf("%s, length %d: byte %d is overwritten", name, n, i-guard)
		}
	}
	if !slices.Equal(us, usCopy) || !slices.Equal(them, themCopy) {
		t.Errorf("%s, length %d: a source was overwritten", name, n)
	}
	if want := w.secondLayer(&wantSums); got != want {
		t.Fatalf("%s, length %d: %d instead of %d for the sums %d", name, n, got, want, sums)
	}
	if again := h.Output(us, them, products); again != got {
		t.Fatalf("%s, length %d: output %d instead of %d", name, n, again, got)
	}
}

// sparse returns a distribution of neurons in which few blocks of four have
// nonzero products.
func sparse() func(r *rand.Rand) int16 {
	i, on := 0, false
	return func(r *rand.Rand) int16 {
		if i++; i%4 == 1 {
			on = r.IntN(4) > 0
		}
		if on && r.IntN(2) == 0 {
			return int16(r.IntN(400))
		}
		return int16(-r.IntN(200))
	}
}

// TestHead compares both layers with the reference for all kinds of neurons and
// weights.
func TestHead(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, weights := range weightInputs {
			for _, n := range headWidths {
				r := rand.New(rand.NewPCG(5, uint64(n)))
				w := makeHeadWeights(n, func(limit int) int { return weights.next(r, limit) })
				for _, input := range inputs {
					us, them := vectorAt(r, n, input.next), vectorAt(r, n, input.next)
					checkHead(t, fmt.Sprintf("%s neurons, %s weights", input.name, weights.name), w, us, them)
				}
				us, them := vectorAt(r, n, sparse()), vectorAt(r, n, sparse())
				checkHead(t, fmt.Sprintf("sparse neurons, %s weights", weights.name), w, us, them)
			}
		}
	})
}

// TestFirstLayerBlocks tests each product as the only one that is not zero.
func TestFirstLayerBlocks(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range []int{64, 192, 1024} {
			r := rand.New(rand.NewPCG(6, uint64(n)))
			w := makeHeadWeights(n, func(limit int) int { return weightInputs[0].next(r, limit) })
			for i := range n {
				sides := [2][]int16{fill(r, n, inputs[3].next), fill(r, n, func(*rand.Rand) int16 { return 0 })}
				side := sides[2*i/n]
				clear(sides[0][n/2:])
				side[i%(n/2)], side[i%(n/2)+n/2] = 200, 100
				checkHead(t, fmt.Sprintf("product %d alone", i), w, sides[0], sides[1])
			}
		}
	})
}

// TestProducts tests every pair of neurons around the limits.
func TestProducts(t *testing.T) {
	values := []int16{math.MinInt16, math.MinInt16 + 1, -256, -255, -128, -1, math.MaxInt16, math.MaxInt16 - 1}
	for v := range int16(260) {
		values = append(values, v)
	}
	const n = 1 << 9
	w := makeHeadWeights(n, func(int) int { return 1 })
	eachLevel(t, func(t *testing.T) {
		us, them := make([]int16, n), make([]int16, n)
		at := 0
		for _, a := range values {
			for _, b := range values {
				us[at], us[at+n/2] = a, b
				if at++; at == n/2 {
					checkHead(t, "all pairs", w, us, them)
					at = 0
				}
			}
		}
		checkHead(t, "all pairs", w, us, them)
	})
}

// TestSecondLayer tests arbitrary sums of the first layer, given as biases.
func TestSecondLayer(t *testing.T) {
	edges := []int32{math.MinInt32, math.MinInt32 + 1, -1 << 16, -32769, -32768, -8129, -8128, -8127, -91, -90, -1, 0,
		1, 90, 91, 127, 128, 8127, 8128, 8129, 32767, 32768, 1 << 16, math.MaxInt32}
	eachLevel(t, func(t *testing.T) {
		for _, weights := range weightInputs {
			r := rand.New(rand.NewPCG(7, 0))
			for range 200 {
				w := makeHeadWeights(64, func(limit int) int { return weights.next(r, limit) })
				for j := range w.firstBias {
					if w.firstBias[j] = int32(r.IntN(20000) - 10000); r.IntN(2) == 0 {
						w.firstBias[j] = edges[r.IntN(len(edges))]
					}
				}
				var neurons [64]int16
				checkHead(t, fmt.Sprintf("biases %d, %s weights", w.firstBias, weights.name), w, neurons[:], neurons[:])
			}
		}
	})
}

// TestHeadExtremes tests the largest possible sums: those of the second layer
// with the largest bias, and that of the output.
func TestHeadExtremes(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, sign := range []int{-1, 1} {
			w := makeHeadWeights(4096, func(limit int) int { return sign * limit })
			for i := range w.firstBias {
				w.firstBias[i] = int32(sign) << 30
			}
			for i := range w.secondBias {
				w.secondBias[i] = int32(sign) << 30
			}
			us := fill(nil, 4096, inputs[3].next)
			checkHead(t, "greatest", w, us, us)
			for i := range w.second {
				w.second[i], w.secondBias[i/32] = 2047, 1<<30
			}
			checkHead(t, "greatest second", w, us, us)
		}
		w := makeHeadWeights(64, func(limit int) int { return limit })
		us := fill(nil, 64, inputs[3].next)
		if got, want := w.layOut(64).Output(us, us, make([]uint8, 64)), int64(32*8128*16383); got != want {
			t.Errorf("the largest output is %d instead of %d", got, want)
		}
	})
}

// TestHeadByHand compares with an example computed by hand.
func TestHeadByHand(t *testing.T) {
	w := makeHeadWeights(64, func(int) int { return 0 })
	us, them := make([]int16, 64), make([]int16, 64)
	us[3], us[35] = 255, 300    // product 3 is 127
	them[31], them[63] = 100, 2 // product 63 is 0
	them[30], them[62] = 100, 6 // product 62 is 1
	w.first[3] = 10             // neuron 0: 1270
	w.first[64+3] = -100        // neuron 1: -12700 + 7
	w.first[64+62] = 7
	w.firstBias[2] = 100 // neuron 2: 100
	w.second[0] = 512    // neuron 0: 1270 + 10000/512 = 1289
	w.secondBias[0] = 10000
	w.second[32+16+1] = 256 // neuron 1: 8064 / 2 = 4032
	w.second[64+16+2] = 512 // neuron 2: 10000>>13 = 1, less 0.5 rounded down
	w.secondBias[2] = -1
	w.output[0], w.output[1], w.output[2], w.output[3] = 2, -1, 1000, 5
	eachLevel(t, func(t *testing.T) {
		checkHead(t, "by hand", w, us, them)
		if got, want := w.layOut(64).Output(us, them, make([]uint8, 64)), int64(2*1289-4032); got != want {
			t.Errorf("output %d instead of %d", got, want)
		}
	})
}

// TestHeadLength expects panics for accumulators and products of the wrong
// length.
func TestHeadLength(t *testing.T) {
	w := makeHeadWeights(128, func(int) int { return 1 })
	h := w.layOut(128)
	v := make([]int16, 192)
	eachLevel(t, func(t *testing.T) {
		for name, run := range map[string]func(){
			"length 96":      func() { w.layOut(96) },
			"length 0":       func() { w.layOut(0) },
			"few weights":    func() { w.layOut(192) },
			"short":          func() { h.Output(v[:64], v[:64], make([]uint8, 128)) },
			"long":           func() { h.Output(v, v, make([]uint8, 192)) },
			"short them":     func() { h.Output(v[:128], v[:64:64], make([]uint8, 128)) },
			"short products": func() { h.Output(v[:128], v[:128], make([]uint8, 64)) },
		} {
			mustPanic(t, name, run)
		}
	})
}

// FuzzHead compares heads with the reference for neurons and weights from
// arbitrary bytes.
func FuzzHead(f *testing.F) {
	f.Add([]byte("neurons and weights are read from these bytes, again and again until there are enough"))
	f.Add([]byte{0x80, 0, 0x7f, 0xff, 0, 200, 0, 100, 0xff, 0xff})
	f.Cleanup(func() { use(level) })
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		n := 64 * (1 + int(data[0]%9))
		at := 0
		next := func(*rand.Rand) int16 {
			hi, lo := data[at%len(data)], data[(at+1)%len(data)]
			at += 2
			return int16(hi)<<8 | int16(lo)
		}
		us, them := fill(nil, n, next), fill(nil, n, next)
		w := makeHeadWeights(n, func(limit int) int { return int(next(nil)) % (limit + 1) })
		eachKernelLevel(func(level string) { checkHead(t, level, w, us, them) })
	})
}

// BenchmarkHead measures a head with random weights where about 40 % of the
// blocks of products are nonzero; HeadDense all of them, HeadEmpty none.
func BenchmarkHead(b *testing.B) {
	above := func(r *rand.Rand) int16 { return int16(100 + r.IntN(200)) }
	below := func(r *rand.Rand) int16 { return int16(-r.IntN(200)) }
	for _, neurons := range []struct {
		name string
		next func(r *rand.Rand) int16
	}{{"Head", sparse()}, {"HeadDense", above}, {"HeadEmpty", below}} {
		benchmark(b, neurons.name, func(r *rand.Rand, width int) func() {
			if width%headStep != 0 {
				return nil
			}
			h := makeHeadWeights(width, func(limit int) int { return weightInputs[0].next(r, limit) }).layOut(width)
			us, them := fill(r, width, neurons.next), fill(r, width, neurons.next)
			products := make([]uint8, width)
			return func() { h.Output(us, them, products) }
		})
	}
}
