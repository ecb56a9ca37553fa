package train

import (
	"context"
	"math"
	"slices"

	"skein/nnue"
)

// fitHead sets the weights and biases of the first layers of p, whose feature weights are already rounded. The biases
// compensate for the mean error of products, which are rounded down. Then it sorts pairs of neurons by how often their
// product is not zero, so that zeros are adjacent and the engine can skip blocks of them.
func (t *Trainer) fitHead(ctx context.Context, p *nnue.Parameters) error {
	buckets, err := t.fitData(ctx)
	if err != nil {
		return err
	}
	m, neurons := t.model, p.Layers[0]
	nonZero := make([]int, p.Width/2) // by pair: number of accumulators in which its product is not zero
	for bucket, records := range buckets {
		if len(records) == 0 {
			continue
		}
		f := t.newFit(p, records, neurons)
		l := m.layers(m.parameters, bucket)
		rows := transposed(l.first, neurons)
		t.parallel(func(i int, _ *worker) {
			for j := i; j < neurons; j += len(t.workers) {
				bias, weights := f.solve(j, float64(l.firstBias[j]), rows[j*p.Width:][:p.Width])
				p.FirstBias[bucket*neurons+j] = int32(math.Round(bias * firstUnit))
				for k, w := range weights {
					p.FirstWeights[(bucket*neurons+j)*p.Width+k] = int8(w)
				}
			}
		})
		for i, n := range f.counts[1:] {
			nonZero[i%len(nonZero)] += n
		}
	}
	order := make([]int, len(nonZero))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return nonZero[b] - nonZero[a] })
	p.Permute(order)
	return nil
}
