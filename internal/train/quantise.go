package train

import (
	"context"
	"math"

	"skein/internal/simd"
	"skein/nnue"
)

// quantise rounds the weights to those of the engine.
func (m *model) quantise() *nnue.Parameters {
	p := nnue.NewParameters(m.Architecture)
	round := func(to []int16, from []float32, unit float64) {
		for i, x := range from {
			to[i] = int16(math.Round(float64(x) * unit))
		}
	}
	round(p.FeatureBias, m.parameters[:m.tables], nnue.QA)
	round(p.FeatureWeights, m.sums, nnue.QA)
	round(p.OutputWeights, m.parameters[m.outputs:m.biases], nnue.QB)
	for i := range p.OutputBias {
		p.OutputBias[i] = int32(math.Round(float64(m.parameters[m.biases+i]) * nnue.QA * nnue.QB))
	}
	return p
}

// integers computes a network as the engine does, from the features of the
// trainer.
type integers struct {
	p            *nnue.Parameters
	accumulators []int16
}

// accumulate fills the accumulators, that of the side to move first.
func (n *integers) accumulate(s *sample) {
	for i := range s.rows {
		accumulator := n.accumulators[i*n.p.Width:][:n.p.Width]
		copy(accumulator, n.p.FeatureBias)
		simd.AddSubRows(accumulator, n.p.FeatureWeights, s.rows[i][:s.men], nil)
	}
}

// output returns the output in units of 1/(QA*QB).
func (n *integers) output(s *sample) int64 {
	p := n.p
	n.accumulate(s)
	us, them := n.accumulators[:p.Width], n.accumulators[p.Width:]
	sum := simd.SCReLUDot(us, them, p.OutputWeights[2*p.Width*s.bucket:][:2*p.Width])
	return int64(sum)/nnue.QA + int64(p.OutputBias[s.bucket])
}

// centipawns returns the value the engine gives an output.
func (n *integers) centipawns(output int64) int {
	value := output * int64(n.p.Scale) / (nnue.QA * nnue.QB)
	return int(min(max(value, -nnue.MaxEval), nnue.MaxEval))
}

// Rounding is what quantisation does to the values of positions.
type Rounding struct {
	Positions     int64
	Mean, Max     float64 // difference in centipawns, without its sign
	Before, After Loss
}

// Quantise returns the network as the engine runs it, without a description, and
// how its values on the validation data differ from those of the network in
// real numbers.
func (t *Trainer) Quantise(ctx context.Context) (*nnue.Parameters, Rounding, error) {
	p := t.model.quantise()
	p.Name = t.config.Name
	if err := t.fitOutputs(ctx, p); err != nil {
		return nil, Rounding{}, err
	}
	o := t.config.objective(t.config.resultShare(max(t.batch-1, 0)))
	parts := make([]rounder, len(t.workers))
	n, err := t.eachValidation(ctx, func(b *batch) error {
		t.parallel(func(i int, w *worker) {
			if parts[i].accumulators == nil {
				parts[i].integers = integers{p, make([]int16, 2*p.Width)}
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

// rounder sums differences and losses.
type rounder struct {
	integers
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
		before := float64(m.forward(s, w.accumulators))
		after := float64(r.output(s)) / (nnue.QA * nnue.QB)
		difference := math.Abs(after-before) * float64(m.Scale)
		r.Mean += difference
		r.Max = max(r.Max, difference)
		score, blended := o.targets(s)
		r.Before.add(sigmoid(before*o.slope), score, blended)
		r.After.add(sigmoid(after*o.slope), score, blended)
	}
}

// add adds the sums of a part as parts of the means over n positions.
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
