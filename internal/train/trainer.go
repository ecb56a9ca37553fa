package train

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Trainer is a training run between two batches.
type Trainer struct {
	config     Config
	data       *stream
	validation *stream // nil if there is none
	model      *model
	optimiser  *optimiser
	workers    []*worker

	batch   int64   // batches learnt
	read    int64   // records read by then
	sum     Loss    // over the batches of the superbatch so far
	seconds float64 // learnt for, validation aside, in the superbatch so far
	history []Report
}

// Report is what a superbatch has come to.
type Report struct {
	Superbatch  int   // from 1
	Positions   int64 // learnt since the start of the run
	Rate        float64
	ResultShare float64
	Training    Loss    // mean over the superbatch
	Validation  Loss    // at its end; zero without validation data
	PerSecond   float64 // positions learnt, validation aside
}

// New opens the data and draws weights, or reads them. Close the Trainer after use.
func New(c Config) (*Trainer, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	sieve := c.FilterEnd.sieve(c.ScoreScale) // of the data, that of each batch
	data, err := openStream(c.Data, sieve)
	if err != nil {
		return nil, err
	}
	t := &Trainer{config: c, data: data, model: newModel(c.Architecture)}
	if c.Validation != "" {
		if t.validation, err = openStream([]string{c.Validation}, sieve); err != nil {
			data.close()
			return nil, err
		}
	}
	t.model.initialise(c.Seed)
	if c.From != "" {
		if t.config.FromHash, err = t.model.warmStart(c.From); err != nil {
			t.Close()
			return nil, err
		}
	}
	t.optimiser = newOptimiser(t.model)
	for range c.Threads {
		t.workers = append(t.workers, newWorker(t.model))
	}
	return t, nil
}

// Close closes the data.
func (t *Trainer) Close() {
	t.data.close()
	if t.validation != nil {
		t.validation.close()
	}
}

// Done reports whether the run is at its end.
func (t *Trainer) Done() bool { return len(t.history) == t.config.Superbatches }

// History returns the reports so far.
func (t *Trainer) History() []Report { return t.history }

// FromHash returns the hash of the network with whose weights the run began, or "".
func (t *Trainer) FromHash() string { return t.config.FromHash }

// Positions returns the number of records of the training data.
func (t *Trainer) Positions() int64 { return t.data.total }

// Progress is where a run stands.
type Progress struct {
	Superbatch int     // that is being learnt, from 1
	Share      float64 // of it that is done
	Positions  int64   // learnt since the start of the run
	Total      int64   // to learn
	Loss       Loss    // mean over the superbatch so far
}

func (t *Trainer) progress() Progress {
	per, size := t.config.batches(), int64(t.config.Batch)
	done := t.batch - int64(len(t.history))*per
	return Progress{
		Superbatch: len(t.history) + 1,
		Share:      float64(done) / float64(per),
		Positions:  t.batch * size,
		Total:      t.config.total() * size,
		Loss:       t.mean(done),
	}
}

// mean returns the mean loss of as many batches of the superbatch.
func (t *Trainer) mean(batches int64) Loss {
	n := float64(max(batches, 1) * int64(t.config.Batch))
	return Loss{t.sum.Score / n, t.sum.Blended / n}
}

// Learn goes on to the end of the superbatch and returns its report. It calls
// progress after every batch, where Save may be called and an error ends the run. When ctx
// ends Learn returns its error, and may be called again. After any other error the
// Trainer is of no use.
func (t *Trainer) Learn(ctx context.Context, progress func(Progress) error) (Report, error) {
	if t.Done() {
		return Report{}, errors.New("the run is at its end")
	}
	feed, err := t.feed()
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

// learn learns a batch.
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
	step := t.optimiser.step(c.Rate.at(t.batch, c.batches(), c.total()), c.Decay)
	t.parallel(func(i int, _ *worker) { t.optimiser.update(t.model, gradients, &step, i, c.Threads) })
	t.sum.Score += loss.Score
	t.sum.Blended += loss.Blended
	t.batch++
	t.read = b.end
	return nil
}

// parallel calls f for all workers at the same time.
func (t *Trainer) parallel(f func(i int, w *worker)) {
	var running sync.WaitGroup
	for i, w := range t.workers {
		running.Go(func() { f(i, w) })
	}
	running.Wait()
}

// report ends a superbatch.
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
