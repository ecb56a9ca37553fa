package simd

import "fmt"

// The numbers of neurons of a head.
const (
	FirstNeurons  = 16 // of the first layer
	SecondNeurons = 32 // of the second layer
)

const (
	// HeadOne stands for an activation of 1 in a head, which is also the upper
	// limit.
	HeadOne = 8128

	// HeadShift gives the unit of the weights of the second layer and of the
	// output: 1/2^HeadShift.
	HeadShift = 9

	// squareShift scales the square of a sum of the first layer to the unit of
	// activations, up to a factor of HeadOne/2^squareShift.
	squareShift = 13

	// headStep is the divisor of the length of the accumulators of a head.
	headStep = 64

	// block is the number of products that the first layer skips together if
	// all are zero.
	block = 4
)

// Head is the weights of the two layers and the output after the accumulators,
// in the layout of the kernels. It is read-only.
type Head struct {
	first      []int8  // [width/4][16][4]: blocks of four products
	firstBias  []int32 // [16]
	second     []int16 // [16][32][2]: pairs of activations
	secondBias []int32 // [32]
	output     []int16 // [32]

	// secondPairs is second for the generic kernel, two neurons per word:
	// [32][16], the weight of the upper one times 2^32 plus that of the lower
	// one.
	secondPairs []int64
}

// NewHead returns a head for accumulators of n elements, a multiple of 64 up to
// 4096: first[16][n] with |w| <= 127, firstBias[16], second[32][32] with |w| <=
// 2047, secondBias[32], output[32] with |w| <= 16383, biases within ±2^30. With
// values out of these ranges results may differ between levels.
func NewHead(n int, first []int8, firstBias []int32, second []int16, secondBias []int32, output []int16) *Head {
	if n <= 0 || n%headStep != 0 {
		panic(fmt.Sprintf("simd: the length %d of accumulators of a head is not a multiple of %d", n, headStep))
	}
	h := &Head{
		first:      make([]int8, FirstNeurons*n),
		firstBias:  make([]int32, FirstNeurons),
		second:     make([]int16, 2*FirstNeurons*SecondNeurons),
		secondBias: make([]int32, SecondNeurons),
		output:     make([]int16, SecondNeurons),

		secondPairs: make([]int64, 2*FirstNeurons*SecondNeurons/2),
	}
	for j := range FirstNeurons {
		for i, w := range first[j*n:][:n] {
			h.first[(i/block*FirstNeurons+j)*block+i%block] = w
		}
	}
	for k := range SecondNeurons {
		for i, w := range second[k*2*FirstNeurons:][:2*FirstNeurons] {
			h.second[(i/2*SecondNeurons+k)*2+i%2] = w
			h.secondPairs[i*SecondNeurons/2+k/2] += int64(w) << (32 * (k % 2))
		}
	}
	copy(h.firstBias, firstBias[:FirstNeurons])
	copy(h.secondBias, secondBias[:SecondNeurons])
	copy(h.output, output[:SecondNeurons])
	return h
}

// Output returns the sum of the output, without its bias, for two accumulators
// of equal length n. It sets products[:n] to the inputs of the first layer: for
// i < n/2
//
//	products[i] = clamp(us[i], 0, Clip) * clamp(us[i+n/2], 0, Clip) >> 9,
//
// followed by those of them. The sums of the first layer, s = bias + first *
// products, give the activations clamp(s, 0, HeadOne) and clamp(s, ±HeadOne)²
// >> 13. Those of the second layer, t = bias + second * activations, give
// clamp(t >> HeadShift, 0, HeadOne), which are multiplied with the output
// weights.
func (h *Head) Output(us, them []int16, products []uint8) int64 {
	var sums [FirstNeurons]int32
	return h.evaluate(&sums, us, them, products)
}

// evaluate is Output; it also sets the sums of the first layer.
func (h *Head) evaluate(sums *[FirstNeurons]int32, us, them []int16, products []uint8) int64 {
	n := len(us)
	if len(h.first) != FirstNeurons*n {
		panic("simd: the head is for accumulators of another length")
	}
	them, products = them[:n], products[:n]
	if !useVector {
		h.firstLayer(sums, us, them, products)
		return h.secondLayer(sums)
	}
	return headVector(h, &sums[0], &us[0], &them[0], n, &products[0])
}
