package spsa

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"skein/internal/selfplay"
)

// process is a worker process.
type process struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	requests *json.Encoder
	replies  *json.Decoder
}

// startWorker starts a worker, which is killed when ctx is done.
func startWorker(ctx context.Context, c *Contest, stderr io.Writer) (*process, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(ctx, program, WorkerCommand)}
	p.cmd.Stderr = stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.requests, p.replies = json.NewEncoder(p.in), json.NewDecoder(out)
	if err := p.requests.Encode(c); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

// play has the worker play a pair and returns its result.
func (p *process) play(q *request) (selfplay.Standing, error) {
	var r reply
	err := p.requests.Encode(q)
	if err == nil {
		err = p.replies.Decode(&r)
	}
	if err != nil {
		return r.Standing, p.ended(err)
	}
	if r.Error != "" {
		return r.Standing, fmt.Errorf("worker: %s", r.Error)
	}
	return r.Standing, nil
}

// ended returns the error of a worker with which communication failed: why it ended
// or, if it ended well, the failure. It does not wrap the failure, which would be
// taken for one of standard output.
func (p *process) ended(failure error) error {
	if err := p.stop(); err != nil {
		return fmt.Errorf("a worker ended: %w", err)
	}
	return fmt.Errorf("a worker ended: %v", failure)
}

// stop waits for the worker to finish its pair and exit.
func (p *process) stop() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }

// crew is several worker processes of one contest.
type crew []*process

// startWorkers starts n workers. If one cannot be started, it returns the error and
// those that were.
func startWorkers(ctx context.Context, c *Contest, n int, stderr io.Writer) (list crew, err error) {
	for range n {
		p, err := startWorker(ctx, c, stderr)
		if err != nil {
			return list, err
		}
		list = append(list, p)
	}
	return list, nil
}

// stop waits for all workers to exit and returns the first error.
func (c crew) stop() (err error) {
	for _, p := range c {
		err = cmp.Or(err, p.stop())
	}
	return err
}

// play plays pairs first to first+n-1 between the sets of values that sides returns
// for their numbers. It calls emit with the result of each, one at a time and in this
// order, until emit or a worker fails.
func (c crew) play(
	sides func(number uint64) [2][]int, first uint64, n int, emit func(*selfplay.Standing) error,
) (err error) {
	sequence := selfplay.Sequence[*selfplay.Standing]{Next: first}
	next, end := first, first+uint64(n)
	var mu sync.Mutex
	// draw returns the number of the next pair, and false if there is none to play.
	draw := func() (number uint64, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil || next == end {
			return 0, false
		}
		next++
		return next - 1, true
	}
	var wg sync.WaitGroup
	for _, p := range c {
		wg.Go(func() {
			for number, ok := draw(); ok; number, ok = draw() {
				result, failure := p.play(&request{number, sides(number)})
				mu.Lock()
				if err == nil && failure == nil {
					failure = sequence.Add(number, &result, emit)
				}
				err = cmp.Or(err, failure)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return err
}

// Play plays pairs of games between two sets of values of the contest's parameters,
// in the given number of worker processes, and calls emit with the result of each
// pair, from the first side's view, until emit returns an error or ctx is done.
func (c *Contest) Play(
	ctx context.Context, values [2][]int, pairs, workers int, stderr io.Writer, emit func(*selfplay.Standing) error,
) error {
	if err := c.check(pairs); err != nil {
		return err
	}
	return c.play(ctx, func(uint64) [2][]int { return values }, 0, pairs, workers, stderr, emit)
}

// play plays pairs first to first+n-1 between the sets of values that sides returns
// for their numbers, as Play does.
func (c *Contest) play(
	ctx context.Context, sides func(number uint64) [2][]int, first uint64, n, workers int, stderr io.Writer,
	emit func(*selfplay.Standing) error,
) error {
	if _, err := setter(c.Names); err != nil {
		return err
	}
	list, err := startWorkers(ctx, c, min(workers, n), stderr)
	if err == nil {
		err = list.play(sides, first, n, emit)
	}
	err = cmp.Or(err, list.stop())
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
