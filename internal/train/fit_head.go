package train

import (
	"context"
	"math"
	"slices"

	"skein/nnue"
)

// headRecords is the number of positions of the training data that fitHead looks at, at
// most.
const headRecords = 1 << 17

// headSums are sums over positions of what a head computes.
type headSums struct {
	positions []int64   // by output bucket
	products  []int64   // [OutputBuckets][Width], integers
	first     []float64 // [OutputBuckets][Layers[0]], in real numbers
	nonZero   []int     // [Width/2]: views in which the product of a pair is not zero
}

func newHeadSums(a *nnue.Architecture) *headSums {
	return &headSums{
		make([]int64, a.OutputBuckets), make([]int64, a.OutputBuckets*a.Width),
		make([]float64, a.OutputBuckets*a.Layers[0]), make([]int, a.Width/2),
	}
}

// fitHead makes up for what rounding does to the sums of the first layer on
// average, above all the products, which are rounded down: their biases are chosen such
// that on positions of the training data the mean of a sum is that of the
// network in real numbers. Then it orders the neurons: those pairs first whose product is
// not zero most often, so that zeros stand together and the engine can skip
// blocks of them.
//
// Source: M. Nagel et al., "Data-Free Quantization Through Weight Equalization
// and Bias Correction", 2019.
func (t *Trainer) fitHead(ctx context.Context, p *nnue.Parameters) error {
	sums, err := t.headSums(ctx, p)
	if err != nil {
		return err
	}
	for bucket, n := range sums.positions {
		if n == 0 {
			continue
		}
		products := sums.products[bucket*p.Width:][:p.Width]
		for j := range p.Layers[0] {
			neuron := bucket*p.Layers[0] + j
			sum := int64(0)
			for i, w := range p.FirstWeights[neuron*p.Width:][:p.Width] {
				sum += int64(w) * products[i]
			}
			p.FirstBias[neuron] = int32(math.Round((sums.first[neuron]*firstUnit - float64(sum)) / float64(n)))
		}
	}
	order := make([]int, p.Width/2)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return sums.nonZero[b] - sums.nonZero[a] })
	p.Permute(order)
	return nil
}

// headSums returns the sums over positions from the start of the training data.
func (t *Trainer) headSums(ctx context.Context, p *nnue.Parameters) (*headSums, error) {
	if err := t.data.seek(0); err != nil {
		return nil, err
	}
	t.data.sieve = t.config.FilterEnd.sieve(t.config.ScoreScale)
	parts := make([]*headSums, len(t.workers))
	for i := range parts {
		parts[i] = newHeadSums(&p.Architecture)
	}
	b := newBatch(validationBatch)
	for limit := min(t.data.total, headRecords); t.data.read < limit; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.data.fillBatch(b, limit); err != nil {
			return nil, err
		}
		t.parallel(func(i int, w *worker) {
			lo, hi := part(b, i, len(t.workers))
			parts[i].sum(t.model, newIntegers(p), w, b, lo, hi)
		})
		if err := fault(t.workers, t.data, b); err != nil {
			return nil, err
		}
	}
	for _, other := range parts[1:] {
		parts[0].add(other)
	}
	return parts[0], nil
}

// sum adds records lo up to hi of a batch.
func (h *headSums) sum(m *model, n *integers, w *worker, b *batch, lo, hi int) {
	w.err = nil
	s, half := &w.sample, m.Width/2
	for i := lo; i < hi; i++ {
		if err := s.decode(&m.Architecture, &b.records[i]); err != nil {
			w.fault, w.err = i, err
			return
		}
		m.forward(s, w.activations)
		n.output(s)
		h.positions[s.bucket]++
		products := h.products[s.bucket*m.Width:][:m.Width]
		for j, x := range n.products {
			if x != 0 {
				products[j] += int64(x)
				h.nonZero[j%half]++
			}
		}
		first := h.first[s.bucket*m.Layers[0]:]
		for j, x := range w.activations.head.first[:m.Layers[0]] {
			first[j] += float64(x)
		}
	}
}

// add adds the sums of other positions.
func (h *headSums) add(other *headSums) {
	addAll(h.positions, other.positions)
	addAll(h.products, other.products)
	addAll(h.first, other.first)
	addAll(h.nonZero, other.nonZero)
}

func addAll[T int | int64 | float64](to, from []T) {
	for i, x := range from {
		to[i] += x
	}
}
