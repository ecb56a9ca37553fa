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
	coefficients, deviations, err := r.solve()
	if err != nil {
		t.Fatal(err)
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
	coefficients, deviations, err := r.solve()
	if err != nil || math.Abs(coefficients[0]-2) > 1e-12 || math.Abs(coefficients[1]-3) > 1e-12 ||
		math.Abs(deviations[0]-math.Sqrt2) > 1e-12 || math.Abs(deviations[1]-math.Sqrt2) > 1e-12 {
		t.Error(coefficients, deviations, err)
	}
}

// TestUnsolvable checks that observations that do not determine the coefficients and
// their errors are told from those that do.
func TestUnsolvable(t *testing.T) {
	for _, test := range []struct {
		name string
		want error
		rows [][3]float64
	}{
		{"none", errTooFew, nil},
		{"one row", errTooFew, [][3]float64{{1, -1, 1}}},
		{"as many rows", errTooFew, [][3]float64{{1, -1, 1}, {1, 1, 2}}},
		{"equal inputs", errTooFew, [][3]float64{{1, 1, 1}, {-1, -1, 2}, {1, 1, 0}, {-1, -1, 0.5}}},
		{"a zero input", errTooFew, [][3]float64{{1, 0, 1}, {-1, 0, 2}, {1, 0, 0}}},
		{"no residuals", errNoNoise, [][3]float64{{1, 1, 3}, {1, -1, -1}, {-1, 1, 1}}},
		{"outputs of 0", errNoNoise, [][3]float64{{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}}},
		{"multiple rows", errTooFew, [][3]float64{{1, -1, 1}, {-1, 1, 0}, {1, -1, 0}}},
	} {
		r := newRegression(2)
		for _, row := range test.rows {
			r.add(row[:2], row[2])
		}
		if coefficients, deviations, err := r.solve(); err != test.want {
			t.Errorf("%s: %v, %v ± %v", test.name, err, coefficients, deviations)
		}
	}
}
