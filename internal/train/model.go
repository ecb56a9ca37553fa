package train

import (
	"math"
	"math/rand/v2"

	"skein/internal/simd"
	"skein/nnue"
)

// maxWeight bounds the absolute values of feature weights and biases, and of
// the output weights of a network without a head. Output weights are thereby
// within nnue.MaxOutputWeight, and accumulators fit 16 bits: with a factorizer,
// (2*32+1)*maxWeight*QA is less than 32767.
const maxWeight = 1.97

// model is a network in real numbers.
//
// Its parameters are one vector with several parts: the bias of the
// accumulators, the feature tables, the layers of the head, if any, the output
// weights, the output biases, and, if there is more than one table, the
// factorizer: a table that is added to all others and represents what they have
// in common.
type model struct {
	nnue.Architecture
	parameters []float32

	// The offsets of the parts. Gradient vectors do not have the factorizer:
	// they are gradients of the sums. The tables end at first; without a head
	// the parts of its layers are empty.
	tables, first, firstBias, second, secondBias, outputs, biases, factorizer int

	// sums are the tables with the factorizer added; without one, the tables.
	sums []float32

	// origin is what weight decay leads to: the parameters of the network that a
	// run starts with, zero where it has none; nil for zero everywhere.
	origin []float32
}

// biasesLength is the length of the part of the output biases, padded so that
// the length of vectors is a multiple of 16.
const biasesLength = 16

func newModel(a nnue.Architecture) *model {
	m := &model{Architecture: a, tables: a.Width}
	m.first = m.tables + a.Tables()*m.tableSize()
	m.firstBias = m.first + a.OutputBuckets*a.Width*a.Layers[0]
	m.second = m.firstBias + a.OutputBuckets*a.Layers[0]
	m.secondBias = m.second + a.OutputBuckets*2*a.Layers[0]*a.Layers[1]
	m.outputs = m.secondBias + a.OutputBuckets*a.Layers[1]
	m.biases = m.outputs + a.OutputBuckets*m.outputInputs()
	m.factorizer = m.biases + biasesLength
	size := m.factorizer
	if m.factorized() {
		size += m.tableSize()
	}
	m.parameters = make([]float32, size)
	m.sums = m.parameters[m.tables:m.first]
	if m.factorized() {
		m.sums = make([]float32, m.first-m.tables)
	}
	return m
}

// outputInputs returns the number of inputs of the output.
func (m *model) outputInputs() int {
	if m.HasHead() {
		return m.Layers[1]
	}
	return 2 * m.Width
}

func (m *model) tableSize() int   { return nnue.Features * m.Width }
func (m *model) factorized() bool { return m.Tables() > 1 }

// initialize draws the initial weights. With a factorizer, the tables are zero.
func (m *model) initialize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	fill := func(part []float32, lo, hi float64) {
		for i := range part {
			part[i] = float32(lo + (hi-lo)*r.Float64())
		}
	}
	clear(m.parameters)
	shared := m.parameters[m.tables:m.first]
	if m.factorized() {
		shared = m.parameters[m.factorizer:]
	}
	feature := 1 / math.Sqrt(nnue.Features)
	fill(shared, -feature, feature)
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
	m.fold(0, m.tableSize())
}

const startBias = 0.1

// fold sets elements lo up to hi of the sums of all tables with the factorizer.
func (m *model) fold(lo, hi int) {
	if !m.factorized() {
		return
	}
	shared := m.parameters[m.factorizer:][lo:hi]
	row := make([]int32, 1)
	for i := lo; i < len(m.sums); i += m.tableSize() {
		row[0] = int32(i)
		simd.SumRowsFloat(m.sums[i:][:hi-lo], shared, m.parameters[m.tables:m.first], row)
	}
}

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
	simd.SumRowsFloat(a.accumulators[:m.Width], bias, m.sums, s.rows[0][:s.men])
	simd.SumRowsFloat(a.accumulators[m.Width:], bias, m.sums, s.rows[1][:s.men])
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
		simd.AddToRowsFloat(tables, slope, rows[:s.men])
	}
}

