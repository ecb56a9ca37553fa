package train

import (
	"context"
	"sync"
)

// feed reads batches ahead in another goroutine.
type feed struct {
	filled, empty chan *batch
	cancel        context.CancelFunc
	running       sync.WaitGroup
	err           error // valid after filled is closed
}

// batchesAhead is the number of batches that are read ahead.
const batchesAhead = 4

// feed starts reading after the last batch that was trained on, until ctx is done.
func (t *Trainer) feed(ctx context.Context) (*feed, error) {
	s, first := t.data, t.batch
	if err := s.seek(t.read); err != nil {
		return nil, err
	}
	f := &feed{filled: make(chan *batch, batchesAhead+1), empty: make(chan *batch, batchesAhead+1)}
	ctx, f.cancel = context.WithCancel(ctx)
	for range batchesAhead + 1 {
		f.empty <- newBatch(t.config.Batch)
	}
	f.running.Go(func() {
		defer close(f.filled)
		for number := first; ; number++ {
			select {
			case <-ctx.Done():
				f.err = ctx.Err()
				return
			case b := <-f.empty:
				s.sieve = t.config.filter(number).sieve(t.config.ScoreScale)
				if f.err = s.fillBatch(ctx, b, -1); f.err != nil {
					return
				}
				f.filled <- b // the buffer has room for all batches
			}
		}
	})
	return f, nil
}

// next returns the next batch, which must be sent to empty after use.
func (f *feed) next() (*batch, error) {
	if b, ok := <-f.filled; ok {
		return b, nil
	}
	return nil, f.err // set before filled was closed
}

func (f *feed) giveBack(b *batch) { f.empty <- b }

// stop stops the reader and waits for it.
func (f *feed) stop() {
	f.cancel()
	f.running.Wait()
}
