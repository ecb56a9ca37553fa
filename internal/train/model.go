package train

import (
	"math"
	"math/rand/v2"

	"skein/internal/simd"
	"skein/nnue"
)

// maxWeight bounds the absolute values of the weights of features, of their
// biases, and of the outputs of a network without a head. The latter fit
// nnue.MaxOutputWeight then, and accumulators 16 bits: with a factoriser,
// (2*32+1)*maxWeight*QA is less than 32767.
const maxWeight = 1.97

// model is a network in real numbers.
//
// Its parameters are one vector of several parts: the bias of the accumulators,
// the feature tables, the layers of the head, if there is one, the output weights, the
// output biases, and, if there is more than one table, the factoriser: a table
// that is added to all others, so that they learn from each other.
type model struct {
	nnue.Architecture
	parameters []float32

	// Where parts begin. Gradients are vectors without the factoriser: they are
	// those of the sums. The tables end where first begins; without a head the
	// parts of its layers are empty.
	tables, first, firstBias, second, secondBias, outputs, biases, factoriser int

	// sums are the tables with the factoriser added: without one, the tables.
	sums []float32
}

// biasesLength is the room for output biases, which keeps the length of
// vectors a multiple of 16.
const biasesLength = 16

func newModel(a nnue.Architecture) *model {
	m := &model{Architecture: a, tables: a.Width}
	m.first = m.tables + a.KingBuckets*m.tableSize()
	m.firstBias = m.first + a.OutputBuckets*a.Width*a.Layers[0]
	m.second = m.firstBias + a.OutputBuckets*a.Layers[0]
	m.secondBias = m.second + a.OutputBuckets*2*a.Layers[0]*a.Layers[1]
	m.outputs = m.secondBias + a.OutputBuckets*a.Layers[1]
	m.biases = m.outputs + a.OutputBuckets*m.outputInputs()
	m.factoriser = m.biases + biasesLength
	size := m.factoriser
	if m.factorised() {
		size += m.tableSize()
	}
	m.parameters = make([]float32, size)
	m.sums = m.parameters[m.tables:m.first]
	if m.factorised() {
		m.sums = make([]float32, m.first-m.tables)
	}
	return m
}

// outputInputs returns the number of weights of an output.
func (m *model) outputInputs() int {
	if m.HasHead() {
		return m.Layers[1]
	}
	return 2 * m.Width
}

func (m *model) tableSize() int   { return nnue.Features * m.Width }
func (m *model) factorised() bool { return m.KingBuckets > 1 }

// initialise draws the weights. Those of features of single king buckets are
// zero: all begin as the factoriser.
func (m *model) initialise(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	fill := func(part []float32, lo, hi float64) {
		for i := range part {
			part[i] = float32(lo + (hi-lo)*r.Float64())
		}
	}
	clear(m.parameters)
	shared := m.parameters[m.tables:m.first]
	if m.factorised() {
		shared = m.parameters[m.factoriser:]
	}
	feature := 1 / math.Sqrt(nnue.Features)
	fill(shared, -feature, feature)
	// Neurons begin in the middle of the bent part of the activation.
	fill(m.parameters[:m.tables], 0, 2*startBias)
	// The biases of the layers behind are zero.
	for _, part := range []struct{ lo, hi, inputs int }{
		{m.first, m.firstBias, m.Width}, {m.second, m.secondBias, 2 * m.Layers[0]}, {m.outputs, m.biases, m.outputInputs()},
	} {
		most := 1 / math.Sqrt(float64(part.inputs))
		fill(m.parameters[part.lo:part.hi], -most, most)
	}
	m.fold(0, m.tableSize())
}

const startBias = 0.1

// fold adds the factoriser to all tables, from element lo of a table up to hi.
func (m *model) fold(lo, hi int) {
	if !m.factorised() {
		return
	}
	shared := m.parameters[m.factoriser:][lo:hi]
	row := make([]int32, 1)
	for i := lo; i < len(m.sums); i += m.tableSize() {
		row[0] = int32(i)
		simd.SumRowsFloat(m.sums[i:][:hi-lo], shared, m.parameters[m.tables:m.first], row)
	}
}

