// Package fit measures how well values predict labels: it compares networks and
// searches with labeled positions, fits the sigmoid that maps values to expected
// points, and fits the win-rate model of the engine.
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

// Config has the settings of an evaluation of networks on labeled positions.
type Config struct {
	Nets        []*nnue.Network
	Filter      record.Filter // for positions of games
	K           float64       // units; scores and values are compared after the sigmoid 1 / (1 + exp(-x/K))
	Clip        int           // units to which scores and values are clipped for the correlation and the fit
	ResultShare float64       // of the result in the blended loss, 0 to 1
	ScoreScale  float64       // scale of the sigmoid of scores in the fit, in their unit
	Scaled      bool          // scale values and scores as the search does
	Nodes       []uint64      // node limits of searches to compare as well
	Soft        bool          // let searches finish their last iteration
	Hash        int           // MiB of the table of each search
	Sample      int           // number of random positions of each file; 0: all
	Seed        uint64        // of Sample
	Paired      bool          // compare each value with the first, position by position; keeps all in memory
	Workers     int           // number of goroutines; does not affect the result
}

// validate returns an error that names a setting out of range.
func (c *Config) validate() error {
	switch {
	case len(c.Nets) == 0:
		return errors.New("no network")
	case !(c.K > 0):
		return fmt.Errorf("k %g is not positive", c.K)
	case !(c.ScoreScale > 0):
		return fmt.Errorf("score scale %g is not positive", c.ScoreScale)
	case c.Clip < 1:
		return fmt.Errorf("clip %d is not positive", c.Clip)
	case c.Hash < 1:
		return fmt.Errorf("a hash of %d MiB is not positive", c.Hash)
	case c.Workers < 1:
		return fmt.Errorf("%d workers are not positive", c.Workers)
	case !(c.ResultShare >= 0 && c.ResultShare <= 1):
		return fmt.Errorf("share of the result %g is not between 0 and 1", c.ResultShare)
	case c.Sample < 0:
		return fmt.Errorf("sample of %d positions is negative", c.Sample)
	case c.Paired && len(c.Nets)*(1+len(c.Nodes)) == 1:
		return errors.New("a single network without searches has nothing to be paired with")
	}
	return nil
}

// scale returns the settings of the comparison.
func (c *Config) scale() scale { return scale{c.K, c.Clip} }

// valueName returns the name and hash of the network of a value of an evaluator, and
// how it was computed.
func (c *Config) valueName(i int) (net, nodes string) {
	perNet := 1 + len(c.Nodes)
	net = c.Nets[i/perNet].Name() + " " + c.Nets[i/perNet].Hash()
	if i%perNet == 0 {
		return net, "static"
	}
	nodes = fmt.Sprint(c.Nodes[i%perNet-1])
	if c.Soft {
		nodes = "soft " + nodes
	}
	return net, nodes
}

// Result is the comparison of networks with the labels of a file.
type Result struct {
	c         *Config
	name      string  // of the file
	tables    []table // one for each network
	curves    []curve // one for each value of an evaluator
	scores    curve   // of the scores themselves
	paired    paired  // empty unless asked for
	positions int
}

// part is the contribution of a batch to a Result.
type part struct {
	tables []table
	labels []labels
	rows   []int8 // of a table, of all positions
	values []int  // of all positions, one per curve for each
}

// Evaluation compares networks with the labels of positions.
type Evaluation struct {
	c          Config
	evaluators []*evaluator // one for each worker
}

// NewEvaluation returns an evaluation. The error names a setting out of range, or
// is a failure to allocate memory.
func NewEvaluation(c Config) (*Evaluation, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	e := &Evaluation{c: c}
	for range c.Workers {
		v, err := newEvaluator(&c)
		if err != nil {
			return nil, errors.Join(err, e.Close())
		}
		e.evaluators = append(e.evaluators, v)
	}
	return e, nil
}

// Close frees the memory.
func (e *Evaluation) Close() error {
	var errs []error
	for _, v := range e.evaluators {
		errs = append(errs, v.close())
	}
	return errors.Join(errs...)
}

