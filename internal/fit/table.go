package fit

import (
	"fmt"
	"io"
	"math"
	"strings"

	"skein/internal/dataset"
	"skein/internal/record"
)

// scale has the settings of the comparison of scores and values.
type scale struct {
	k    float64 // units of the sigmoid of expected points
	clip int     // units, for the correlation and the fit
}

// sums are sums over positions of values and labels, from White's point of view.
type sums struct {
	labeled             float64 // number of positions with a score or a result
	scored, decided     float64 // numbers of those with a score, with a result
	scoreLoss, wdlLoss  float64 // squared differences in points to the score, to the result
	both                float64 // number of positions where both are known
	toScore, toResult   float64 // squared differences to either, there
	blend               float64 // products of the two differences, there
	v, s, vv, ss, vs    float64 // clipped values and scores, their squares and products
	rv, r, rvv, rr, rvr float64 // sigmoids of values and results, their squares and products
}

// fields lists the sums.
func (a *sums) fields() []*float64 {
	return []*float64{
		&a.labeled, &a.scored, &a.decided, &a.scoreLoss, &a.wdlLoss, &a.both, &a.toScore, &a.toResult, &a.blend,
		&a.v, &a.s, &a.vv, &a.ss, &a.vs, &a.rv, &a.r, &a.rvv, &a.rr, &a.rvr,
	}
}

// merge adds the sums of b.
func (a *sums) merge(b *sums) {
	for i, x := range b.fields() {
		*a.fields()[i] += *x
	}
}

// add compares a value with the labels of e.
func (a *sums) add(e *dataset.Entry, value float64, s scale) {
	p := record.ExpectedPoints(value, s.k)
	fromScore := p - record.ExpectedPoints(float64(e.Score), s.k)
	points := float64(e.Result.HalfPoints()) / 2
	fromResult := p - points
	if !e.NoScore || !e.NoResult {
		a.labeled++
	}
	if !e.NoScore {
		a.scored++
		a.scoreLoss += fromScore * fromScore
		limit := float64(s.clip)
		v, score := min(max(value, -limit), limit), min(max(float64(e.Score), -limit), limit)
		a.v, a.s, a.vv, a.ss, a.vs = a.v+v, a.s+score, a.vv+v*v, a.ss+score*score, a.vs+v*score
	}
	if !e.NoResult {
		a.decided++
		a.wdlLoss += fromResult * fromResult
		a.rv, a.r, a.rvv, a.rr, a.rvr = a.rv+p, a.r+points, a.rvv+p*p, a.rr+points*points, a.rvr+p*points
	}
	if !e.NoScore && !e.NoResult {
		a.both++
		a.toScore += fromScore * fromScore
		a.toResult += fromResult * fromResult
		a.blend += fromScore * fromResult
	}
}

// blended returns the mean squared difference to a mix of score and result with the
// given share of the result, where what the mix needs is known.
func (a *sums) blended(share float64) float64 {
	switch rest := 1 - share; {
	case share == 0:
		return a.scoreLoss / a.scored
	case rest == 0:
		return a.wdlLoss / a.decided
	default:
		return (rest*rest*a.toScore + share*share*a.toResult + 2*share*rest*a.blend) / a.both
	}
}

// correlation returns Pearson's coefficient of n pairs from their sums.
func correlation(n, x, y, xx, yy, xy float64) float64 {
	return (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y))
}

// The number of piece counts in a row of a table, and that of its rows.
const (
	piecesPerRow = 4
	tableRows    = 32 / piecesPerRow
)

// table has a row of sums for each of 1-4, 5-8, ... 29-32 pieces on the board.
type table struct{ rows [tableRows]sums }

// merge adds the sums of another table.
func (t *table) merge(other *table) {
	for i := range t.rows {
		t.rows[i].merge(&other.rows[i])
	}
}

// write prints the table. A loss is a mean squared difference in points: 0.01 means
// a typical error of 0.1 points.
func (t *table) write(out io.Writer, name string, share float64) error {
	var sum sums
	for i := range t.rows {
		sum.merge(&t.rows[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n  %-7s %10s %10s %10s %10s %8s %8s\n", name,
		"pieces", "positions", "score loss", "wdl loss", "blended", "r(score)", "r(wdl)")
	row := func(label string, a *sums) {
		if a.labeled == 0 {
			return
		}
		fmt.Fprintf(&b, "  %-7s %10.0f %10s %10s %10s %8s %8s\n", label, a.labeled,
			known("%.6f", a.scoreLoss/a.scored), known("%.6f", a.wdlLoss/a.decided), known("%.6f", a.blended(share)),
			known("%.4f", correlation(a.scored, a.v, a.s, a.vv, a.ss, a.vs)),
			known("%.4f", correlation(a.decided, a.rv, a.r, a.rvv, a.rr, a.rvr)))
	}
	for i := range t.rows {
		row(fmt.Sprintf("%d-%d", i*piecesPerRow+1, (i+1)*piecesPerRow), &t.rows[i])
	}
	row("all", &sum)
	if sum.scored > 0 {
		// The slope of the regression of values on scores through the origin.
		fmt.Fprintf(&b, "  a score of 100 corresponds to a value of %s\n", known("%.0f", 100*sum.vs/sum.ss))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// known formats x, or a dash if it is not a finite number.
func known(format string, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}
