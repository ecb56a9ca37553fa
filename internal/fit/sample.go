package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"skein/internal/dataset"
	"skein/internal/status"
)

// positions are those of a sample.
type positions []dataset.Entry

// Each implements dataset.Batch.
func (p positions) Each(visit func(*dataset.Entry) error) error {
	for i := range p {
		if err := visit(&p[i]); err != nil {
			return err
		}
	}
	return nil
}

// sampleBatch is how many positions of a sample are worked on at a time.
const sampleBatch = 16

// batches puts the positions as batches for dataset.Ordered.
func (p positions) batches(_ context.Context, put func(dataset.Batch) error) error {
	for chunk := range slices.Chunk(p, sampleBatch) {
		if err := put(chunk); err != nil {
			return err
		}
	}
	return nil
}

// ticket is a position that may get into the sample.
type ticket struct {
	draw  uint64 // the least are taken
	index int    // in the file
	entry dataset.Entry
}

// sample returns as many positions of a file as c says, or all if it has fewer, in
// their order there. The seed alone decides which, and a smaller sample is part of
// a larger one with the same seed.
func sample(ctx context.Context, c *Config, name string, line *status.Line) (positions, error) {
	var tickets []ticket
	limit, index := uint64(math.MaxUint64), 0
	keepLeast := func() {
		slices.SortFunc(tickets, func(a, b ticket) int { return cmp.Or(cmp.Compare(a.draw, b.draw), a.index-b.index) })
		if len(tickets) > c.Sample {
			tickets = tickets[:c.Sample]
			limit = tickets[c.Sample-1].draw
		}
	}
	random := rand.NewPCG(c.Seed, 0)
	err := dataset.Entries(ctx, []string{name}, c.Filter, c.Workers, func(e *dataset.Entry) error {
		if draw := random.Uint64(); draw <= limit {
			tickets = append(tickets, ticket{draw, index, *e})
		}
		index++
		if len(tickets)/2 >= c.Sample {
			keepLeast()
		}
		line.Update(func() string { return fmt.Sprintf("%s: drawing from %d positions", name, index) })
		return nil
	})
	if err != nil {
		return nil, err
	}
	keepLeast()
	slices.SortFunc(tickets, func(a, b ticket) int { return a.index - b.index })
	drawn := make(positions, len(tickets))
	for i := range tickets {
		drawn[i] = tickets[i].entry
	}
	return drawn, nil
}