// optimizer is AdamW: Adam with decoupled weight decay. A run that starts with a
// network decays to its weights instead of to zero (L2-SP).
//
// Sources: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization",
// 2017; X. Li, Y. Grandvalet, F. Davoine, "Explicit Inductive Bias for Transfer
// Learning with Convolutional Networks", 2018.
type optimizer struct {
	first, second []float32 // moments of the gradients
	updates       int64
	shared        []float32 // gradient of the factorizer
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

func newOptimizer(m *model) *optimizer {
	n := len(m.parameters)
	return &optimizer{first: make([]float32, n), second: make([]float32, n), shared: make([]float32, n-m.factorizer)}
}

// step returns the settings of the next update, with the learning rate and the
// weight decay as a share of it.
func (o *optimizer) step(rate, decay float64) simd.AdamWStep {
	o.updates++
	t := float64(o.updates)
	return simd.AdamWStep{
		Rate: float32(rate), Beta1: beta1, Beta2: beta2, Epsilon: epsilon, Decay: float32(decay), Max: maxWeight,
		Correct1: float32(1 / (1 - math.Pow(beta1, t))),
		Correct2: float32(1 / (1 - math.Pow(beta2, t))),
	}
}

// update updates the parameters by the sum of the gradients, which it sets to
// zero: worker i of n updates its share of every table and of every other part.
func (o *optimizer) update(m *model, gradients [][]float32, step *simd.AdamWStep, i, n int) {
	adam := func(gradients [][]float32, lo, hi, shift int, limit float64) {
		parts := make([][]float32, len(gradients))
		for j := range gradients {
			parts[j] = gradients[j][lo-shift : hi-shift]
		}
		within := *step
		within.Max = float32(limit)
		if m.origin != nil { // of which AdamW takes as much away
			decay := step.Rate * step.Decay
			for i, x := range m.origin[lo:hi] {
				m.parameters[lo+i] += decay * x
			}
		}
		simd.AdamW(m.parameters[lo:hi], o.first[lo:hi], o.second[lo:hi], parts, &within)
	}
	lo, hi := share(m.tableSize(), i, n), share(m.tableSize(), i+1, n)
	if m.factorized() && lo < hi {
		row := make([]int32, 1)
		for _, g := range gradients {
			for table := m.tables; table < m.first; table += m.tableSize() {
				simd.AddToRowsFloat(o.shared[lo:hi], g[table+lo:table+hi], row)
			}
		}
		adam([][]float32{o.shared}, m.factorizer+lo, m.factorizer+hi, m.factorizer, maxWeight)
	}
	for table := m.tables; table < m.first && lo < hi; table += m.tableSize() {
		adam(gradients, table+lo, table+hi, 0, maxWeight)
	}
	m.fold(lo, hi)
	for _, part := range m.bounds() {
		size := part.hi - part.lo
		adam(gradients, part.lo+share(size, i, n), part.lo+share(size, i+1, n), 0, part.limit)
	}
}

// bounded is a part of the parameters and the bound of its absolute values.
type bounded struct {
	lo, hi int
	limit  float64
}

// The bounds of the weights of a head, and of its biases: of both layers and of
// the output. Rounded weights are thereby within the bounds of package nnue.
const (
	firstLimit  = float64(nnue.MaxFirstWeight) / nnue.QB
	secondLimit = float64(nnue.MaxSecondWeight) / nnue.QO
	headLimit   = float64(nnue.MaxHeadWeight) / nnue.QO
)

// bounds returns the parts other than the tables.
func (m *model) bounds() []bounded {
	if !m.HasHead() {
		return []bounded{{0, m.tables, maxWeight}, {m.outputs, m.factorizer, maxWeight}}
	}
	return []bounded{
		{0, m.tables, maxWeight},
		{m.first, m.second, firstLimit}, {m.second, m.outputs, secondLimit}, {m.outputs, m.factorizer, headLimit},
	}
}

// share returns the start of the share of worker i if size elements are divided
// among n workers, a multiple of 16.
func share(size, i, n int) int { return size / 16 * i / n * 16 }
