package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/status"
	"skein/nets"
	"skein/nnue"
)

// evalConfig is what eval is asked to do.
type evalConfig struct {
	nets       []*nnue.Network
	files      cli.Names
	filter     *record.Filter
	scale      evalScale
	share      float64  // of the result in the blended loss
	scoreScale float64  // of the sigmoid of scores, in their unit, for the fit
	nodes      nodeList // limits of searches whose results are compared as well
	soft       bool     // the limits begin no iteration, but do not end one
	hash       int      // MiB
	sample     int      // positions of a file; 0 is all
	seed       uint64
	workers    int
}

// eval carries out the command of that name.
func eval(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c, err := parseEval(args, stderr)
	if err != nil {
		return err
	}
	for _, net := range c.nets {
		fmt.Fprintf(stdout, "%s %s %s, k %g\n", net.Name(), net.Architecture(), net.Hash(), c.scale.k)
	}
	judges := make([]*judge, c.workers)
	for i := range judges {
		if judges[i], err = newJudge(c); err != nil {
			return err
		}
		defer judges[i].close()
	}
	for _, name := range c.files {
		r, err := evaluateFile(ctx, c, judges, name, status.New(stderr))
		if err != nil {
			return err
		}
		if err := r.write(stdout, c, name); err != nil {
			return err
		}
	}
	return nil
}

// parseEval reads the command line. The first argument is a network, and so are
// those behind it that look like one.
func parseEval(args []string, stderr io.Writer) (*evalConfig, error) {
	flags := cli.NewFlags("tune eval", "NET... FILE...", stderr)
	c := new(evalConfig)
	flags.Var(&c.files, "data",
		"`file` of positions: .skr, .bin, .txt or .epd, also with .gz; may be given more than once")
	flags.Float64Var(&c.scale.k, "k", 300, "`units` of the sigmoid 1 / (1 + exp(-score/k)) through which scores are compared")
	flags.Float64Var(&c.share, "wdl", 0, "`share` of the game result in the blended loss, 0 to 1")
	flags.IntVar(&c.scale.clip, "clip", 8000, "clip scores and values to as many `units` for the correlation and the fit")
	flags.Float64Var(&c.scoreScale, "score-scale", 80, "`units` of the sigmoid of scores, for the fit: 80 for scores in centipawns, 300 for our own")
	flags.Var(&c.nodes, "nodes", "fit the scores of searches of as many `nodes` too; several as in 150,1500")
	flags.BoolVar(&c.soft, "soft", false, "finish the last iteration of a search, within ten times its nodes")
	flags.IntVar(&c.hash, "hash", 2, "`MiB` of the transposition table of each search")
	flags.IntVar(&c.sample, "sample", 0, "take as many `positions` of each file at random; 0: all")
	flags.Uint64Var(&c.seed, "seed", 1, "`number` that decides which positions are taken")
	flags.IntVar(&c.workers, "workers", runtime.NumCPU(), "goroutines; the result does not depend on it")
	c.filter = filterFlags(flags)
	rest, err := cli.ParseMixed(flags, args)
	if err != nil {
		return nil, err
	}
	var networks []string
	for i, name := range rest {
		if i == 0 || name == "" || filepath.Ext(name) == ".nnue" {
			networks = append(networks, name)
		} else {
			c.files = append(c.files, name)
		}
	}
	switch {
	case len(c.files) == 0 || len(networks) == 0:
		return nil, errors.New("eval: expected a network and files of positions")
	case !(c.scale.k > 0) || !(c.scoreScale > 0) || c.scale.clip < 1 || c.hash < 1 || c.workers < 1:
		return nil, errors.New("eval: k, score-scale, clip, hash and workers must be positive")
	case !(c.share >= 0 && c.share <= 1) || c.sample < 0:
		return nil, errors.New("eval: wdl must be 0 to 1 and sample not negative")
	}
	for _, name := range networks {
		net, err := nets.Load(name)
		if err != nil {
			return nil, err
		}
		c.nets = append(c.nets, net)
	}
	return c, nil
}

// nodeList is a flag of positive numbers between commas.
type nodeList []uint64

