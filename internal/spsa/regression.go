package spsa

import (
	"errors"
	"math"
)

// regression is a linear least-squares problem without an intercept.
type regression struct {
	rows     int
	products [][]float64 // sums of products of two inputs, the lower triangle
	targets  []float64   // sums of products of an input and the output
	squares  float64     // sum of squares of the output
}

// newRegression returns a problem with n inputs.
func newRegression(n int) *regression {
	r := &regression{targets: make([]float64, n)}
	for i := range n {
		r.products = append(r.products, make([]float64, i+1))
	}
	return r
}

// add adds an observation.
func (r *regression) add(inputs []float64, output float64) {
	for i, x := range inputs {
		for k := range i + 1 {
			r.products[i][k] += x * inputs[k]
		}
		r.targets[i] += x * output
	}
	r.squares += output * output
	r.rows++
}

// leastPivot is the share of an input's square that the inputs before it must not
// explain, and leastResidual the mean square that all of them must leave unexplained.
const (
	leastPivot    = 1e-9
	leastResidual = 1e-9
)

// errTooFew and errNoNoise are the errors of solve.
var (
	errTooFew  = errors.New("too few observations to determine the coefficients and their errors")
	errNoNoise = errors.New("the coefficients explain all observations, so that errors cannot be estimated")
)

// solve returns the coefficients and their standard errors.
func (r *regression) solve() (coefficients, deviations []float64, err error) {
	n := len(r.targets)
	factor, ok := r.factor()
	if !ok || r.rows <= n {
		return nil, nil, errTooFew
	}
	half := forward(factor, r.targets)
	residual := r.squares
	for _, x := range half {
		residual -= x * x
	}
	if residual < leastResidual*float64(r.rows) {
		return nil, nil, errNoNoise
	}
	variance := residual / float64(r.rows-n)
	for i := range n {
		unit := make([]float64, n)
		unit[i] = 1
		column := forward(factor, unit) // of the factor's inverse
		coefficient, square := 0.0, 0.0
		for k, x := range column {
			coefficient += x * half[k]
			square += x * x
		}
		coefficients = append(coefficients, coefficient)
		deviations = append(deviations, math.Sqrt(variance*square))
	}
	return coefficients, deviations, nil
}

// factor returns the lower triangular matrix whose product with its transpose is
// that of the sums of products (Cholesky). It reports false if there is none.
func (r *regression) factor() (rows [][]float64, ok bool) {
	for i, products := range r.products {
		row := forward(rows, products[:i])
		pivot := products[i]
		for _, x := range row {
			pivot -= x * x
		}
		if pivot <= leastPivot*products[i] {
			return nil, false
		}
		rows = append(rows, append(row, math.Sqrt(pivot)))
	}
	return rows, true
}

// forward solves factor * x = b.
func forward(factor [][]float64, b []float64) []float64 {
	x := make([]float64, len(b))
	for i, row := range factor {
		sum := b[i]
		for k := range i {
			sum -= row[k] * x[k]
		}
		x[i] = sum / row[i]
	}
	return x
}
