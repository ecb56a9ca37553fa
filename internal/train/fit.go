package train

import (
	"context"
	"math"

	"skein/internal/record"
	"skein/nnue"
)

// The weights after the accumulators, those of the output or, with a head, of
// its first layer, are quantized coarsely (1/QB) and cause most of the rounding
// error of values. They are therefore not rounded one by one: the integers are
// chosen to minimize, on positions of the training data, the mean squared
// difference of the sums from those in real numbers. This is a closest vector
// problem in a lattice, solved approximately by Babai's nearest plane algorithm
// and coordinate descent.
//
// Source: L. Babai, "On Lovász' lattice reduction and the nearest lattice point
// problem", 1986.

const (
	fitSamples = 8192    // maximum number of positions per output bucket
	fitRecords = 1 << 20 // maximum number of records read for them
	fitParts   = 8       // maximum number of sums of products, which need much memory if the network is wide
	fitPasses  = 30      // maximum number of passes of the descent over all weights

	// fitRidge regularizes weights that the positions hardly determine: the
	// penalty on the square of a weight's change, per position.
	fitRidge = 0.0001
)

// fitOutputs sets the output weights and biases of p, whose feature weights are
// already rounded.
func (t *Trainer) fitOutputs(ctx context.Context, p *nnue.Parameters) error {
	buckets, err := t.fitData(ctx)
	if err != nil {
		return err
	}
	for bucket, records := range buckets {
		if len(records) == 0 {
			continue
		}
		f := t.newFit(p, records, 1)
		m := t.model
		bias, weights := f.solve(0, float64(m.parameters[m.biases+bucket]), m.outputWeights(m.parameters, bucket))
		copy(p.OutputWeights[2*p.Width*bucket:], weights)
		p.OutputBias[bucket] = int32(math.Round(bias * nnue.QA * nnue.QB))
	}
	return nil
}

// newFit returns the least-squares problem for the given positions and number
// of outputs.
func (t *Trainer) newFit(p *nnue.Parameters, records []record.Packed, outputs int) *fit {
	inputs := 2 * p.Width
	if p.HasHead() {
		inputs = p.Width
	}
	parts := make([]*fit, min(len(t.workers), fitParts))
	b := &batch{records: records}
	t.parallel(func(i int, w *worker) {
		if i >= len(parts) {
			return
		}
		parts[i] = newFit(inputs, outputs)
		lo, hi := part(b, i, len(parts))
		parts[i].sum(t.model, p, w, records[lo:hi])
	})
	for _, other := range parts[1:] {
		parts[0].add(other)
	}
	parts[0].prepare()
	return parts[0]
}

// fitData returns positions from the start of the training data, by output
// bucket.
func (t *Trainer) fitData(ctx context.Context) ([][]record.Packed, error) {
	if err := t.data.seek(0); err != nil {
		return nil, err
	}
	t.data.sieve = t.config.FilterEnd.sieve(t.config.ScoreScale)
	buckets := make([][]record.Packed, t.model.OutputBuckets)
	b := newBatch(validationBatch)
	limit := min(t.data.total, fitRecords)
	for full := 0; t.data.read < limit && full < len(buckets); {
		if err := t.data.fillBatch(ctx, b, limit); err != nil {
			return nil, err
		}
		s := &t.workers[0].sample
		for i := range b.records {
			if err := s.decode(&t.model.Architecture, &b.records[i]); err != nil {
				return nil, t.data.fault(b, i, err)
			}
			if list := &buckets[s.bucket]; len(*list) < fitSamples {
				*list = append(*list, b.records[i])
				if len(*list) == fitSamples {
					full++
				}
			}
		}
	}
	return buckets, nil
}

// fit is a least-squares problem. The unknowns are the bias and n weights of
// each output; all outputs have the same activations.
type fit struct {
	n        int
	products []float64   // [n+1][n+1]: sums of products of activations, only the upper triangle before prepare
	targets  [][]float64 // by output: sums of products of each activation and the output
	counts   []int       // [n+1]: number of positions where the activation is not zero
	ridge    float64
	factor   []float64 // Cholesky factor of products
	active   []int
	values   []float64
}

func newFit(n, outputs int) *fit {
	f := &fit{n: n, products: make([]float64, (n+1)*(n+1)), counts: make([]int, n+1)}
	for range outputs {
		f.targets = append(f.targets, make([]float64, n+1))
	}
	return f
}