func (l *nodeList) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*l), " ", ","), "[]&")
}

func (l *nodeList) Set(s string) error {
	*l = nil
	for text := range strings.SplitSeq(s, ",") {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n == 0 {
			return fmt.Errorf("%q is no number of nodes", text)
		}
		*l = append(*l, n)
	}
	return nil
}

// filterFlags adds the flags that choose positions of games.
func filterFlags(flags *flag.FlagSet) *record.Filter {
	f := record.DefaultFilter()
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore, "leave out positions of games with scores beyond as many `cp`; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet, "leave out positions of games in check or whose move is a capture or promotion")
	return &f
}

// evalResult is what a file says about networks.
type evalResult struct {
	tables    []evalTable // one for each network
	curves    []curve     // one for each value that a judge tells
	scores    curve       // of the scores themselves
	positions int
}

// evalPart is what a batch adds to an evalResult.
type evalPart struct {
	tables []evalTable
	labels []label
	values []int // of all positions, as many for each as there are curves
}

// evaluateFile compares networks with the labels of the positions of a file. The
// result does not depend on the number of judges, each of which is for a worker.
func evaluateFile(
	ctx context.Context, c *evalConfig, judges []*judge, name string, line *status.Line,
) (*evalResult, error) {
	produce := dataset.Batches([]string{name}, *c.filter)
	if c.sample > 0 {
		drawn, err := sample(ctx, c, name, line)
		if err != nil {
			return nil, err
		}
		produce = drawn.batches
	}
	work := func(worker int, b dataset.Batch) (*evalPart, error) { return evaluateBatch(ctx, c, judges[worker], b) }
	r := newEvalResult(c)
	start := time.Now()
	err := dataset.Ordered(ctx, len(judges), produce, work, func(part *evalPart) error {
		r.add(part, c)
		line.Update(func() string { return progressText(name, r.positions, c.sample, time.Since(start)) })
		return nil
	})
	line.End()
	return r, err
}

// evaluateBatch compares networks with the labels of a batch.
func evaluateBatch(ctx context.Context, c *evalConfig, j *judge, b dataset.Batch) (*evalPart, error) {
	part := &evalPart{tables: make([]evalTable, len(c.nets))}
	perNet := 1 + len(c.nodes)
	err := b.Each(func(e *dataset.Entry) error {
		at := len(part.values)
		part.values = j.appendValues(ctx, part.values, &e.Position)
		row := (e.Position.Occupied().Count() - 1) / evalMen
		for i := range c.nets {
			part.tables[i].rows[row].add(e, float64(part.values[at+i*perNet]), c.scale)
		}
		part.labels = append(part.labels, labelOf(e))
		return ctx.Err()
	})
	return part, err
}

// progressText says how far a file is read, of which total positions are to be
// read if that is not 0.
func progressText(name string, done, total int, elapsed time.Duration) string {
	if total == 0 {
		return fmt.Sprintf("%s: %d positions", name, done)
	}
	left := status.Left(elapsed, int64(done), int64(total-done))
	return fmt.Sprintf("%s: %d of %d positions, %v left", name, done, total, left)
}

func newEvalResult(c *evalConfig) *evalResult {
	r := &evalResult{tables: make([]evalTable, len(c.nets)), scores: newCurve(c.scale.clip)}
	for range len(c.nets) * (1 + len(c.nodes)) {
		r.curves = append(r.curves, newCurve(c.scale.clip))
	}
	return r
}

// add adds what a batch says.
func (r *evalResult) add(part *evalPart, c *evalConfig) {
	for i := range r.tables {
		r.tables[i].merge(&part.tables[i])
	}
	for i, l := range part.labels {
		r.positions++
		share := sigmoid(float64(l.score), c.scoreScale)
		for j := range r.curves {
			r.curves[j].add(part.values[i*len(r.curves)+j], l, share)
		}
		if !l.noScore {
			r.scores.add(l.score, l, share)
		}
	}
}

// write prints a table for each network, and the fit of all.
func (r *evalResult) write(out io.Writer, c *evalConfig, name string) error {
	for i, net := range c.nets {
		title := name
		if len(c.nets) > 1 {
			title += ", " + net.Name() + " " + net.Hash()
		}
		if err := r.tables[i].write(out, title, c.share); err != nil {
			return err
		}
	}
	return r.writeFit(out, c)
}

