package fit

import (
	"fmt"
	"io"
	"math"
	"strings"

	"skein/internal/record"
)

// labels are the score and the result of a position, from White's point of view.
type labels struct {
	score             int     // in the unit of the file
	points            float64 // result of the game: 0, 0.5 or 1
	noScore, noResult bool
}

// curve has sums over the labels of positions for each value of a predictor. They
// are sufficient to fit the sigmoid that maps values to expected points.
type curve []curveCell

// curveCell has the sums over the labels of the positions with one value.
type curveCell struct {
	scored, expected, squares float64 // number of scores; sums of their expected points and of the squares
	decided, points           float64 // number of results, sum of their points
}

// newCurve returns a curve for values from -clip to clip; larger ones are clipped.
func newCurve(clip int) curve { return make(curve, 2*min(clip, math.MaxInt16)+1) }

// add adds a position. expected is the sigmoid of its score.
func (c curve) add(value int, l labels, expected float64) {
	clip := len(c) / 2
	cell := &c[min(max(value, -clip), clip)+clip]
	if !l.noScore {
		cell.scored++
		cell.expected += expected
		cell.squares += expected * expected
	}
	if !l.noResult {
		cell.decided++
		cell.points += l.points
	}
}

// squaredError returns the mean squared difference between the sigmoids of value
// and score.
func (c curve) squaredError(k float64) float64 {
	sum, n := 0.0, 0.0
	for i, cell := range c {
		if cell.scored > 0 {
			p := record.ExpectedPoints(float64(i-len(c)/2), k)
			sum += cell.scored*p*p - 2*p*cell.expected + cell.squares
			n += cell.scored
		}
	}
	return max(sum, 0) / n
}

// logLoss returns the mean of -log p of the result, where p is the sigmoid of the
// value. A draw counts as half a win and half a loss.
func (c curve) logLoss(k float64) float64 {
	sum, n := 0.0, 0.0
	for i, cell := range c {
		if cell.decided > 0 {
			sum += resultLoss(float64(i-len(c)/2)/k, cell.points, cell.decided)
			n += cell.decided
		}
	}
	return sum / n
}

// resultLoss returns the sum of -log p of trials of which a number was won with
// probability 1 / (1 + exp(-z)), written so that nothing overflows.
func resultLoss(z, wins, trials float64) float64 {
	softplus := math.Log1p(math.Exp(-math.Abs(z)))
	return wins*(softplus+max(-z, 0)) + (trials-wins)*(softplus+max(z, 0))
}

// The range in which the scale of the sigmoid is fitted, and the number of steps of
// a grid over its logarithm.
const (
	leastScale = 1.0
	mostScale  = 1e5
	scaleSteps = 100.0
)

// fitScale returns the scale of the sigmoid that minimizes loss, and that loss. The
// scale is NaN if the minimum is at the end of the range.
func fitScale(loss func(k float64) float64) (k, least float64) {
	step := math.Log(mostScale/leastScale) / scaleSteps
	scale := func(i float64) float64 { return leastScale * math.Exp(step*i) }
	best, least := 0.0, loss(leastScale)
	for i := 1.0; i <= scaleSteps; i++ {
		if x := loss(scale(i)); x < least {
			best, least = i, x
		}
	}
	if math.IsNaN(least) || best == 0 || best == scaleSteps {
		return math.NaN(), least
	}
	best = goldenSection(func(i float64) float64 { return loss(scale(i)) }, best-1, best+1)
	return scale(best), loss(scale(best))
}

// goldenSection returns the minimum of f, which must be unimodal between a and b.
//
// Source: J. Kiefer, "Sequential minimax search for a maximum", 1953.
func goldenSection(f func(float64) float64, a, b float64) float64 {
	const ratio = 1 / math.Phi
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, fd := f(c), f(d)
	for range 50 {
		if fc < fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc = f(c)
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd = f(d)
		}
	}
	return (a + b) / 2
}

// writeFit prints how well the values, after the sigmoid that fits best, predict
// scores and results.
func (r *Result) writeFit(out io.Writer) error {
	c := r.c
	var b strings.Builder
	fmt.Fprintf(&b, "\n  fit to %d positions\n  %-20s %12s %10s %8s %10s %8s\n", r.positions,
		"value", "nodes", "error", "k", "log loss", "k")
	row := func(name, nodes string, squared, k, loss, lossK float64) {
		fmt.Fprintf(&b, "  %-20s %12s %10s %8s %10s %8s\n", name, nodes,
			known("%.4f", squared), known("%.1f", k), known("%.4f", loss), known("%.1f", lossK))
	}
	for i, curve := range r.curves {
		net, nodes := c.valueName(i)
		k, squared := fitScale(curve.squaredError)
		lossK, loss := fitScale(curve.logLoss)
		row(net, nodes, squared, k, loss, lossK)
	}
	lossK, loss := fitScale(r.scores.logLoss)
	row("scores", "", math.NaN(), c.ScoreScale, loss, lossK)
	_, err := io.WriteString(out, b.String())
	return err
}
