package train

import (
	"context"
	"fmt"
)

// Validate returns the loss on the validation data, with the share of the
// result of the last batch. Without validation data it is zero.
func (t *Trainer) Validate(ctx context.Context) (Loss, error) {
	o := t.config.objective(t.config.resultShare(max(t.batch-1, 0)))
	var sum Loss
	n, err := t.eachValidation(ctx, func(b *batch) error {
		t.parallel(func(i int, w *worker) {
			lo, hi := part(b, i, len(t.workers))
			w.evaluate(t.model, &o, b.records, lo, hi, 0)
		})
		loss := total(t.workers)
		sum.Score += loss.Score
		sum.Blended += loss.Blended
		return fault(t.workers, t.validation, b)
	})
	if err != nil || n == 0 {
		return Loss{}, err
	}
	return Loss{sum.Score / float64(n), sum.Blended / float64(n)}, nil
}

// part returns the range of records of a batch for worker i of n.
func part(b *batch, i, n int) (lo, hi int) {
	return len(b.records) * i / n, len(b.records) * (i + 1) / n
}

// eachValidation calls f with the positions of the validation data in batches,
// and returns their number.
func (t *Trainer) eachValidation(ctx context.Context, f func(*batch) error) (int64, error) {
	s := t.validation
	if s == nil {
		return 0, nil
	}
	limit := s.total
	if n := t.config.ValidationPositions; n > 0 {
		limit = min(limit, n)
	}
	if err := s.seek(0); err != nil {
		return 0, err
	}
	b := newBatch(validationBatch)
	var n int64
	for s.read < limit {
		if err := s.fillBatch(ctx, b, limit); err != nil {
			return n, err
		}
		if err := f(b); err != nil {
			return n, err
		}
		n += int64(len(b.records))
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: no position passes the filter", t.config.Validation)
	}
	return n, nil
}

const validationBatch = 16384
