package review

import (
	"context"
	"io"
	"sync"

	"skein/notation"
	"skein/search"
)

// Batch reviews the games that next returns until its error is io.EOF, one game
// with each engine at a time, and calls emit with every game and its review in the
// order of next. It keeps at most two games more than there are engines. Next and
// emit are called by one goroutine each, Options.Progress by those of the
// engines. It returns the first error in the order of the games, or the cause of
// ctx when that is done.
//
// A review does not depend on the other games nor on which engine makes it, if the
// engines are alike.
func Batch(ctx context.Context, engines []*search.Engine, next func() (*notation.Game, error), o Options,
	emit func(*notation.Game, *Game) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	jobs := make(chan *job)
	queue := make(chan *job, len(engines))
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	for _, e := range engines {
		wg.Go(func() {
			for j := range jobs {
				j.reviewed, j.err = Review(ctx, e, j.game, o)
				close(j.done)
			}
		})
	}
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		produce(ctx, next, jobs, queue)
	})
	for j := range queue {
		<-j.done
		if j.err == nil {
			j.err = emit(j.game, j.reviewed)
		}
		if j.err != nil {
			return j.err
		}
	}
	return context.Cause(ctx)
}

// job is a game to review, and the result once done is closed.
type job struct {
	game     *notation.Game
	reviewed *Game
	err      error
	done     chan struct{}
}

// produce puts the games into both channels until there are no more or ctx is done.
// An error of next becomes that of the last job.
func produce(ctx context.Context, next func() (*notation.Game, error), jobs, queue chan<- *job) {
	for {
		j := &job{done: make(chan struct{})}
		var to chan<- *job // for the engines
		if j.game, j.err = next(); j.err == nil {
			to = jobs
		} else if j.err == io.EOF {
			return
		} else {
			close(j.done)
		}
		select {
		case queue <- j:
		case <-ctx.Done():
			return
		}
		if to == nil {
			return
		}
		select {
		case to <- j:
		case <-ctx.Done():
			j.err = context.Cause(ctx)
			close(j.done)
			return
		}
	}
}