// sum adds positions, with the outputs of m and the activations of p.
func (f *fit) sum(m *model, p *nnue.Parameters, w *worker, records []record.Packed) {
	integers := newIntegers(p)
	s := &w.sample
	for i := range records {
		if s.decode(&m.Architecture, &records[i]) != nil {
			continue // impossible: fitData decoded it
		}
		outputs := []float32{m.forward(s, w.activations)}
		integers.output(s)
		f.active, f.values = append(f.active[:0], 0), append(f.values[:0], 1)
		if m.HasHead() {
			outputs = w.activations.head.first[:m.Layers[0]]
			for j, x := range integers.products {
				f.activate(j, float64(x)*(nnue.QB/firstUnit))
			}
		} else {
			for j, x := range integers.accumulators {
				v := float64(min(max(x, 0), nnue.QA)) / nnue.QA
				f.activate(j, v*v)
			}
		}
		f.observe(outputs)
	}
}

// activate sets activation j of the current position.
func (f *fit) activate(j int, value float64) {
	if value > 0 {
		f.active, f.values = append(f.active, j+1), append(f.values, value)
	}
}

// observe adds the current position with its outputs.
func (f *fit) observe(outputs []float32) {
	for j, row := range f.active {
		v := f.values[j]
		f.counts[row]++
		for k, output := range outputs {
			f.targets[k][row] += v * float64(output)
		}
		products := f.row(row)
		for k := j; k < len(f.active); k++ {
			products[f.active[k]] += v * f.values[k]
		}
	}
}

func (f *fit) row(i int) []float64 { return f.products[i*(f.n+1):][:f.n+1] }

// add adds the sums of other, over other positions.
func (f *fit) add(other *fit) {
	addAll(f.products, other.products)
	addAll(f.counts, other.counts)
	for k, targets := range other.targets {
		addAll(f.targets[k], targets)
	}
}

func addAll[T int | float64](to, from []T) {
	for i, x := range from {
		to[i] += x
	}
}

// prepare completes the sums and factors products.
func (f *fit) prepare() {
	f.ridge = fitRidge * f.products[0] // products[0] is the number of positions
	for i := range f.n + 1 {
		f.row(i)[i] += f.ridge
		for j := range i {
			f.row(i)[j] = f.row(j)[i]
		}
	}
	f.factor = f.cholesky()
}

// solve returns the best bias, and weights in units of 1/QB, of output k that
// it finds near the given ones.
func (f *fit) solve(k int, bias float64, weights []float32) (float64, []int16) {
	targets := f.targets[k]
	targets[0] += f.ridge * bias
	for i, w := range weights {
		targets[i+1] += f.ridge * float64(w)
	}
	x := f.nearestPlane(targets)
	f.descend(x, targets)
	rounded := make([]int16, f.n)
	for i := range rounded {
		rounded[i] = int16(math.Round(x[i+1] * nnue.QB))
	}
	return x[0], rounded
}

// snap returns the allowed value of unknown i that is closest to x: any for the
// bias, multiples of 1/QB within bounds for weights.
func snap(i int, x float64) float64 {
	if i == 0 {
		return x
	}
	return min(max(math.Round(x*nnue.QB), -nnue.MaxOutputWeight), nnue.MaxOutputWeight) / nnue.QB
}

// nearestPlane rounds the real solution from the last unknown to the first, adjusting each to the rounding of the
// previous ones.
func (f *fit) nearestPlane(targets []float64) []float64 {
	factor, n := f.factor, f.n+1
	x := make([]float64, n)
	// Solves factor * y = targets, then factorᵀ * x = y.
	y := make([]float64, n)
	for i := range n {
		sum := targets[i]
		for j, a := range factor[i*n:][:i] {
			sum -= a * y[j]
		}
		y[i] = sum / factor[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		x[i] = snap(i, y[i]/factor[i*n+i])
		for j, a := range factor[i*n:][:i] {
			y[j] -= a * x[i]
		}
	}
	return x
}

// cholesky returns the lower triangular matrix whose product with its transpose
// is products.
func (f *fit) cholesky() []float64 {
	n := f.n + 1
	factor := make([]float64, n*n)
	for i := range n {
		row := factor[i*n:][:n]
		for j := range i + 1 {
			other := factor[j*n:][:n]
			sum := f.row(i)[j]
			for k, a := range row[:j] {
				sum -= a * other[k]
			}
			if i == j {
				row[i] = math.Sqrt(sum) // positive because of the ridge
			} else {
				row[j] = sum / other[j]
			}
		}
	}
	return factor
}

// descend improves x by coordinate descent: it sets one unknown after the other
// to its best value.
func (f *fit) descend(x, targets []float64) {
	slope := make([]float64, len(x)) // half the gradient of the sum of squares
	change := func(i int, by float64) {
		for j, a := range f.row(i) {
			slope[j] += by * a
		}
	}
	for i := range x {
		slope[i] -= targets[i]
		change(i, x[i])
	}
	for moved, pass := true, 0; moved && pass < fitPasses; pass++ {
		moved = false
		for i := range x {
			by := snap(i, x[i]-slope[i]/f.row(i)[i]) - x[i]

			if math.Abs(by) < 1e-9 {
				continue
			}
			change(i, by)
			x[i] += by
			moved = moved || i > 0
		}
	}
}
