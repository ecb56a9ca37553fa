package dataset

import (
	"context"
	"sync"
)

// Source puts items until it has no more, put returns an error, or ctx is done.
type Source[A any] func(ctx context.Context, put func(A) error) error

// outcome is what became of an item.
type outcome[B any] struct {
	value B
	err   error
}

// job is an item and where its outcome is awaited.
type job[A, B any] struct {
	item A
	done chan outcome[B]
}

// Ordered calls work for every item that produce puts, from as many goroutines,
// which it numbers from 0, and hands the results to emit one at a time in the
// order of the items. The first error in that order ends it, as does ctx; then the
// context of produce is done and put returns an error, on which produce has to
// return.
func Ordered[A, B any](ctx context.Context, workers int, produce Source[A], work func(worker int, item A) (B, error), emit func(B) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	jobs := make(chan job[A, B])
	queue := make(chan chan outcome[B], 2*max(workers, 1))
	for i := range max(workers, 1) {
		wg.Go(func() {
			for j := range jobs {
				value, err := work(i, j.item)
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

// collect hands the results in the queue to emit.
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
