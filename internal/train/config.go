package train

import (
	"errors"
	"fmt"

	"skein/internal/record"
	"skein/nnue"
)

// Config is all that decides what a training run learns. With the same Config,
// the same data files and the same kernels of package simd, a run makes the same
// network, bit for bit, however often it is interrupted. Threads is part of that: sums are
// rounded in another order with another number of threads.
type Config struct {
	Name         string // of the network
	Architecture nnue.Architecture

	Data       []string // files of 32-byte records in random order
	Validation string   // file of records of other games; "" is none
	// ValidationPositions bounds how many of them are looked at, from the
	// start of the file; 0 is all.
	ValidationPositions int64
	// Positions are filtered by Filter in the first batch and FilterEnd in the
	// last, and on a straight line between them. Validation data are by FilterEnd.
	Filter, FilterEnd Filter

	Seed uint64 // of the initial weights
	// From is a network file whose weights the run begins with instead, rounded as
	// they are; "" is none. It has the same shape, but for one king bucket, whose
	// table then becomes that of all, or for no head, which then has the weights
	// of Seed. FromHash is its hash, which New fills in.
	From, FromHash string

	Threads int

	Batch        int   // positions between two updates of the weights
	Superbatch   int64 // positions between two reports, rounded up to whole batches
	Superbatches int

	Rate  Schedule
	Decay float64 // of the weights by an update, as a share of the rate

	// The network learns ResultStart..ResultEnd (going linearly through the run) parts of the
	// game's result and for the rest the score, as a share of points:
	// 1 / (1 + exp(-score/ScoreScale)).
	ResultStart, ResultEnd float64
	ScoreScale             float64 // units
}

// DefaultConfig returns settings for a first network from some ten million
// positions. Name, Data and Validation are to be filled in.
func DefaultConfig() Config {
	filter := Filter{MaxScore: record.DefaultFilter().MaxScore}
	return Config{
		Architecture: nnue.Architecture{Width: 128, KingBuckets: 1, OutputBuckets: 1, Scale: 600},
		Filter:       filter,
		FilterEnd:    filter,
		Seed:         1,
		Threads:      1,
		Batch:        16384,
		Superbatch:   100e6,
		Superbatches: 20,
		Rate:         Schedule{Kind: Cosine, Start: 0.004, End: 0.00001, Warmup: 100},
		Decay:        0.05,
		// Small, so that what is undecided counts most: what wins and loses games.
		ScoreScale: 300,
		// The results of few games are learned by heart.
		ResultStart: 0, ResultEnd: 0,
	}
}

// smallData is the number of positions below which small batches learn better.
const smallData = 20e6

// DefaultSizes returns the batch and superbatch for as many positions of
// training data: a superbatch is one pass, within bounds.
func DefaultSizes(positions int64) (batch int, superbatch int64) {
	batch = 16384
	if positions < smallData {
		batch = 4096
	}
	return batch, min(max(positions, int64(batch)), 100e6)
}

// Validate reports what is wrong with c, apart from the files.
func (c *Config) Validate() error {
	if _, err := nnue.New(nnue.NewParameters(c.Architecture)); err != nil {
		return err
	}
	switch {
	case len(c.Data) == 0:
		return errors.New("no training data")
	case c.Threads < 1 || c.Threads > maxThreads:
		return fmt.Errorf("%d threads are not 1 to %d", c.Threads, maxThreads)
	case c.Batch < 1 || c.Batch > maxBatch:
		return fmt.Errorf("a batch of %d is not 1 to %d positions", c.Batch, maxBatch)
	case c.Superbatch < 1 || c.Superbatches < 1:
		return fmt.Errorf("%d superbatches of %d positions are none", c.Superbatches, c.Superbatch)
	case !(c.Decay >= 0 && c.Decay < 1):
		return fmt.Errorf("weight decay %g is not 0 to 1", c.Decay)
	case !isShare(c.ResultStart) || !isShare(c.ResultEnd):
		return fmt.Errorf("shares of the result %g and %g are not 0 to 1", c.ResultStart, c.ResultEnd)
	case !(c.ScoreScale >= 1 && c.ScoreScale <= 10000):
		return fmt.Errorf("score scale %g is not 1 to 10000", c.ScoreScale)
	case c.ValidationPositions < 0:
		return fmt.Errorf("%d validation positions", c.ValidationPositions)
	}
	if err := validateFilters(c.Filter, c.FilterEnd); err != nil {
		return err
	}
	return c.Rate.validate()
}

const (
	maxThreads = 1024
	maxBatch   = 1 << 24
)

func isShare(x float64) bool { return x >= 0 && x <= 1 }

// batches returns the number of batches of a superbatch.
func (c *Config) batches() int64 {
	return (c.Superbatch + int64(c.Batch) - 1) / int64(c.Batch)
}

// total returns the number of batches of the run.
func (c *Config) total() int64 { return c.batches() * int64(c.Superbatches) }

// resultShare returns the share of the result in the given batch.
func (c *Config) resultShare(batch int64) float64 {
	return c.ResultStart + (c.ResultEnd-c.ResultStart)*float64(batch)/float64(max(c.total()-1, 1))
}
