package train

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Trainer is a training run. Its methods must be called by one goroutine at a
// time.
type Trainer struct {
	config     Config
	data       *stream
	validation *stream // nil if there is none
	model      *model
	optimizer  *optimizer
	workers    []*worker
	clipped    int // weights of the network it starts from

	batch   int64   // batches trained
	read    int64   // records read up to that batch
	sum     Loss    // over the batches so far of the superbatch
	seconds float64 // time of training in the superbatch so far, without validation
	history []Report
}

// Report is the statistics of a superbatch.
type Report struct {
	Superbatch  int   // from 1
	Positions   int64 // trained on since the start of the run
	Rate        float64
	ResultShare float64
	Training    Loss    // mean over the superbatch
	Validation  Loss    // at its end; zero without validation data
	PerSecond   float64 // positions per second, without validation
}

// New opens the data and draws the initial weights, or reads them from the file
// From. The Trainer must be closed after use.
func New(c Config) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	sieve := c.FilterEnd.sieve(c.ScoreScale) // for validation; training data is filtered by batch
	data, err := openStream(c.Data, sieve)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c, data: data, model: newModel(c.Architecture, c.Factorizers)}
	if c.Validation != "" {
		if t.validation, err = openStream([]string{c.Validation}, sieve); err != nil {
			data.close()
			return nil, err
		}
	}
	t.model.initialize(c.Seed)
	if c.From != "" {
		if t.config.FromHash, t.clipped, err = t.model.warmStart(c.From); err != nil {
			t.Close()
			return nil, err
		}
	}
	t.optimizer = newOptimizer(t.model)
	for range c.Threads {
		t.workers = append(t.workers, newWorker(t.model))
	}
	return t, nil
}

// Close closes the data files.
func (t *Trainer) Close() {
	t.data.close()
	if t.validation != nil {
		t.validation.close()
	}
}

// Done reports whether the run is complete.
func (t *Trainer) Done() bool { return len(t.history) == t.config.Superbatches }

// History returns the reports of the completed superbatches.
func (t *Trainer) History() []Report { return t.history }

// FromHash returns the hash of the network with the initial weights, "" if they
// were drawn.
func (t *Trainer) FromHash() string { return t.config.FromHash }

// Clipped returns the number of weights of the network of Config.From that training
// bounds more narrowly than they were, so that they were changed.
func (t *Trainer) Clipped() int { return t.clipped }

// Positions returns the number of records of the training data.
func (t *Trainer) Positions() int64 { return t.data.total }

// Progress is the progress of a run.
type Progress struct {
	Superbatch int   // the current one, from 1
	Positions  int64 // trained on since the start of the run
	Total      int64 // positions of the whole run
	Loss       Loss  // mean over the superbatch so far
}

func (t *Trainer) progress() Progress {
	per, size := t.config.batches(), int64(t.config.Batch)
	done := t.batch - int64(len(t.history))*per
	return Progress{
		Superbatch: len(t.history) + 1,
		Positions:  t.batch * size,
		Total:      t.config.total() * size,
		Loss:       t.mean(done),
	}
}

// mean returns the mean loss of the given number of batches of the superbatch.
func (t *Trainer) mean(batches int64) Loss {
	n := float64(max(batches, 1) * int64(t.config.Batch))
	return Loss{t.sum.Score / n, t.sum.Blended / n}
}

// Learn trains to the end of the superbatch and returns its report. It calls progress after every batch, which may call
// Save, and whose error it returns. If ctx is done, it returns the error of ctx and may be called again. After any
// other error the Trainer must not be used.
func (t *Trainer) Learn(ctx context.Context, progress func(Progress) error) (Report, error) {
	if t.Done() {
		return Report{}, errors.New("the run is complete")
	}
	feed, err := t.feed(ctx)
	if err != nil {
		return Report{}, err
	}
	defer feed.stop()
	end := int64(len(t.history)+1) * t.config.batches()
	for t.batch < end {
		if err := ctx.Err(); err != nil {
			return Report{}, err
		}
		start := time.Now()
		b, err := feed.next()
		if err != nil {
			return Report{}, err
		}
		if err := t.learn(b); err != nil {
			return Report{}, err
		}
		feed.giveBack(b)
		t.seconds += time.Since(start).Seconds()
		if err := progress(t.progress()); err != nil {
			return Report{}, err
		}
	}
	return t.report(ctx)
}

// learn trains on a batch.
func (t *Trainer) learn(b *batch) error {
	c := &t.config
	o := c.objective(c.resultShare(t.batch))
	t.parallel(func(i int, w *worker) {
		lo, hi := part(b, i, c.Threads)
		w.evaluate(t.model, &o, b.records, lo, hi, 1/float64(len(b.records)))
	})
	if err := fault(t.workers, t.data, b); err != nil {
		return err
	}
	loss := total(t.workers)
	if err := loss.checkFinite(); err != nil {
		return fmt.Errorf("batch %d: %w", t.batch, err)
	}
	gradients := make([][]float32, len(t.workers))
	for i, w := range t.workers {
		gradients[i] = w.gradients
	}
	step := t.optimizer.step(c.Rate.at(t.batch, c.batches(), c.total()), c.Decay)
	t.parallel(func(i int, _ *worker) { t.optimizer.updateFactorizers(t.model, gradients, &step, i, c.Threads) })
	t.parallel(func(i int, _ *worker) { t.optimizer.update(t.model, gradients, &step, i, c.Threads) })
	t.sum.Score += loss.Score
	t.sum.Blended += loss.Blended
	t.batch++
	t.read = b.end
	return nil
}

// parallel calls f for all workers concurrently.
func (t *Trainer) parallel(f func(i int, w *worker)) {
	var running sync.WaitGroup
	for i, w := range t.workers {
		running.Go(func() { f(i, w) })
	}
	running.Wait()
}

// report completes a superbatch: it validates and records the report.
func (t *Trainer) report(ctx context.Context) (Report, error) {
	c := &t.config
	validation, err := t.Validate(ctx)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Superbatch:  len(t.history) + 1,
		Positions:   t.batch * int64(c.Batch),
		Rate:        c.Rate.at(t.batch-1, c.batches(), c.total()),
		ResultShare: c.resultShare(t.batch - 1),
		Training:    t.mean(c.batches()),
		Validation:  validation,
		PerSecond:   float64(c.batches()*int64(c.Batch)) / max(t.seconds, 1e-9),
	}
	t.history = append(t.history, r)
	t.sum, t.seconds = Loss{}, 0
	return r, nil
}
