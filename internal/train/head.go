package train

import (
	"skein/internal/simd"
	"skein/nnue"
)

// The head of a network in real numbers, for each output bucket: a first layer
// of the products of the clipped halves of the accumulators, a second one of
// what the first gives, clipped and squared, and the output. In the parameters
// the weights of an input to all neurons of a layer lie together: those of
// inputs that are zero are not looked at.

// squareUnit is the value of a square of 1. In the integers of the engine it is 8064
// in units of 1/8128; see nnue.
const squareUnit = nnue.QH / 8192.0

// headActivations are those of a head. Gradients have the length of the values
// before them.
type headActivations struct {
	products, productGradients []float32 // of both sides, that to move first
	active                     []int32   // the products that are not zero
	first, firstGradients      []float32 // sums of the first layer
	inputs, inputGradients     []float32 // of the second layer: the sums clipped, then squared
	live                       []int32   // the inputs that are not zero
	second, secondGradients    []float32 // sums of the second layer
}

func newHeadActivations(a *nnue.Architecture) headActivations {
	if !a.HasHead() {
		return headActivations{}
	}
	floats := func(n int) []float32 { return make([]float32, n) }
	first, second := a.Layers[0], a.Layers[1]
	return headActivations{
		products: floats(a.Width), productGradients: floats(a.Width), active: make([]int32, a.Width),
		first: floats(first), firstGradients: floats(first),
		inputs: floats(2 * first), inputGradients: floats(2 * first), live: make([]int32, 2*first),
		second: floats(second), secondGradients: floats(second),
	}
}

// headLayers are the parts of a vector that belong to a bucket.
type headLayers struct {
	first      []float32 // [Width][Layers[0]]
	firstBias  []float32
	second     []float32 // [2*Layers[0]][Layers[1]]
	secondBias []float32
	output     []float32
}

// layers returns the parts of parameters or gradients that belong to a bucket.
func (m *model) layers(vector []float32, bucket int) headLayers {
	part := func(at, n int) []float32 { return vector[at+bucket*n:][:n] }
	first, second := m.Layers[0], m.Layers[1]
	return headLayers{
		part(m.first, m.Width*first), part(m.firstBias, first),
		part(m.second, 2*first*second), part(m.secondBias, second),
		part(m.outputs, second),
	}
}

// headForward fills the activations of the head, given the accumulators, and returns the
// output without its bias.
func (m *model) headForward(bucket int, a *activations) float32 {
	h, l, half := &a.head, m.layers(m.parameters, bucket), m.Width/2
	simd.PairsFloat(h.products[:half], a.accumulators[:m.Width])
	simd.PairsFloat(h.products[half:], a.accumulators[m.Width:])
	h.active = simd.NonZeroFloat(h.active[:m.Width], h.products)
	copy(h.first, l.firstBias)
	simd.MulRowsFloat(h.first, h.products, l.first, h.active)
	for j, x := range h.first {
		square := min(max(x, -1), 1)
		h.inputs[j], h.inputs[len(h.first)+j] = min(max(x, 0), 1), square*square*squareUnit
	}
	h.live = simd.NonZeroFloat(h.live[:len(h.inputs)], h.inputs)
	copy(h.second, l.secondBias)
	simd.MulRowsFloat(h.second, h.inputs, l.second, h.live)
	var sum float32
	for k, x := range h.second {
		sum += min(max(x, 0), 1) * l.output[k]
	}
	return sum
}

// headBackward adds to the gradients those of the head, whose output has
// gradient g, and overwrites the accumulators with their own.
//
// Inputs that are zero are left out: all of them are clipped, or squares at
// their least, and have no slope.
func (m *model) headBackward(bucket int, a *activations, gradients []float32, g float32) {
	h, l, d, half := &a.head, m.layers(m.parameters, bucket), m.layers(gradients, bucket), m.Width/2
	for k, x := range h.second {
		d.output[k] += g * min(max(x, 0), 1)
		slope := float32(0)
		if 0 < x && x < 1 {
			slope = g * l.output[k]
		}
		h.secondGradients[k] = slope
		d.secondBias[k] += slope
	}
	clear(h.inputGradients)
	simd.MulRowsBackFloat(h.inputGradients, d.second, h.secondGradients, h.inputs, l.second, h.live)
	n := len(h.first)
	for j, x := range h.first {
		slope := float32(0)
		if 0 < x && x < 1 {
			slope = h.inputGradients[j]
		}
		if -1 < x && x < 1 {
			slope += h.inputGradients[n+j] * 2 * squareUnit * x
		}
		h.firstGradients[j] = slope
		d.firstBias[j] += slope
	}
	clear(h.productGradients)
	simd.MulRowsBackFloat(h.productGradients, d.first, h.firstGradients, h.products, l.first, h.active)
	simd.PairsBackFloat(a.accumulators[:m.Width], a.accumulators[:m.Width], h.productGradients[:half])
	simd.PairsBackFloat(a.accumulators[m.Width:], a.accumulators[m.Width:], h.productGradients[half:])
}
