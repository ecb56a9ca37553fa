package dataset

import (
	"context"
	"fmt"
	"sync"
)

// Source puts items until it has no more, put returns an error, or ctx is done.
type Source[A any] func(ctx context.Context, put func(A) error) error

// Skip returns a source without its first n items. It is an error if there are fewer.
func Skip[A any](s Source[A], n int) Source[A] {
	return func(ctx context.Context, put func(A) error) error {
		left := n
		err := s(ctx, func(item A) error {
			if left > 0 {
				left--
				return ctx.Err()
			}
			return put(item)
		})
		if err == nil && left > 0 {
			return fmt.Errorf("the input is shorter than before: %d of the %d parts already done are missing", left, n)
		}
		return err
	}
}

// outcome is the result of an item, or an error.
type outcome[B any] struct {
	value B
	err   error
}

// job is an item and the channel for its outcome.
type job[A, B any] struct {
	item A
	done chan outcome[B]
}

// Ordered calls work for every item that produce puts, in the given number of
// goroutines, which are numbered from 0, and calls emit with the results one at
// a time in the order of the items. It returns the first error in that order,
// or that of ctx; the context of produce and work is then done and put returns an
// error, on which produce must return.
func Ordered[A, B any](
	ctx context.Context, workers int, produce Source[A],
	work func(ctx context.Context, worker int, item A) (B, error), emit func(B) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	jobs := make(chan job[A, B])
	queue := make(chan chan outcome[B], 2*max(workers, 1))
	for i := range max(workers, 1) {
		wg.Go(func() {
			for j := range jobs {
				value, err := work(ctx, i, j.item)
				j.done <- outcome[B]{value, err}
			}
		})
	}
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		err := produce(ctx, func(item A) error {
			j := job[A, B]{item, make(chan outcome[B], 1)}
			select {
			case queue <- j.done:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return ctx.Err()
			}
			return nil
		})
		if err != nil {
			done := make(chan outcome[B], 1)
			done <- outcome[B]{err: err}
			select {
			case queue <- done:
			case <-ctx.Done():
			}
		}
	})
	return collect(ctx, queue, emit)
}

// collect calls emit with the results in the queue.
func collect[B any](ctx context.Context, queue <-chan chan outcome[B], emit func(B) error) error {
	for done := range queue {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case o := <-done:
			if o.err == nil {
				o.err = emit(o.value)
			}
			if o.err != nil {
				return o.err
			}
		}
	}
	return ctx.Err()
}
