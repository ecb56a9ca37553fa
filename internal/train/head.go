package train

import (
	"skein/internal/simd"
	"skein/nnue"
)

// The head of a network in real numbers, for each output bucket: the inputs of
// the first layer are the products of the clipped halves of the accumulators,
// those of the second layer the sums of the first, clipped, and their squares.
// In the parameters, the weights from one input to all neurons of a layer are
// contiguous, so that inputs that are zero are skipped.

// squareUnit is the square of an activation of 1, as in the integers of the
// engine: 8064 in units of 1/8128; see nnue.
const squareUnit = nnue.QH / 8192.0

// headActivations are the activations of a head and their gradients. The sums
// of a layer are followed by as many ones, so that the kernels of products clip
// them.
type headActivations struct {
	products, productGradients []float32 // of both sides, side to move first
	active                     []int32   // indices of the products that are not zero
	first, firstGradients      []float32 // sums of the first layer, and ones
	inputs, inputGradients     []float32 // of the second layer: the clipped sums, then their squares
	live                       []int32   // indices of the inputs that are not zero
	second, secondGradients    []float32 // sums of the second layer, and ones
	outputs, outputGradients   []float32 // the clipped sums of the second layer
}

func newHeadActivations(a *nnue.Architecture) headActivations {
	if !a.HasHead() {
		return headActivations{}
	}
	floats := func(n int) []float32 { return make([]float32, n) }
	first, second := a.Layers[0], a.Layers[1]
	withOnes := func(n int) []float32 {
		v := floats(2 * n)
		for i := range n {
			v[n+i] = 1
		}
		return v
	}
	return headActivations{
		products: floats(a.Width), productGradients: floats(a.Width), active: make([]int32, a.Width),
		first: withOnes(first), firstGradients: floats(2 * first),
		inputs: floats(2 * first), inputGradients: floats(2 * first), live: make([]int32, 2*first),
		second: withOnes(second), secondGradients: floats(2 * second),
		outputs: floats(second), outputGradients: floats(second),
	}
}

// headLayers are the parts of a parameter or gradient vector for one bucket.
type headLayers struct {
	first      []float32 // [Width][Layers[0]]
	firstBias  []float32
	second     []float32 // [2*Layers[0]][Layers[1]]
	secondBias []float32
	output     []float32
}

// layers returns the parts of a parameter or gradient vector for a bucket.
func (m *model) layers(vector []float32, bucket int) headLayers {
	part := func(at, n int) []float32 { return vector[at+bucket*n:][:n] }
	first, second := m.Layers[0], m.Layers[1]
	return headLayers{
		part(m.first, m.Width*first), part(m.firstBias, first),
		part(m.second, 2*first*second), part(m.secondBias, second),
		part(m.outputs, second),
	}
}

// headForward computes the activations of the head from the accumulators, and returns the output without its bias.
func (m *model) headForward(bucket int, a *activations) float32 {
	h, l, half, n := &a.head, m.layers(m.parameters, bucket), m.Width/2, m.Layers[0]
	simd.PairsFloat(h.products[:half], a.accumulators[:m.Width])
	simd.PairsFloat(h.products[half:], a.accumulators[m.Width:])
	h.active = simd.NonZeroFloat(h.active[:m.Width], h.products)
	copy(h.first, l.firstBias)
	simd.MulRowsFloat(h.first[:n], h.products, l.first, h.active)
	simd.PairsFloat(h.inputs[:n], h.first)
	for j, x := range h.first[:n] {
		h.inputs[n+j] = min(x*x, 1) * squareUnit
	}
	h.live = simd.NonZeroFloat(h.live[:len(h.inputs)], h.inputs)
	copy(h.second, l.secondBias)
	simd.MulRowsFloat(h.second[:m.Layers[1]], h.inputs, l.second, h.live)
	simd.PairsFloat(h.outputs, h.second)
	var sum float32
	for k, x := range h.outputs {
		sum += x * l.output[k]
	}
	return sum
}

// headBackward adds the gradients of the head, whose output has gradient g, to
// gradients, and overwrites the accumulators with theirs.
//
// Inputs that are zero are skipped: they are clipped or squares of zero, so
// that their gradient is zero.
func (m *model) headBackward(bucket int, a *activations, gradients []float32, g float32) {
	h, l, d, half := &a.head, m.layers(m.parameters, bucket), m.layers(gradients, bucket), m.Width/2
	for k, x := range h.outputs {
		d.output[k] += g * x
		h.outputGradients[k] = g * l.output[k]
	}
	simd.PairsBackFloat(h.secondGradients, h.second, h.outputGradients)
	sums := h.secondGradients[:m.Layers[1]]
	simd.AddToRowsFloat(d.secondBias, sums, []int32{0})
	clear(h.inputGradients)
	simd.MulRowsBackFloat(h.inputGradients, d.second, sums, h.inputs, l.second, h.live)

	n := m.Layers[0]
	simd.PairsBackFloat(h.firstGradients, h.first, h.inputGradients[:n])
	sums = h.firstGradients[:n]
	for j, x := range h.first[:n] {
		if x*x < 1 {
			sums[j] += h.inputGradients[n+j] * 2 * squareUnit * x
		}
	}
	simd.AddToRowsFloat(d.firstBias, sums, []int32{0})
	clear(h.productGradients)
	simd.MulRowsBackFloat(h.productGradients, d.first, sums, h.products, l.first, h.active)
	simd.PairsBackFloat(a.accumulators[:m.Width], a.accumulators[:m.Width], h.productGradients[:half])
	simd.PairsBackFloat(a.accumulators[m.Width:], a.accumulators[m.Width:], h.productGradients[half:])
}
