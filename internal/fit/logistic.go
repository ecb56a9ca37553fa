package fit

import (
	"errors"
	"math"
)

// observation is a number of trials with the same inputs, and how many were won.
type observation struct {
	x            []float64
	trials, wins float64
}

// logistic fits the probability 1 / (1 + exp(-c·x)) of a win to observations by
// maximum likelihood, with Newton's method (iteratively reweighted least squares).
// loss is the mean of -log p of the outcomes.
func logistic(observations []observation) (c []float64, loss float64, err error) {
	if len(observations) == 0 {
		return nil, 0, errors.New("no observations")
	}
	c = make([]float64, len(observations[0].x))
	loss = logLoss(observations, c)
	for range 100 {
		step, ok := newtonStep(observations, c)
		if !ok {
			break
		}
		next, nextLoss := c, math.Inf(1)
		for scale := 1.0; nextLoss > loss && scale > 1e-6; scale /= 2 {
			next = make([]float64, len(c))
			for i := range c {
				next[i] = c[i] + scale*step[i]
			}
			nextLoss = logLoss(observations, next)
		}
		if nextLoss <= loss {
			c, loss = next, nextLoss
		}
		if settled(observations, step) {
			return c, loss, nil
		}
	}
	return nil, 0, errors.New("the fit does not converge: too few or too one-sided results")
}

// settled reports whether a step hardly changes the logarithm of any odds. Where there is
// no maximum, because some wins or losses can be explained completely, each step changes
// some of them by about 1, however little likelihood that gains.
func settled(observations []observation, step []float64) bool {
	for _, o := range observations {
		if !(math.Abs(dot(step, o.x)) <= 1e-3) {
			return false
		}
	}
	return true
}

// logLoss returns the mean of -log p of the outcomes.
func logLoss(observations []observation, c []float64) float64 {
	loss, trials := 0.0, 0.0
	for _, o := range observations {
		loss += resultLoss(dot(c, o.x), o.wins, o.trials)
		trials += o.trials
	}
	return loss / trials
}

// dot returns the dot product of two vectors of the same length.
func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// probability returns that of odds with the logarithm x.
func probability(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// newtonStep returns Newton's step from c. It is not ok if the Hessian is singular.
func newtonStep(observations []observation, c []float64) (step []float64, ok bool) {
	n := len(c)
	m := make([][]float64, n) // the Hessian, with the gradient as the last column
	for i := range m {
		m[i] = make([]float64, n+1)
	}
	for _, o := range observations {
		p := probability(dot(c, o.x))
		weight, residual := o.trials*p*(1-p), o.wins-o.trials*p
		for i := range n {
			for j := range n {
				m[i][j] += weight * o.x[i] * o.x[j]
			}
			m[i][n] += residual * o.x[i]
		}
	}
	return solve(m)
}

// solve solves n linear equations, given as n rows of n+1 numbers, by Gaussian
// elimination with partial pivoting, which overwrites m. It is not ok if the
// solution is not unique.
func solve(m [][]float64) (x []float64, ok bool) {
	n := len(m)
	for i := range n {
		pivot := i
		for j := i + 1; j < n; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[pivot][i]) {
				pivot = j
			}
		}
		m[i], m[pivot] = m[pivot], m[i]
		if math.Abs(m[i][i]) < 1e-9 {
			return nil, false
		}
		for j := range n {
			if factor := m[j][i] / m[i][i]; j != i {
				for k := i; k <= n; k++ {
					m[j][k] -= factor * m[i][k]
				}
			}
		}
	}
	x = make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x, true
}
