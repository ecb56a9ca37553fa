package train

import (
	"math"
	"math/rand/v2"

	"skein/internal/simd"
	"skein/nnue"
)

// maxWeight bounds the absolute value of every weight. Output weights fit
// nnue.MaxOutputWeight then, and accumulators 16 bits: with a factoriser,
// (2*32+1)*maxWeight*QA is less than 32767.
const maxWeight = 1.97

// model is a network in real numbers.
//
// Its parameters are one vector of several parts: the bias of the accumulators,
// the feature tables, the output weights, the output biases, and, if there is
// more than one table, the factoriser: a table that is added to all others, so
// that they learn from each other.
type model struct {
	nnue.Architecture
	parameters []float32

	// Where parts begin. Gradients are vectors without the factoriser: they are
	// those of the sums.
	tables, outputs, biases, factoriser int

	// sums are the tables with the factoriser added: without one, the tables.
	sums []float32
}

// biasesLength is the room for output biases, which keeps the length of
// vectors a multiple of 16.
const biasesLength = 16

func newModel(a nnue.Architecture) *model {
	m := &model{Architecture: a, tables: a.Width}
	m.outputs = m.tables + a.KingBuckets*m.tableSize()
	m.biases = m.outputs + a.OutputBuckets*2*a.Width
	m.factoriser = m.biases + biasesLength
	size := m.factoriser
	if m.factorised() {
		size += m.tableSize()
	}
	m.parameters = make([]float32, size)
	m.sums = m.parameters[m.tables:m.outputs]
	if m.factorised() {
		m.sums = make([]float32, m.outputs-m.tables)
	}
	return m
}

func (m *model) tableSize() int   { return nnue.Features * m.Width }
func (m *model) factorised() bool { return m.KingBuckets > 1 }

// initialise draws the weights of features and outputs. Those of single king
// buckets are zero: all begin as the factoriser.
func (m *model) initialise(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	fill := func(part []float32, lo, hi float64) {
		for i := range part {
			part[i] = float32(lo + (hi-lo)*r.Float64())
		}
	}
	clear(m.parameters)
	shared := m.parameters[m.tables:m.outputs]
	if m.factorised() {
		shared = m.parameters[m.factoriser:]
	}
	feature := 1 / math.Sqrt(nnue.Features)
	fill(shared, -feature, feature)
	// Neurons begin in the middle of the bent part of the activation.
	fill(m.parameters[:m.tables], 0, 2*startBias)
	output := 1 / math.Sqrt(float64(2*m.Width))
	fill(m.parameters[m.outputs:m.biases], -output, output)
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
		simd.SumRowsFloat(m.sums[i:][:hi-lo], shared, m.parameters[m.tables:m.outputs], row)
	}
}

// outputWeights returns those of a bucket.
func (m *model) outputWeights(vector []float32, bucket int) []float32 {
	return vector[m.outputs:m.biases][bucket*2*m.Width:][:2*m.Width]
}

// forward fills the accumulators of both sides and returns the output.
func (m *model) forward(s *sample, accumulators []float32) float32 {
	bias := m.parameters[:m.tables]
	simd.SumRowsFloat(accumulators[:m.Width], bias, m.sums, s.rows[0][:s.men])
	simd.SumRowsFloat(accumulators[m.Width:], bias, m.sums, s.rows[1][:s.men])
	return simd.SCReLUDotFloat(accumulators, m.outputWeights(m.parameters, s.bucket)) + m.parameters[m.biases+s.bucket]
}

// backward adds to the gradients those of an output whose own gradient is g.
// It overwrites the accumulators.
func (m *model) backward(s *sample, accumulators, gradients []float32, g float32) {
	w := m.Width
	simd.SCReLUBackFloat(accumulators, m.outputWeights(gradients, s.bucket), accumulators, m.outputWeights(m.parameters, s.bucket), g)
	gradients[m.biases+s.bucket] += g
	tables := gradients[m.tables:m.outputs]
	for side, rows := range &s.rows {
		slope := accumulators[side*w:][:w]
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

// update moves part of the parameters along the gradients, which it leaves zero: worker i
// of n updates its share of every table, the last one also what is not in tables.
func (o *optimiser) update(m *model, gradients [][]float32, step *simd.AdamWStep, i, n int) {
	adam := func(gradients [][]float32, lo, hi, shift int) {
		parts := make([][]float32, len(gradients))
		for j := range gradients {
			parts[j] = gradients[j][lo-shift : hi-shift]
		}
		simd.AdamW(m.parameters[lo:hi], o.first[lo:hi], o.second[lo:hi], parts, step)
	}
	lo, hi := share(m.tableSize(), i, n), share(m.tableSize(), i+1, n)
	if m.factorised() && lo < hi {
		row := make([]int32, 1)
		for _, g := range gradients {
			for table := m.tables; table < m.outputs; table += m.tableSize() {
				simd.AddToRowsFloat(o.shared[lo:hi], g[table+lo:table+hi], row)
			}
		}
		adam([][]float32{o.shared}, m.factoriser+lo, m.factoriser+hi, m.factoriser)
	}
	for table := m.tables; table < m.outputs && lo < hi; table += m.tableSize() {
		adam(gradients, table+lo, table+hi, 0)
	}
	m.fold(lo, hi)
	if i == n-1 {
		adam(gradients, 0, m.tables, 0)
		adam(gradients, m.outputs, m.factoriser, 0)
	}
}

// share returns where the part of worker i begins if size elements are split
// among n, in whole vectors.
func share(size, i, n int) int { return size / 16 * i / n * 16 }