// outputWeights returns those of a bucket.
func (m *model) outputWeights(vector []float32, bucket int) []float32 {
	n := m.outputInputs()
	return vector[m.outputs:m.biases][bucket*n:][:n]
}

// activations are what forward computes of a position and backward needs.
type activations struct {
	accumulators []float32 // of both sides, that to move first
	head         headActivations
}

func newActivations(a *nnue.Architecture) *activations {
	return &activations{accumulators: make([]float32, 2*a.Width), head: newHeadActivations(a)}
}

// forward fills the activations and returns the output.
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

// backward adds to the gradients those of an output whose own gradient is g.
// It overwrites the accumulators.
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

// optimiser is AdamW: Adam with weight decay apart from the gradient.
//
// Source: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization",
// 2017.
type optimiser struct {
	first, second []float32 // moments of the gradients
	updates       int64
	shared        []float32 // gradient of the factoriser
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

func newOptimiser(m *model) *optimiser {
	n := len(m.parameters)
	return &optimiser{first: make([]float32, n), second: make([]float32, n), shared: make([]float32, n-m.factoriser)}
}

// step returns the settings of the next update.
func (o *optimiser) step(rate, decay float64) simd.AdamWStep {
	o.updates++
	t := float64(o.updates)
	return simd.AdamWStep{
		Rate: float32(rate), Beta1: beta1, Beta2: beta2, Epsilon: epsilon, Decay: float32(decay), Max: maxWeight,
		Correct1: float32(1 / (1 - math.Pow(beta1, t))),
		Correct2: float32(1 / (1 - math.Pow(beta2, t))),
	}
}

// update moves part of the parameters along the gradients, which it leaves zero:
// worker i of n updates its share of every table and of every other part.
func (o *optimiser) update(m *model, gradients [][]float32, step *simd.AdamWStep, i, n int) {
	adam := func(gradients [][]float32, lo, hi, shift int, limit float64) {
		parts := make([][]float32, len(gradients))
		for j := range gradients {
			parts[j] = gradients[j][lo-shift : hi-shift]
		}
		within := *step
		within.Max = float32(limit)
		simd.AdamW(m.parameters[lo:hi], o.first[lo:hi], o.second[lo:hi], parts, &within)
	}
	lo, hi := share(m.tableSize(), i, n), share(m.tableSize(), i+1, n)
	if m.factorised() && lo < hi {
		row := make([]int32, 1)
		for _, g := range gradients {
			for table := m.tables; table < m.first; table += m.tableSize() {
				simd.AddToRowsFloat(o.shared[lo:hi], g[table+lo:table+hi], row)
			}
		}
		adam([][]float32{o.shared}, m.factoriser+lo, m.factoriser+hi, m.factoriser, maxWeight)
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

// bounded is a part of the parameters and the bound of their absolute values.
type bounded struct {
	lo, hi int
	limit  float64
}

// Bounds of the weights of a head, and of its biases: of both layers and of the output.
// The weights fit the bounds of package nnue then once they are rounded.
const (
	firstLimit  = float64(nnue.MaxFirstWeight) / nnue.QB
	secondLimit = float64(nnue.MaxSecondWeight) / nnue.QO
	headLimit   = float64(nnue.MaxHeadWeight) / nnue.QO
)

// bounds lists the parts behind and before the tables.
func (m *model) bounds() []bounded {
	if !m.HasHead() {
		return []bounded{{0, m.tables, maxWeight}, {m.outputs, m.factoriser, maxWeight}}
	}
	return []bounded{
		{0, m.tables, maxWeight},
		{m.first, m.second, firstLimit}, {m.second, m.outputs, secondLimit}, {m.outputs, m.factoriser, headLimit},
	}
}

// share returns where the part of worker i begins if size elements are split
// among n, in whole vectors.
func share(size, i, n int) int { return size / 16 * i / n * 16 }
