// Package fit fits what scores mean to labeled positions: it compares networks with
// labels, finds the sigmoids that make expected points of scores, and fits the
// win-rate model of the engine.
package fit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/status"
	"skein/nnue"
)

// Config tells which networks are compared with labels, and how.
type Config struct {
	Nets        []*nnue.Network
	Filter      record.Filter // of positions of games
	K           float64       // units of the sigmoid 1 / (1 + exp(-score/K)) through which scores are compared
	Clip        int           // units to which scores and values are clipped for the correlation and the fit
	ResultShare float64       // of the result in the blended loss, 0 to 1
	ScoreScale  float64       // of the sigmoid of scores, in their unit, for the fit
	Nodes       []uint64      // limits of searches whose results are compared as well
	Soft        bool          // the limits begin no iteration, but do not end one
	Hash        int           // MiB of each search
	Sample      int           // positions of a file; 0 is all
	Seed        uint64        // decides which
	Workers     int           // goroutines; the result does not depend on it
}

// Validate returns an error that names a setting out of range.
func (c *Config) Validate() error {
	switch {
	case len(c.Nets) == 0:
		return errors.New("no network")
	case !(c.K > 0) || !(c.ScoreScale > 0) || c.Clip < 1 || c.Hash < 1 || c.Workers < 1:
		return errors.New("k, score scale, clip, hash and workers must be positive")
	case !(c.ResultShare >= 0 && c.ResultShare <= 1):
		return fmt.Errorf("a share of the result of %g is not 0 to 1", c.ResultShare)
	case c.Sample < 0:
		return fmt.Errorf("a sample of %d positions is negative", c.Sample)
	}
	return nil
}

func (c *Config) scale() scale { return scale{c.K, c.Clip} }

// Result is what a file says about networks.
type Result struct {
	c         *Config
	name      string  // of the file
	tables    []table // one for each network
	curves    []curve // one for each value that a judge tells
	scores    curve   // of the scores themselves
	positions int
}

// part is what a batch adds to an Result.
type part struct {
	tables []table
	labels []label
	values []int // of all positions, as many for each as there are curves
}

// Evaluation compares networks with the labels of positions.
type Evaluation struct {
	c      Config
	judges []*judge // one for each worker
}

// NewEvaluation returns one with what it takes to search. The error is that of
// c.Validate, or about memory.
func NewEvaluation(c Config) (*Evaluation, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	e := &Evaluation{c: c}
	for range c.Workers {
		j, err := newJudge(&c)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.judges = append(e.judges, j)
	}
	return e, nil
}

// Close gives the memory back.
func (e *Evaluation) Close() error {
	var errs []error
	for _, j := range e.judges {
		errs = append(errs, j.close())
	}
	return errors.Join(errs...)
}

// File compares the networks with the labels of a file of positions and reports on
// line how far it is.
func (e *Evaluation) File(ctx context.Context, name string, line *status.Line) (*Result, error) {
	c := &e.c
	produce := dataset.Batches([]string{name}, c.Filter)
	if c.Sample > 0 {
		drawn, err := sample(ctx, c, name, line)
		if err != nil {
			return nil, err
		}
		produce = drawn.batches
	}
	work := func(worker int, b dataset.Batch) (*part, error) { return evaluateBatch(ctx, c, e.judges[worker], b) }
	r := newResult(c, name)
	start := time.Now()
	err := dataset.Ordered(ctx, len(e.judges), produce, work, func(p *part) error {
		r.add(p)
		line.Update(func() string { return progressText(name, r.positions, c.Sample, time.Since(start)) })
		return nil
	})
	line.End()
	if err != nil {
		return nil, err
	}
	return r, nil
}

// evaluateBatch compares networks with the labels of a batch.
func evaluateBatch(ctx context.Context, c *Config, j *judge, b dataset.Batch) (*part, error) {
	p := &part{tables: make([]table, len(c.Nets))}
	perNet := 1 + len(c.Nodes)
	err := b.Each(func(e *dataset.Entry) error {
		at := len(p.values)
		p.values = j.appendValues(ctx, p.values, &e.Position)
		row := (e.Position.Occupied().Count() - 1) / menPerRow
		for i := range c.Nets {
			p.tables[i].rows[row].add(e, float64(p.values[at+i*perNet]), c.scale())
		}
		p.labels = append(p.labels, labelOf(e))
		return ctx.Err()
	})
	return p, err
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

// newResult returns one of nothing yet.
func newResult(c *Config, name string) *Result {
	r := &Result{c: c, name: name, tables: make([]table, len(c.Nets)), scores: newCurve(c.Clip)}
	for range len(c.Nets) * (1 + len(c.Nodes)) {
		r.curves = append(r.curves, newCurve(c.Clip))
	}
	return r
}

// add adds what a batch says.
func (r *Result) add(p *part) {
	for i := range r.tables {
		r.tables[i].merge(&p.tables[i])
	}
	for i, l := range p.labels {
		r.positions++
		share := sigmoid(float64(l.score), r.c.ScoreScale)
		for j := range r.curves {
			r.curves[j].add(p.values[i*len(r.curves)+j], l, share)
		}
		if !l.noScore {
			r.scores.add(l.score, l, share)
		}
	}
}

// Write prints a table for each network, and the fit of all.
func (r *Result) Write(out io.Writer) error {
	for i, net := range r.c.Nets {
		title := r.name
		if len(r.c.Nets) > 1 {
			title += ", " + net.Name() + " " + net.Hash()
		}
		if err := r.tables[i].write(out, title, r.c.ResultShare); err != nil {
			return err
		}
	}
	return r.writeFit(out)
}