// searchBatch is the number of positions in a batch of a sample, or of those that are
// searched.
const searchBatch = 16

// File compares the networks with the labels of a file of positions. It reports
// its progress on line. It is an error if there are no positions, or if the filter
// passes none.
func (e *Evaluation) File(ctx context.Context, name string, line *status.Line) (*Result, error) {
	c := &e.c
	produce, total := dataset.Batches([]string{name}, c.Filter), 0
	if c.Sample > 0 {
		drawn, err := sample(ctx, c, name, line)
		if err != nil {
			line.End()
			return nil, err
		}
		produce = func(_ context.Context, put func(dataset.Batch) error) error { return put(drawn) }
		total = len(drawn)
	}
	if c.Sample > 0 || len(c.Nodes) > 0 {
		produce = dataset.Split(produce, searchBatch)
	}
	work := func(ctx context.Context, worker int, b dataset.Batch) (*part, error) {
		return evaluateBatch(ctx, c, e.evaluators[worker], b)
	}
	r := newResult(c, name)
	start := time.Now()
	err := dataset.Ordered(ctx, len(e.evaluators), produce, work, func(p *part) error {
		r.add(p)
		line.Update(func() status.Report { return progress(name, r.positions, total, time.Since(start)) })
		return nil
	})
	line.End()
	if err != nil {
		return nil, err
	}
	if r.positions == 0 {
		return nil, fmt.Errorf("%s: no positions to compare", name)
	}
	return r, nil
}

// evaluateBatch compares networks with the labels of a batch.
func evaluateBatch(ctx context.Context, c *Config, v *evaluator, b dataset.Batch) (*part, error) {
	p := &part{tables: make([]table, len(c.Nets))}
	perNet := 1 + len(c.Nodes)
	err := b.Each(func(e *dataset.Entry) error {
		at := len(p.values)
		p.values = v.appendValues(ctx, p.values, &e.Position)
		row := (e.Position.Occupied().Count() - 1) / piecesPerRow
		for i := range c.Nets {
			p.tables[i].rows[row].add(e, float64(p.values[at+i*perNet]), c.scale())
		}
		p.labels = append(p.labels, labels{int(e.Score), float64(e.Result.HalfPoints()) / 2, e.NoScore, e.NoResult})
		p.rows = append(p.rows, int8(row))
		return ctx.Err()
	})
	return p, err
}

// progress reports the number of positions done of a total, which is 0 if unknown.
func progress(name string, done, total int, elapsed time.Duration) status.Report {
	r := status.Report{Facts: []string{fmt.Sprintf("%s: %d positions", name, done)}}
	if total > 0 {
		r.Done, r.Total = int64(done), int64(total)
		r.Left = status.Left(elapsed, r.Done, r.Total-r.Done)
	}
	return r
}

// newResult returns a result without positions.
func newResult(c *Config, name string) *Result {
	r := &Result{c: c, name: name, tables: make([]table, len(c.Nets)), scores: newCurve(c.Clip)}
	for range len(c.Nets) * (1 + len(c.Nodes)) {
		r.curves = append(r.curves, newCurve(c.Clip))
	}
	return r
}

// add adds a batch.
func (r *Result) add(p *part) {
	for i := range r.tables {
		r.tables[i].merge(&p.tables[i])
	}
	if r.c.Paired {
		r.paired.add(p, len(r.curves))
	}
	for i, l := range p.labels {
		r.positions++
		expected := record.ExpectedPoints(float64(l.score), r.c.ScoreScale)
		for j := range r.curves {
			r.curves[j].add(p.values[i*len(r.curves)+j], l, expected)
		}
		if !l.noScore {
			r.scores.add(l.score, l, expected)
		}
	}
}

// Write prints a table for each network, the fit of all values and, if asked for,
// their differences from the first.
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
	if err := r.writeFit(out); err != nil || !r.c.Paired {
		return err
	}
	return r.writePaired(out)
}
