package fit

import (
	"fmt"
	"io"
	"math"
	"strings"

	"skein/internal/record"
)

// paired has the labels and values of all positions, to compare values with each
// other position by position: that is far more exact than the difference of two
// errors, because what is hard to predict is so for all of them.
type paired struct {
	labels []labels
	rows   []int8    // of a table
	values [][]int16 // of all positions, for each value of an evaluator
}

// add adds the positions of a batch.
func (p *paired) add(batch *part, values int) {
	if p.values == nil {
		p.values = make([][]int16, values)
	}
	p.labels = append(p.labels, batch.labels...)
	p.rows = append(p.rows, batch.rows...)
	for i, v := range batch.values {
		p.values[i%values] = append(p.values[i%values], int16(min(max(v, math.MinInt16), math.MaxInt16)))
	}
}

// measure is a loss of values at a scale k.
type measure struct {
	mean func(c curve, k float64) float64
	each func(value, k float64, l labels, expected float64) float64 // NaN if the position lacks the label
}

// measures are those of the fit: error and log loss.
var measures = [...]measure{
	{curve.squaredError, func(value, k float64, l labels, expected float64) float64 {
		if l.noScore {
			return math.NaN()
		}
		d := record.ExpectedPoints(value, k) - expected
		return d * d
	}},
	{curve.logLoss, func(value, k float64, l labels, _ float64) float64 {
		if l.noResult {
			return math.NaN()
		}
		return resultLoss(value/k, l.points, 1)
	}},
}

// losses returns the loss of every position by some values, after the scale that
// fits best in each row. It is NaN in rows without one.
func (p *paired) losses(c *Config, m measure, values []int16) []float64 {
	var curves [tableRows]curve
	for i := range curves {
		curves[i] = newCurve(c.Clip)
	}
	expected := make([]float64, len(values)) // points, by the scores
	for i, v := range values {
		expected[i] = record.ExpectedPoints(float64(p.labels[i].score), c.ScoreScale)
		curves[p.rows[i]].add(int(v), p.labels[i], expected[i])
	}
	var scales [tableRows]float64
	for i, curve := range curves {
		scales[i], _ = fitScale(func(k float64) float64 { return m.mean(curve, k) })
	}
	list := make([]float64, len(values))
	for i, v := range values {
		value := float64(min(max(int(v), -c.Clip), c.Clip))
		list[i] = m.each(value, scales[p.rows[i]], p.labels[i], expected[i])
	}
	return list
}

// difference returns the mean of a - b and half of its 95 % interval, where neither
// is NaN.
func difference(a, b []float64) (mean, margin float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range a {
		if d := a[i] - b[i]; !math.IsNaN(d) {
			n, sum, squares = n+1, sum+d, squares+d*d
		}
	}
	mean = sum / n
	return mean, 1.96 * math.Sqrt(max(squares/n-mean*mean, 0)/n)
}

// writePaired prints how much the losses of each value differ from those of the
// first.
func (r *Result) writePaired(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n  less the first, in millionths, with scales by pieces\n  %-20s %12s %18s %18s\n",
		"value", "nodes", "error", "log loss")
	var first [len(measures)][]float64
	for i, values := range r.paired.values {
		var cells [len(measures)]string
		for j, m := range measures {
			list := r.paired.losses(r.c, m, values)
			if i == 0 {
				first[j] = list
			}
			mean, margin := difference(list, first[j])
			cells[j] = known("%+.0f", 1e6*mean) + known(" ± %.0f", 1e6*margin)
		}
		if net, nodes := r.c.valueName(i); i > 0 {
			fmt.Fprintf(&b, "  %-20s %12s %18s %18s\n", net, nodes, cells[0], cells[1])
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
