package spsa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"skein/internal/difference"
	"skein/internal/selfplay"
	"skein/internal/status"
)

// Run is a tuning run and its files: NAME.json with the state, from which it can be
// continued, NAME.csv with the values after every iteration, and NAME.svg, a chart.
type Run struct {
	Contest Contest
	Pairs   int // per iteration
	Tuner   *Tuner

	name     string
	history  [][]float64 // values after each iteration
	tableErr error       // of the last attempt to write the table
	stateErr error       // and the state
}

// Open returns a run with the given number of pairs of games per iteration. If the
// files exist, it continues their run, which must have the same settings. Settings
// with which the first game would fail are an error as well.
func Open(name string, c Contest, pairs int, t *Tuner) (*Run, error) {
	if pairs < 1 || t.Iterations < 1 {
		return nil, fmt.Errorf("%d iterations of %d pairs: both must be positive", t.Iterations, pairs)
	}
	r := &Run{Contest: c, Pairs: pairs, Tuner: t, name: name}
	if err := r.Contest.check(t.Iterations * pairs); err != nil {
		return nil, err
	}
	return r, r.open()
}

// open reads the state of the run from its files if they exist, and writes the
// table.
func (r *Run) open() error {
	data, err := os.ReadFile(r.name + ".json")
	if errors.Is(err, os.ErrNotExist) {
		// The header and the first row are written before the first state.
		if err := unused(r.name, r.header(), 2); err != nil {
			return err
		}
		if info, err := os.Stat(r.name + ".svg"); err == nil && info.Mode().IsRegular() {
			return fmt.Errorf("%s.svg exists, but %s.json is missing", r.name, r.name)
		}
		return r.writeHistory()
	} else if err != nil {
		return err
	}
	old := Run{name: r.name}
	err = json.Unmarshal(data, &old)
	if err == nil && old.Tuner == nil {
		err = errors.New("it has no tuner")
	}
	if err != nil {
		return fmt.Errorf("%s.json: not the state of a run: %w", r.name, err)
	}
	same := *old.Tuner
	same.Done, same.Values, same.Wins, same.Draws, same.Losses = 0, r.Tuner.Values, 0, 0, 0
	mine := Run{Contest: r.Contest, Pairs: r.Pairs, Tuner: r.Tuner}
	if what := difference.First(Run{Contest: old.Contest, Pairs: old.Pairs, Tuner: &same}, mine); what != "" {
		return fmt.Errorf("%s.json has other settings, %s; use another name or the same settings", r.name, what)
	}
	if err := old.Tuner.check(); err != nil {
		return fmt.Errorf("%s.json: %w", r.name, err)
	}
	r.Tuner = old.Tuner
	if err := r.readHistory(); err != nil {
		return err
	}
	return r.writeHistory() // without rows newer than the state
}

// Play runs the remaining iterations with the given number of worker processes,
// which does not affect the result. It reports its progress to stderr, and returns
// early, without an error, when ctx is done.
func (r *Run) Play(ctx context.Context, workers int, stderr io.Writer) (err error) {
	list, err := startWorkers(ctx, &r.Contest, min(workers, r.Pairs), stderr)
	if err == nil {
		err = r.run(ctx, list, stderr)
	}
	if stopErr := list.stop(); err == nil && ctx.Err() == nil {
		err = stopErr
	}
	return err
}

// chartInterval is the time between two updates of the chart.
const chartInterval = 10 * time.Second

// run runs the remaining iterations with the workers, until ctx is done. A file that
// cannot be written ends no run: only the last one of each counts.
func (r *Run) run(ctx context.Context, workers crew, stderr io.Writer) error {
	line, start, first := status.New(stderr), time.Now(), r.Tuner.Done
	var drawn time.Time
	defer line.End()
	for r.Tuner.Done < r.Tuner.Iterations {
		sum, err := r.iterate(workers)
		if ctx.Err() != nil {
			return r.finish() // the files have the state of the last completed iteration
		}
		if err != nil {
			return errors.Join(err, r.finish())
		}
		r.Tuner.learn(sum.Wins, sum.Draws, sum.Losses)
		before := r.stateErr
		if r.save(); r.stateErr != nil && before == nil {
			line.Print("warning: " + r.stateErr.Error())
		}
		line.Update(func() status.Report {
			elapsed, done := time.Since(start), r.Tuner.Done-first
			t := r.Tuner
			return status.Report{
				Facts: []string{
					fmt.Sprintf("iteration %d of %d", t.Done, t.Iterations),
					fmt.Sprintf("games +%d =%d -%d", t.Wins, t.Draws, t.Losses),
					fmt.Sprintf("%.2f games/s", float64(2*r.Pairs*done)/elapsed.Seconds()),
				},
				Done: int64(t.Done), Total: int64(t.Iterations),
				Left: status.Left(elapsed, int64(done), int64(t.Iterations-t.Done)),
			}
		})
		if time.Since(drawn) > chartInterval {
			drawn = time.Now()
			_ = r.draw()
		}
	}
	return r.finish()
}

// iterate plays the pairs of an iteration and returns the sum of the results.
func (r *Run) iterate(workers crew) (sum selfplay.Standing, err error) {
	plus, minus := r.Tuner.sides()
	sides := func(uint64) [2][]int { return [2][]int{plus, minus} }
	first := uint64(r.Tuner.Done) * uint64(r.Pairs)
	err = workers.play(sides, first, r.Pairs, func(s *selfplay.Standing) error {
		sum.Join(s)
		return nil
	})
	return sum, err
}
