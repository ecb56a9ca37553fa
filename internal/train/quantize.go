package train

import (
	"context"
	"math"

	"skein/internal/simd"
	"skein/nnue"
)

// quantize returns the weights rounded to those of the engine.
func (m *model) quantize() *nnue.Parameters {
	p := nnue.NewParameters(m.Architecture)
	roundTo(p.FeatureBias, m.parameters[:m.tables], nnue.QA)
	roundTo(p.FeatureWeights, m.sums, nnue.QA)
	biases := m.parameters[m.biases:][:m.OutputBuckets]
	if !m.HasHead() {
		roundTo(p.OutputWeights, m.parameters[m.outputs:m.biases], nnue.QB)
		roundTo(p.OutputBias, biases, nnue.QA*nnue.QB)
		return p
	}
	first, second := m.Layers[0], m.Layers[1]
	for bucket := range m.OutputBuckets {
		l := m.layers(m.parameters, bucket)
		roundTo(p.FirstWeights[bucket*first*m.Width:], transposed(l.first, first), nnue.QB)
		roundTo(p.FirstBias[bucket*first:], l.firstBias, firstUnit)
		roundTo(p.SecondWeights[bucket*2*first*second:], transposed(l.second, second), nnue.QO)
		roundTo(p.SecondBias[bucket*second:], l.secondBias, nnue.QH*nnue.QO)
		roundTo(p.OutputWeights[bucket*second:], l.output, nnue.QO)
	}
	roundTo(p.OutputBias, biases, nnue.QH*nnue.QO)
	return p
}

// firstUnit is 1 in the unit of the sums of the first layer of a head.
const firstUnit = nnue.QA * nnue.QA / 512.0 * nnue.QB

// roundTo sets dst to the elements of src times unit, rounded.
func roundTo[T int8 | int16 | int32](dst []T, src []float32, unit float64) {
	for i, x := range src {
		dst[i] = T(math.Round(float64(x) * unit))
	}
}

// transposed returns the transpose of a table with n columns.
func transposed(table []float32, n int) []float32 {
	out := make([]float32, len(table))
	for i, x := range table {
		out[i%n*(len(table)/n)+i/n] = x
	}
	return out
}

// integers evaluates a quantized network as the engine does, from the samples
// of the trainer.
type integers struct {
	p            *nnue.Parameters
	accumulators []int16
	heads        []*simd.Head // by output bucket
	products     []uint8      // of a head
}

func newIntegers(p *nnue.Parameters) *integers {
	n := &integers{p: p, accumulators: make([]int16, 2*p.Width)}
	if !p.HasHead() {
		return n
	}
	n.products = make([]uint8, p.Width)
	for bucket := range p.OutputBuckets {
		first, second := bucket*p.Layers[0], bucket*p.Layers[1]
		n.heads = append(n.heads, simd.NewHead(p.Width, p.FirstWeights[first*p.Width:], p.FirstBias[first:],
			p.SecondWeights[second*2*p.Layers[0]:], p.SecondBias[second:], p.OutputWeights[second:]))
	}
	return n
}

// accumulate computes the accumulators, that of the side to move first.
func (n *integers) accumulate(s *sample) {
	for i := range s.rows {
		accumulator := n.accumulators[i*n.p.Width:][:n.p.Width]
		copy(accumulator, n.p.FeatureBias)
		simd.AddSubRows(accumulator, accumulator, n.p.FeatureWeights, s.rows[i][:s.active], nil)
	}
}

// unit returns an output of 1 in the unit of output.
func (n *integers) unit() int64 {
	if n.p.HasHead() {
		return nnue.QH * nnue.QO
	}
	return nnue.QA * nnue.QB
}

// output returns the output for s, in units of 1/unit().
func (n *integers) output(s *sample) int64 {
	p := n.p
	n.accumulate(s)
	us, them := n.accumulators[:p.Width], n.accumulators[p.Width:]
	if p.HasHead() {
		return n.heads[s.bucket].Output(us, them, n.products) + int64(p.OutputBias[s.bucket])
	}
	sum := simd.SCReLUDot(us, them, p.OutputWeights[2*p.Width*s.bucket:][:2*p.Width])
	return int64(sum)/nnue.QA + int64(p.OutputBias[s.bucket])
}

// Rounding is the effect of quantization on the values of positions.
type Rounding struct {
	Positions     int64
	Mean, Max     float64 // absolute difference of values, in units of chess.Score
	Before, After Loss
}

// Quantize returns the quantized network, without a description, and how its
// values on the validation data differ from those of the network in real
// numbers.
func (t *Trainer) Quantize(ctx context.Context) (*nnue.Parameters, Rounding, error) {
	p := t.model.quantize()
	p.Name = t.config.Name
	fit := t.fitOutputs
	if p.HasHead() {
		fit = t.fitHead
	}
	if err := fit(ctx, p); err != nil {
		return nil, Rounding{}, err
	}
	o := t.config.objective(t.config.resultShare(max(t.batch-1, 0)))
	parts := make([]rounder, len(t.workers))
	n, err := t.eachValidation(ctx, func(b *batch) error {
		t.parallel(func(i int, w *worker) {
			if parts[i].integers == nil {
				parts[i].integers = newIntegers(p)
			}
			lo, hi := part(b, i, len(t.workers))
			parts[i].compare(t.model, &o, w, b, lo, hi)
		})
		return fault(t.workers, t.validation, b)
	})
	r := Rounding{Positions: n}
	for _, part := range parts {
		r.add(&part.Rounding, float64(n))
	}
	return p, r, err
}

// rounder computes the Rounding of one worker's positions.
type rounder struct {
	*integers
	Rounding
}

func (r *rounder) compare(m *model, o *objective, w *worker, b *batch, lo, hi int) {
	s := &w.sample
	w.err = nil
	for i := lo; i < hi; i++ {
		if err := s.decode(&m.Architecture, &b.records[i]); err != nil {
			w.fault, w.err = i, err
			return
		}
		before := float64(m.forward(s, w.activations))
		after := float64(r.output(s)) / float64(r.unit())
		difference := math.Abs(after-before) * float64(m.Scale)
		r.Mean += difference
		r.Max = max(r.Max, difference)
		score, blended := o.targets(s)
		r.Before.add(sigmoid(before*o.slope), score, blended)
		r.After.add(sigmoid(after*o.slope), score, blended)
	}
}

// add adds the sums in part, divided by n, to the means.
func (r *Rounding) add(part *Rounding, n float64) {
	if n == 0 {
		return
	}
	r.Mean += part.Mean / n
	r.Max = max(r.Max, part.Max)
	r.Before.Score += part.Before.Score / n
	r.Before.Blended += part.Before.Blended / n
	r.After.Score += part.After.Score / n
	r.After.Blended += part.After.Blended / n
}
