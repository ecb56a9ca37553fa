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

// candidate is a position that may be part of the sample.
type candidate struct {
	draw  uint64 // random number; the positions with the least are the sample
	index int    // in the file
	entry dataset.Entry
}

// sample returns c.Sample random positions of a file, or all if it has fewer, in
// the order of the file. A smaller sample is a subset of a larger one with the same
// seed.
func sample(ctx context.Context, c *Config, name string, line *status.Line) (dataset.Decoded, error) {
	var list []candidate
	limit, index := uint64(math.MaxUint64), 0
	keepLeast := func() {
		slices.SortFunc(list, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.draw, b.draw), a.index-b.index)
		})
		if len(list) > c.Sample {
			list = list[:c.Sample]
			limit = list[c.Sample-1].draw
		}
	}
	random := rand.NewPCG(c.Seed, 0)
	err := dataset.Entries(ctx, []string{name}, c.Filter, c.Workers, func(e *dataset.Entry) error {
		if draw := random.Uint64(); draw <= limit {
			list = append(list, candidate{draw, index, *e})
		}
		index++
		if len(list)/2 >= c.Sample {
			keepLeast()
		}
		line.Update(func() status.Report {
			return status.Report{Facts: []string{fmt.Sprintf("%s: sampling from %d positions", name, index)}}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	keepLeast()
	slices.SortFunc(list, func(a, b candidate) int { return a.index - b.index })
	drawn := make(dataset.Decoded, len(list))
	for i := range list {
		drawn[i] = list[i].entry
	}
	return drawn, nil
}
