package fit

import (
	"fmt"
	"io"
	"math"
	"strings"

	"skein/internal/dataset"
)

// scale tells how values are compared.
type scale struct {
	k    float64 // units of the sigmoid
	clip int     // units, for the correlation and the fit
}

// sigmoid is the share of points expected at a score.
func sigmoid(score, k float64) float64 { return 1 / (1 + math.Exp(-score/k)) }

// sums add up what comparing values with labels gives, all from White's
// view.
type sums struct {
	scored, decided     float64 // numbers of positions with a score, with a result
	scoreLoss, wdlLoss  float64 // sums of squares of differences of shares
	blend               float64 // sum of products of the two differences, where both are known
	both                float64 // number of positions where both are known
	v, s, vv, ss, vs    float64 // of values and scores, clipped
	rv, r, rvv, rr, rvr float64 // of sigmoids of values and results
}

func (a *sums) fields() []*float64 {
	return []*float64{
		&a.scored, &a.decided, &a.scoreLoss, &a.wdlLoss, &a.blend, &a.both,
		&a.v, &a.s, &a.vv, &a.ss, &a.vs, &a.rv, &a.r, &a.rvv, &a.rr, &a.rvr,
	}
}

func (a *sums) merge(b *sums) {
	for i, x := range b.fields() {
		*a.fields()[i] += *x
	}
}

// add compares a value with the labels of e.
func (a *sums) add(e *dataset.Entry, value float64, s scale) {
	share := sigmoid(value, s.k)
	fromScore := share - sigmoid(float64(e.Score), s.k)
	points := float64(e.Result.HalfPoints()) / 2
	fromResult := share - points
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
		a.rv, a.r, a.rvv, a.rr, a.rvr = a.rv+share, a.r+points, a.rvv+share*share, a.rr+points*points, a.rvr+share*points
	}
	if !e.NoScore && !e.NoResult {
		a.both++
		a.blend += fromScore * fromResult
	}
}

// blended returns the mean square of the difference to a mix of score and
// result, of which the result has the given share.
func (a *sums) blended(share float64) float64 {
	return (1-share)*(1-share)*a.scoreLoss/a.scored + share*share*a.wdlLoss/a.decided + 2*share*(1-share)*a.blend/a.both
}

// correlation returns Pearson's coefficient from n pairs and their sums.
func correlation(n, x, y, xx, yy, xy float64) float64 {
	return (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y))
}

// menPerRow is how many numbers of men share a row.
const menPerRow = 4

// table has a row of sums for men 1-4, 5-8, ... 29-32.
type table struct{ rows [32 / menPerRow]sums }

func (t *table) merge(other *table) {
	for i := range t.rows {
		t.rows[i].merge(&other.rows[i])
	}
}

// write prints the table. Shares of points are compared, so a loss of 0.01 is a
// typical error of 10 % of a point.
func (t *table) write(out io.Writer, name string, share float64) error {
	var sum sums
	for i := range t.rows {
		sum.merge(&t.rows[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n  %-7s %10s %10s %10s %10s %8s %8s\n", name,
		"men", "positions", "score loss", "wdl loss", "blended", "r(score)", "r(wdl)")
	row := func(label string, a *sums) {
		n := max(a.scored, a.decided)
		if n == 0 {
			return
		}
		fmt.Fprintf(&b, "  %-7s %10.0f %10s %10s %10s %8s %8s\n", label, n,
			known("%.6f", a.scoreLoss/a.scored), known("%.6f", a.wdlLoss/a.decided), known("%.6f", a.blended(share)),
			known("%.4f", correlation(a.scored, a.v, a.s, a.vv, a.ss, a.vs)),
			known("%.4f", correlation(a.decided, a.rv, a.r, a.rvv, a.rr, a.rvr)))
	}
	for i := range t.rows {
		row(fmt.Sprintf("%d-%d", i*menPerRow+1, (i+1)*menPerRow), &t.rows[i])
	}
	row("all", &sum)
	if sum.scored > 0 {
		// Through the origin: the value that a score of 100 stands for.
		fmt.Fprintf(&b, "  a score of 100 cp is a value of %.0f cp\n", 100*sum.vs/sum.ss)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// known formats x, and what is no number as a dash.
func known(format string, x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}
