package train

import (
	"context"
	"math"

	"skein/internal/record"
	"skein/nnue"
)

// The weights behind the accumulators, of the output or with a head of the first
// layer, have few steps (1/QB), and their rounding does most of what
// rounding does to values. So they are not rounded one by one: the integers are
// chosen such that on positions of the training data the sums come near to
// those of the network in real numbers, in the mean square. That is a search for the
// nearest point of a lattice: Babai's nearest plane, then coordinate descent.
//
// Source: L. Babai, "On Lovász' lattice reduction and the nearest lattice point
// problem", 1986.

const (
	fitSamples = 8192    // positions of each output bucket, at most
	fitRecords = 1 << 20 // records to look at for them
	fitPasses  = 30      // of the descent over all weights; a few suffice

	// fitRidge holds back weights of which the positions say little: the square of
	// a weight's change counts as much as in so many activations.
	fitRidge = 0.0001
)

// fitOutputs chooses the output weights and biases of p, whose feature weights
// are rounded.
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
		bias, weights := f.solve(0, float64(t.model.parameters[t.model.biases+bucket]), t.model.outputWeights(t.model.parameters, bucket))
		copy(p.OutputWeights[2*p.Width*bucket:], weights)
		p.OutputBias[bucket] = int32(math.Round(bias * nnue.QA * nnue.QB))
	}
	return nil
}

// newFit returns the problem for the given positions, with as many outputs.
func (t *Trainer) newFit(p *nnue.Parameters, records []record.Packed, outputs int) *fit {
	inputs := 2 * p.Width
	if p.HasHead() {
		inputs = p.Width
	}
	parts := make([]*fit, len(t.workers))
	b := &batch{records: records}
	t.parallel(func(i int, w *worker) {
		parts[i] = newFit(inputs, outputs)
		lo, hi := part(b, i, len(t.workers))
		parts[i].sum(t.model, p, w, records[lo:hi])
	})
	for _, other := range parts[1:] {
		parts[0].add(other)
	}
	parts[0].prepare()
	return parts[0]
}

// fitData returns positions from the start of the training data by output
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
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.data.fillBatch(b, limit); err != nil {
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

// fit is a problem of least squares: the bias and behind it n weights, for each of
// some outputs of the same activations.
type fit struct {
	n        int
	products []float64   // [n+1][n+1]: sums of products of activations, the upper half until prepare
	targets  [][]float64 // by output: sums of products of an activation and the output
	counts   []int       // [n+1]: positions where the activation is not zero
	ridge    float64
	factor   []float64 // of products
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

// sum adds positions, whose outputs are those of m. The activations are those of p.
func (f *fit) sum(m *model, p *nnue.Parameters, w *worker, records []record.Packed) {
	integers := newIntegers(p)
	s := &w.sample
	for i := range records {
		if s.decode(&m.Architecture, &records[i]) != nil {
			continue // never: fitData decoded it
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

// activate notes input j of a position.
func (f *fit) activate(j int, value float64) {
	if value > 0 {
		f.active, f.values = append(f.active, j+1), append(f.values, value)
	}
}

// observe adds the position that is noted.
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

// add adds the sums of another part of the positions.
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

// prepare ends the sums.
func (f *fit) prepare() {
	f.ridge = fitRidge * f.products[0] // of as many positions
	for i := range f.n + 1 {
		f.row(i)[i] += f.ridge
		for j := range i {
			f.row(i)[j] = f.row(j)[i]
		}
	}
	f.factor = f.cholesky()
}

// solve returns the bias and the weights of output k, in units of 1/QB, that fit
// best, near those given.
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

// snap returns the possible value next to x of unknown i: any bias, but
// weights in steps of 1/QB.
func snap(i int, x float64) float64 {
	if i == 0 {
		return x
	}
	return min(max(math.Round(x*nnue.QB), -nnue.MaxOutputWeight), nnue.MaxOutputWeight) / nnue.QB
}

// nearestPlane rounds the solution in real numbers from the last unknown to the first, each
// after the changes that the rounding of those before it asks for.
func (f *fit) nearestPlane(targets []float64) []float64 {
	factor, n := f.factor, f.n+1
	x := make([]float64, n)
	// factor * y = targets, and the transposed factor * x = y.
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

// cholesky returns the lower triangle whose product with its transpose is products.
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
				row[i] = math.Sqrt(sum) // above 0, as the ridge is
			} else {
				row[j] = sum / other[j]
			}
		}
	}
	return factor
}

// descend moves one unknown after the other to where it fits best.
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