// evalScale tells how values are compared.
type evalScale struct {
	k    float64 // units of the sigmoid
	clip int     // units, for the correlation and the fit
}

// sigmoid is the share of points expected at a score.
func sigmoid(score, k float64) float64 { return 1 / (1 + math.Exp(-score/k)) }

// evalSums add up what comparing values with labels gives, all from White's
// view.
type evalSums struct {
	scored, decided     float64 // numbers of positions with a score, with a result
	scoreLoss, wdlLoss  float64 // sums of squares of differences of shares
	blend               float64 // sum of products of the two differences, where both are known
	both                float64 // number of positions where both are known
	v, s, vv, ss, vs    float64 // of values and scores, clipped
	rv, r, rvv, rr, rvr float64 // of sigmoids of values and results
}

func (a *evalSums) fields() []*float64 {
	return []*float64{
		&a.scored, &a.decided, &a.scoreLoss, &a.wdlLoss, &a.blend, &a.both,
		&a.v, &a.s, &a.vv, &a.ss, &a.vs, &a.rv, &a.r, &a.rvv, &a.rr, &a.rvr,
	}
}

func (a *evalSums) merge(b *evalSums) {
	for i, x := range b.fields() {
		*a.fields()[i] += *x
	}
}

// add compares a value with the labels of e.
func (a *evalSums) add(e *dataset.Entry, value float64, scale evalScale) {
	share := sigmoid(value, scale.k)
	fromScore := share - sigmoid(float64(e.Score), scale.k)
	points := float64(e.Result) / 2
	fromResult := share - points
	if !e.NoScore {
		a.scored++
		a.scoreLoss += fromScore * fromScore
		limit := float64(scale.clip)
		v, s := min(max(value, -limit), limit), min(max(float64(e.Score), -limit), limit)
		a.v, a.s, a.vv, a.ss, a.vs = a.v+v, a.s+s, a.vv+v*v, a.ss+s*s, a.vs+v*s
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
func (a *evalSums) blended(share float64) float64 {
	return (1-share)*(1-share)*a.scoreLoss/a.scored + share*share*a.wdlLoss/a.decided + 2*share*(1-share)*a.blend/a.both
}

// correlation returns Pearson's coefficient from n pairs and their sums.
func correlation(n, x, y, xx, yy, xy float64) float64 {
	return (n*xy - x*y) / math.Sqrt((n*xx-x*x)*(n*yy-y*y))
}

// evalMen is how many numbers of men share a row.
const evalMen = 4

// evalTable has a row of sums for men 1-4, 5-8, ... 29-32.
type evalTable struct{ rows [32 / evalMen]evalSums }

func (t *evalTable) merge(other *evalTable) {
	for i := range t.rows {
		t.rows[i].merge(&other.rows[i])
	}
}

// write prints the table. Shares of points are compared, so a loss of 0.01 is a
// typical error of 10 % of a point.
func (t *evalTable) write(out io.Writer, name string, share float64) error {
	var sum evalSums
	for i := range t.rows {
		sum.merge(&t.rows[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n  %-7s %10s %10s %10s %10s %8s %8s\n", name, "men", "positions", "score loss", "wdl loss", "blended", "r(score)", "r(wdl)")
	row := func(label string, a *evalSums) {
		n := max(a.scored, a.decided)
		if n == 0 {
			return
		}
		fmt.Fprintf(&b, "  %-7s %10.0f %10s %10s %10s %8s %8s\n", label, n,
			known("%.6f", a.scoreLoss/a.scored), known("%.6f", a.wdlLoss/a.decided), known("%.6f", a.blended(share)),
			known("%.4f", correlation(a.scored, a.v, a.s, a.vv, a.ss, a.vs)), known("%.4f", correlation(a.decided, a.rv, a.r, a.rvv, a.rr, a.rvr)))
	}
	for i := range t.rows {
		row(fmt.Sprintf("%d-%d", i*evalMen+1, (i+1)*evalMen), &t.rows[i])
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
