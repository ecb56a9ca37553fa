package train

import (
	"math"
	"math/rand/v2"

	"skein/internal/simd"
	"skein/nnue"
)

// maxOutput bounds the absolute values of the output weights of a network without
// a head, which are thereby within nnue.MaxOutputWeight.
const maxOutput = 1.97

// model is a network in real numbers.
//
// Its parameters are one vector with several parts: the bias of the
// accumulators, the feature tables, the rows of dangers, the layers of the head,
// if any, the output weights, the output biases, and the factorizers.
type model struct {
	nnue.Architecture
	parameters []float32

	// The offsets of the parts. Gradient vectors do not have the factorizers:
	// they are gradients of the sums. The tables end at dangers, whose rows end at
	// first; without a head the parts of its layers are empty.
	tables, dangers, first, firstBias, second, secondBias, outputs, biases, shared int

	factorizers []factorizer
	addends     []int32   // the offsets of the rows to add to each row of the tables, one of every factorizer
	sums        []float32 // the tables with the factorizers added, and the rows of dangers

	// origin is what weight decay leads to: the parameters of the network that a
	// run starts with, zero where it has none; nil for zero everywhere.
	origin []float32
}

// biasesLength is the length of the part of the output biases, padded so that
// the length of vectors is a multiple of 16.
const biasesLength = 16

// newModel returns a model of zeros, with or without the factorizers by piece, rank and file.
func newModel(a nnue.Architecture, factorizers bool) *model {
	m := &model{Architecture: a, tables: a.Width}
	m.dangers = m.tables + a.Tables()*m.tableSize()
	m.first = m.tables + a.Rows()*a.Width
	m.firstBias = m.first + a.OutputBuckets*a.Width*a.Layers[0]
	m.second = m.firstBias + a.OutputBuckets*a.Layers[0]
	m.secondBias = m.second + a.OutputBuckets*2*a.Layers[0]*a.Layers[1]
	m.outputs = m.secondBias + a.OutputBuckets*a.Layers[1]
	m.biases = m.outputs + a.OutputBuckets*m.outputInputs()
	m.shared = m.biases + biasesLength
	size := m.addFactorizers(factorizers)
	m.parameters = make([]float32, size)
	m.sums = make([]float32, m.first-m.tables)
	return m
}

// outputInputs returns the number of inputs of the output.
func (m *model) outputInputs() int {
	if m.HasHead() {
		return m.Layers[1]
	}
	return 2 * m.Width
}

func (m *model) tableSize() int { return nnue.Features * m.Width }

// initialize draws the initial weights. If there are several tables, they are zero, and what they share is drawn.
// The other factorizers and the rows of dangers are zero.
func (m *model) initialize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	fill := func(part []float32, lo, hi float64) {
		for i := range part {
			part[i] = float32(lo + (hi-lo)*r.Float64())
		}
	}
	clear(m.parameters)
	tables := m.parameters[m.tables:m.dangers]
	if m.Tables() > 1 {
		tables = m.common()
	}
	feature := 1 / math.Sqrt(nnue.Features)
	fill(tables, -feature, feature)
	// Neurons start in the middle of the quadratic part of the activation.
	fill(m.parameters[:m.tables], 0, 2*startBias)
	// The biases of the later layers are zero.
	for _, part := range []struct{ lo, hi, inputs int }{
		{m.first, m.firstBias, m.Width},
		{m.second, m.secondBias, 2 * m.Layers[0]},
		{m.outputs, m.biases, m.outputInputs()},
	} {
		most := 1 / math.Sqrt(float64(part.inputs))
		fill(m.parameters[part.lo:part.hi], -most, most)
	}
	m.foldAll()
}

const startBias = 0.1

// outputWeights returns the output weights of a bucket in a parameter or
// gradient vector.
func (m *model) outputWeights(vector []float32, bucket int) []float32 {
	n := m.outputInputs()
	return vector[m.outputs:m.biases][bucket*n:][:n]
}

// activations are the values that forward computes for a position and backward
// uses.
type activations struct {
	accumulators []float32 // of both sides, side to move first
	head         headActivations
}

func newActivations(a *nnue.Architecture) *activations {
	return &activations{accumulators: make([]float32, 2*a.Width), head: newHeadActivations(a)}
}

// forward computes the activations for s and returns the output.
func (m *model) forward(s *sample, a *activations) float32 {
	bias := m.parameters[:m.tables]
	simd.SumRowsFloat(a.accumulators[:m.Width], bias, m.sums, s.rows[0][:s.active])
	simd.SumRowsFloat(a.accumulators[m.Width:], bias, m.sums, s.rows[1][:s.active])
	weights, outputBias := m.outputWeights(m.parameters, s.bucket), m.parameters[m.biases+s.bucket]
	if m.HasHead() {
		return m.headForward(s.bucket, a) + outputBias
	}
	return simd.SCReLUDotFloat(a.accumulators, weights) + outputBias
}

// backward adds the gradients for an output whose gradient is g. It overwrites
// the accumulators.
func (m *model) backward(s *sample, a *activations, gradients []float32, g float32) {
	w, v := m.Width, a.accumulators
	if m.HasHead() {
		m.headBackward(s.bucket, a, gradients, g)
	} else {
		simd.SCReLUBackFloat(v, m.outputWeights(gradients, s.bucket), v, m.outputWeights(m.parameters, s.bucket), g)
	}
	gradients[m.biases+s.bucket] += g
	tables := gradients[m.tables:m.first]
	for side, rows := range &s.rows {
		slope := v[side*w:][:w]
		simd.AddToRowsFloat(gradients[:w], slope, []int32{0})
		simd.AddToRowsFloat(tables, slope, rows[:s.active])
	}
}
