package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/nnue"
)

// eval carries out the command of that name.
func eval(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("eval", "NET FILE...", stderr)
	var files names
	flags.Var(&files, "data", "`file` of positions: .skr, .bin, .txt or .epd, also with .gz; may be given more than once")
	k := flags.Float64("k", 400, "`cp` of the sigmoid 1 / (1 + exp(-cp/k)) through which scores are compared")
	share := flags.Float64("wdl", 0, "`share` of the game result in the blended loss, 0 to 1")
	limit := flags.Int("clip", 2000, "clip scores and values to as many `cp` for the correlation")
	workers := flags.Int("workers", runtime.NumCPU(), "goroutines")
	filter := filterFlags(flags)
	rest, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		files = append(files, rest[1:]...)
	}
	switch {
	case len(files) == 0:
		return errors.New("eval: expected a network and files of positions")
	case !(*k > 0) || !(*share >= 0 && *share <= 1) || *limit < 1 || *workers < 1:
		return errors.New("eval: k, clip and workers must be positive and wdl 0 to 1")
	}
	net, err := loadNet(rest[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s %s %s, k %g\n", net.Name(), net.Architecture(), net.Hash(), *k)
	for _, name := range files {
		all, err := evaluateFile(ctx, net, name, *filter, evalScale{*k, float64(*limit)}, *workers)
		if err != nil {
			return err
		}
		if err := all.write(stdout, name, *share); err != nil {
			return err
		}
	}
	return nil
}

// names is a flag that may be given more than once.
type names []string

func (n *names) String() string     { return strings.Join(*n, " ") }
func (n *names) Set(s string) error { *n = append(*n, s); return nil }

// parseMixed parses flags that may stand between other arguments, which it
// returns.
func parseMixed(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// filterFlags adds the flags that choose positions of games.
func filterFlags(flags *flag.FlagSet) *record.Filter {
	f := record.DefaultFilter()
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore, "leave out positions of games with scores beyond as many `cp`; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet, "leave out positions of games in check or whose move is a capture or promotion")
	return &f
}

// evaluateFile compares the network with the labels of the positions of a file.
// The result does not depend on the number of workers.
func evaluateFile(ctx context.Context, net *nnue.Network, name string, filter record.Filter, scale evalScale, workers int) (*evalTable, error) {
	stacks := make([]*nnue.Stack, workers)
	for i := range stacks {
		stacks[i] = nnue.NewStack(net, 0)
	}
	all := new(evalTable)
	work := func(worker int, b dataset.Batch) (*evalTable, error) {
		t := new(evalTable)
		err := b.Each(func(e *dataset.Entry) error {
			s := stacks[worker]
			s.Reset(&e.Position)
			value := s.Evaluate(&e.Position)
			if e.Position.SideToMove() == chess.Black {
				value = -value
			}
			t.rows[(e.Position.Occupied().Count()-1)/evalMen].add(e, float64(value), scale)
			return nil
		})
		return t, err
	}
	err := dataset.Ordered(ctx, workers, dataset.Batches([]string{name}, filter), work, func(t *evalTable) error {
		for i := range t.rows {
			all.rows[i].merge(&t.rows[i])
		}
		return nil
	})
	return all, err
}

// evalScale tells how values are compared.
type evalScale struct {
	k    float64 // cp of the sigmoid
	clip float64 // cp, for the correlation
}

// sigmoid is the share of points expected at cp centipawns.
func (s evalScale) sigmoid(cp float64) float64 { return 1 / (1 + math.Exp(-cp/s.k)) }

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
	share := scale.sigmoid(value)
	fromScore := share - scale.sigmoid(float64(e.Score))
	points := float64(e.Result) / 2
	fromResult := share - points
	if !e.NoScore {
		a.scored++
		a.scoreLoss += fromScore * fromScore
		v, s := min(max(value, -scale.clip), scale.clip), min(max(float64(e.Score), -scale.clip), scale.clip)
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
