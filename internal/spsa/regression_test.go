package spsa

import (
	"math"
	"testing"
)

// TestRegression compares a small problem with the solution by hand: the inputs are
// orthogonal, so that each coefficient is that of the input alone.
func TestRegression(t *testing.T) {
	r := newRegression(2)
	inputs := [][]float64{{1, 1}, {1, -1}, {1, 0}, {2, 0}}
	for i, output := range []float64{5, 1, 2, 7} {
		r.add(inputs[i], output)
	}
	coefficients, deviations, ok := r.solve()
	if !ok {
		t.Fatal("no solution")
	}
	// The sums of squares are 7 and 2, those of products 22 and 4, and the squares of
	// the outputs are 79 in total.
	variance := (79 - 22.0*22/7 - 4.0*4/2) / 2
	want := []float64{22.0 / 7, 2, math.Sqrt(variance / 7), math.Sqrt(variance / 2)}
	for i, got := range append(coefficients, deviations...) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("%v ± %v, want %v", coefficients, deviations, want)
			break
		}
	}
}

// TestCorrelatedInputs solves a problem whose inputs are not orthogonal.
func TestCorrelatedInputs(t *testing.T) {
	r := newRegression(2)
	for _, row := range [][3]float64{{1, 0, 1}, {0, 1, 2}, {1, 1, 6}} {
		r.add(row[:2], row[2])
	}
	// The normal equations are 2a + b = 7 and a + 2b = 8. The residuals are -1, -1 and
	// 1, and the diagonal of the inverse is 2/3.
	coefficients, deviations, ok := r.solve()
	if !ok || math.Abs(coefficients[0]-2) > 1e-12 || math.Abs(coefficients[1]-3) > 1e-12 ||
		math.Abs(deviations[0]-math.Sqrt2) > 1e-12 || math.Abs(deviations[1]-math.Sqrt2) > 1e-12 {
		t.Error(coefficients, deviations, ok)
	}
}

// TestUnsolvable checks that observations that do not determine the coefficients and
// their errors are told from those that do.
func TestUnsolvable(t *testing.T) {
	for name, rows := range map[string][][3]float64{
		"none":          nil,
		"one row":       {{1, -1, 1}},
		"as many rows":  {{1, -1, 1}, {1, 1, 2}},
		"equal inputs":  {{1, 1, 1}, {-1, -1, 2}, {1, 1, 0}, {-1, -1, 0.5}},
		"a zero input":  {{1, 0, 1}, {-1, 0, 2}, {1, 0, 0}},
		"no residuals":  {{1, 1, 3}, {1, -1, -1}, {-1, 1, 1}},
		"outputs of 0":  {{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}},
		"multiple rows": {{1, -1, 1}, {-1, 1, 0}, {1, -1, 0}},
	} {
		r := newRegression(2)
		for _, row := range rows {
			r.add(row[:2], row[2])
		}
		if coefficients, deviations, ok := r.solve(); ok {
			t.Errorf("%s: %v ± %v", name, coefficients, deviations)
		}
	}
}
