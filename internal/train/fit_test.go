package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"skein/nnue"
)

// TestFit expects a much smaller error from fitted weights than from weights
// rounded one by one, on positions not used for the fit.
func TestFit(t *testing.T) {
	for _, a := range shapes {
		c := testConfig(t, a)
		trainer := newTrainer(t, c)
		m := trainer.model
		m.initialize(3)
		for i := range m.parameters[:m.tables] {
			m.parameters[i] += 0.3
		}
		naive := m.quantize()
		chosen, rounding, err := trainer.Quantize(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var sum, others, largest float64
		var s sample
		n, o := newIntegers(naive), newIntegers(chosen)
		activations := newActivations(&a)
		positions := pack(entries(t, 7, 1000)) // the validation data
		for i := range positions {
			if err := s.decode(&a, &positions[i]); err != nil {
				t.Fatal(err)
			}
			want := float64(m.forward(&s, activations))
			sum += math.Abs(float64(n.output(&s))/(nnue.QA*nnue.QB) - want)
			difference := math.Abs(float64(o.output(&s))/(nnue.QA*nnue.QB) - want)
			others, largest = others+difference, max(largest, difference)
		}
		scale := float64(a.Scale) / float64(len(positions))
		if got := others * scale; math.Abs(got-rounding.Mean) > 1e-6 {
			t.Errorf("%v: a mean difference of %g is reported as %g", a, got, rounding.Mean)
		}
		if got := largest * float64(a.Scale); math.Abs(got-rounding.Max) > 1e-6 {
			t.Errorf("%v: a largest difference of %g is reported as %g", a, got, rounding.Max)
		}
		if others > 0.6*sum {
			t.Errorf("%v: %.2f cp on average instead of %.2f", a, others*scale, sum*scale)
		}
		if f := trainer.newFit(chosen, positions, 1); f.counts[0] != len(positions) {
			t.Errorf("%v: a fit to %d of %d positions", a, f.counts[0], len(positions))
		}
		if _, err := nnue.New(chosen); err != nil {
			t.Error(err)
		}
	}
}

// TestFitHead expects a smaller error from a fitted head than from plain
// rounding, and pairs in the order of their activity.
func TestFitHead(t *testing.T) {
	for _, a := range headShapes {
		trainer := newTrainer(t, testConfig(t, a))
		learnAll(t, trainer)
		m := trainer.model
		naive, positions := newIntegers(m.quantize()), pack(entries(t, 7, 1000)) // the validation data
		chosen, rounding, err := trainer.Quantize(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n, activations := newIntegers(chosen), newActivations(&a)
		var s sample
		var plain, fitted float64
		active := make([]int, a.Width)
		for i := range positions {
			if err := s.decode(&a, &positions[i]); err != nil {
				t.Fatal(err)
			}
			want := float64(m.forward(&s, activations))
			plain += math.Abs(float64(naive.output(&s))/float64(n.unit()) - want)
			fitted += math.Abs(float64(n.output(&s))/float64(n.unit()) - want)
			for j, x := range n.products {
				if x != 0 {
					active[j%(a.Width/2)]++
				}
			}
		}
		scale := float64(a.Scale) / float64(len(positions))
		if got := fitted * scale; math.Abs(got-rounding.Mean) > 1e-6 {
			t.Errorf("%v: a mean difference of %g is reported as %g", a, got, rounding.Mean)
		}
		if fitted > 0.8*plain || fitted*scale > 2 {
			t.Errorf("%v: %.2f cp on average instead of %.2f", a, fitted*scale, plain*scale)
		}
		// The order is that of other data, so it holds only approximately.
		first, last := 0, 0
		for j := range a.Width / 8 {
			first, last = first+active[j], last+active[a.Width/2-1-j]
		}
		if first < last {
			t.Errorf("%v: %d nonzero products in the first quarter of pairs, %d in the last", a, first, last)
		}
		if _, err := nnue.New(chosen); err != nil {
			t.Error(err)
		}
	}
}

// TestSolve expects an exact solution in integers to be found, and weights
// within bounds if the best ones are not.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	const n = 40
	for _, factor := range []float64{1, 5} {
		f := newFit(n, 2)
		weights := make([]float32, n)
		for i := range weights {
			weights[i] = float32(float64(r.IntN(255)-127) / nnue.QB * factor)
		}
		const bias = 0.123
		for range 500 {
			activations := []float64{1}
			output := bias
			for _, w := range weights {
				a := max(0, r.Float64()-0.5)
				activations = append(activations, a)
				output += a * float64(w)
			}
			for i, a := range activations {
				f.targets[1][i] += a * output
				for j := i; j <= n; j++ {
					f.row(i)[j] += a * activations[j]
				}
			}
		}
		f.prepare()
		gotBias, got := f.solve(1, bias, weights)
		if factor == 1 && math.Abs(gotBias-bias) > 1e-6 {
			t.Errorf("bias %g instead of %g", gotBias, bias)
		}
		for i, q := range got {
			if want := math.Round(float64(weights[i]) * nnue.QB); factor == 1 && float64(q) != want {
				t.Errorf("weight %d: %d instead of %g", i, q, want)
			}
			if q < -nnue.MaxOutputWeight || q > nnue.MaxOutputWeight {
				t.Errorf("weight %d: %d", i, q)
			}
		}
	}
}
