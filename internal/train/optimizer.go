package train

import (
	"math"

	"skein/internal/simd"
	"skein/nnue"
)

// optimizer is AdamW: Adam with decoupled weight decay. A run that starts with a
// network decays to its weights instead of to zero (L2-SP).
//
// Sources: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization",
// 2019; X. Li, Y. Grandvalet, F. Davoine, "Explicit Inductive Bias for Transfer
// Learning with Convolutional Networks", 2018.
type optimizer struct {
	first, second []float32 // moments of the gradients
	updates       int64
}

const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// dangerRate is how many times the learning rate rows of dangers have: a run from a network without them has a low one,
// and they start at zero. So many positions have each danger that its row hardly overfits, and needs no decay.
const dangerRate = 8

func newOptimizer(m *model) *optimizer {
	n := len(m.parameters)
	return &optimizer{first: make([]float32, n), second: make([]float32, n)}
}

// step returns the settings of the next update, with the learning rate and the
// weight decay as a share of it.
func (o *optimizer) step(rate, decay float64) simd.AdamWStep {
	o.updates++
	t := float64(o.updates)
	return simd.AdamWStep{
		Rate: float32(rate), Beta1: beta1, Beta2: beta2, Epsilon: epsilon, Decay: float32(decay),
		Correct1: float32(1 / (1 - math.Pow(beta1, t))),
		Correct2: float32(1 / (1 - math.Pow(beta2, t))),
	}
}

// adam updates the parameters from lo to hi, whose absolute values limit bounds, by the sum of the gradients, which it
// sets to zero.
func (o *optimizer) adam(m *model, gradients [][]float32, step simd.AdamWStep, lo, hi int, limit float64) {
	step.Max = float32(limit)
	parameters := m.parameters[lo:hi]
	if m.origin != nil { // AdamW multiplies by 1 - decay: what is added becomes decay times the origin
		decay := step.Rate * step.Decay
		pull := decay / (1 - decay)
		for i, x := range m.origin[lo:hi] {
			parameters[i] += pull * x
		}
	}
	simd.AdamW(parameters, o.first[lo:hi], o.second[lo:hi], gradients, &step)
}

// updateFactorizers updates the factorizers by the sum of the gradients, which it keeps: worker i of n updates its
// share of their rows.
func (o *optimizer) updateFactorizers(m *model, gradients [][]float32, step *simd.AdamWStep, i, n int) {
	w := m.Width
	zero, sum := make([]float32, w), make([]float32, w)
	sums := [][]float32{sum}
	for _, f := range m.factorizers {
		for j := i; j < len(f.members); j += n {
			from := zero
			for _, g := range gradients {
				simd.SumRowsFloat(sum, from, g[m.tables:m.first], f.members[j])
				from = sum
			}
			lo := f.start + j*w
			o.adam(m, sums, *step, lo, lo+w, f.limit)
		}
	}
}

// update updates the other parameters by the sum of the gradients, which it sets to zero, and then the sums of the
// tables and the factorizers: worker i of n updates its share of the tables and of every other part, and the first one
// the rows of dangers.
func (o *optimizer) update(m *model, gradients [][]float32, step *simd.AdamWStep, i, n int) {
	parts := make([][]float32, len(gradients))
	adam := func(step *simd.AdamWStep, lo, hi int, limit float64) {
		for j := range gradients {
			parts[j] = gradients[j][lo:hi]
		}
		o.adam(m, parts, *step, lo, hi, limit)
	}
	lo, hi := m.rows()*i/n, m.rows()*(i+1)/n
	adam(step, m.tables+lo*m.Width, m.tables+hi*m.Width, maxFeature)
	m.fold(lo, hi)
	if i == 0 {
		rows := *step
		rows.Rate, rows.Decay = dangerRate*step.Rate, 0
		adam(&rows, m.dangers, m.first, maxDanger)
		m.foldDangers()
	}
	for _, part := range m.bounds() {
		size := part.hi - part.lo
		adam(step, part.lo+share(size, i, n), part.lo+share(size, i+1, n), part.limit)
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
		return []bounded{{0, m.tables, maxFeature}, {m.outputs, m.shared, maxOutput}}
	}
	return []bounded{
		{0, m.tables, maxFeature},
		{m.first, m.second, firstLimit}, {m.second, m.outputs, secondLimit}, {m.outputs, m.shared, headLimit},
	}
}

// share returns the start of the share of worker i if size elements are divided
// among n workers, a multiple of 16.
func share(size, i, n int) int { return size / 16 * i / n * 16 }
