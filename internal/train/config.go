package train

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"skein/internal/record"
	"skein/nnue"
)

// Config is the settings of a training run. With the same Config, data files and kernels of package simd, a run
// produces the same network, bit for bit, even if it is interrupted. That includes Threads, because the number of
// threads determines the order in which sums are rounded.
type Config struct {
	Name         string // of the network
	Architecture nnue.Architecture

	Data       []string // files of 32-byte records in random order
	Validation string   // file of records of other games; "" is none
	// ValidationPositions is the number of records used, from the start of the
	// file; 0 is all.
	ValidationPositions int64
	// Positions are filtered by Filter in the first batch, by FilterEnd in the
	// last, and by linear interpolation between. Validation data is filtered by
	// FilterEnd.
	Filter, FilterEnd Filter

	// Factorizers is whether the features of a piece share weights with those of
	// it on any square, on the same rank and on the same file, in each feature
	// table. Features of several tables always share weights with each other.
	Factorizers bool

	Seed uint64 // of the initial weights
	// From is a network file with the initial weights; "" is none. It must have
	// the same architecture, except that it may have one feature table, which is
	// then used for all; no rows of dangers, which then start at zero; or no head,
	// whose weights are then drawn by Seed, and then also half the width. Without
	// heads the scale may differ. FromHash is its hash, which New sets.
	From, FromHash string

	Threads int

	Batch        int   // positions per update of the weights
	Superbatch   int64 // positions per report, rounded up to whole batches
	Superbatches int

	Rate Schedule
	// Decay is the weight decay per update, as a share of the learning rate: of
	// the weights, or of their difference from those of From.
	Decay float64

	// The target is the expected points by the score, 1 / (1 + exp(-score/ScoreScale)), blended with the game's result.
	// The share of the result, 0 to 1, changes linearly from ResultStart to ResultEnd through the run.
	ResultStart, ResultEnd float64
	ScoreScale             float64 // in score units, 1/256 pawn
	// Huber is the difference from the target, 0 to 1, beyond which the loss that is
	// minimized grows linearly; 0 is none. The losses reported are squared throughout.
	//
	// Source: P. J. Huber, "Robust Estimation of a Location Parameter", Annals of
	// Mathematical Statistics 35, 1964.
	Huber float64
}

// DefaultConfig returns settings for a first network from about ten million
// positions. Name, Data and Validation must be set.
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
		ScoreScale:   record.ScoreScale,
		// With few games the network would overfit to their results.
		ResultStart: 0, ResultEnd: 0,
	}
}

// smallData is the number of positions below which small batches give better
// networks.
const smallData = 20e6

// DefaultSizes returns the batch and superbatch sizes for a number of positions
// of training data: without a filter a superbatch is one epoch, within bounds.
func DefaultSizes(positions int64) (batch int, superbatch int64) {
	batch = 16384
	if positions < smallData {
		batch = 4096
	}
	return batch, min(max(positions, int64(batch)), 100e6)
}

// Validate returns an error that names an invalid setting. It does not read the
// files.
func (c *Config) Validate() error {
	if err := c.Architecture.Validate(); err != nil {
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
		return fmt.Errorf("%d superbatches of %d positions: both must be positive", c.Superbatches, c.Superbatch)
	case c.Superbatch > maxPositions/int64(c.Superbatches):
		return fmt.Errorf("%d superbatches of %d positions are more than %d positions", c.Superbatches, c.Superbatch,
			int64(maxPositions))
	case !(c.Decay >= 0 && c.Decay <= 1000):
		return fmt.Errorf("weight decay %g is not 0 to 1000", c.Decay)
	case !isShare(c.ResultStart) || !isShare(c.ResultEnd):
		return fmt.Errorf("shares of the result %g and %g are not 0 to 1", c.ResultStart, c.ResultEnd)
	case !(c.ScoreScale >= 1 && c.ScoreScale <= 10000):
		return fmt.Errorf("score scale %g is not 1 to 10000", c.ScoreScale)
	case !isShare(c.Huber):
		return fmt.Errorf("limit %g of the squared loss is not 0 to 1", c.Huber)
	case c.ValidationPositions < 0:
		return fmt.Errorf("the number of validation positions, %d, is negative", c.ValidationPositions)
	case len(c.Name) > math.MaxUint16: // of a network file
		return fmt.Errorf("a name of %d bytes is longer than %d", len(c.Name), math.MaxUint16)
	}
	if err := validateFilters(c.Filter, c.FilterEnd); err != nil {
		return err
	}
	// Networks and checkpoints contain these names.
	for _, name := range append([]string{c.Name, c.Validation, c.From}, c.Data...) {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is not UTF-8", name)
		}
	}
	if err := c.Rate.validate(); err != nil {
		return err
	}
	if rate := c.Rate.highest(); c.Decay*rate >= 1 {
		return fmt.Errorf("weight decay %g is too much for the learning rate %g: their product must be below 1",
			c.Decay, rate)
	}
	return nil
}

const (
	maxThreads = 1024
	maxBatch   = 1 << 24

	maxPositions = 1e15 // of a run
)

func isShare(x float64) bool { return x >= 0 && x <= 1 }

// batches returns the number of batches in a superbatch.
func (c *Config) batches() int64 {
	return (c.Superbatch + int64(c.Batch) - 1) / int64(c.Batch)
}

// total returns the number of batches in the run.
func (c *Config) total() int64 { return c.batches() * int64(c.Superbatches) }

// resultShare returns the share of the result in the given batch.
func (c *Config) resultShare(batch int64) float64 {
	return c.ResultStart + (c.ResultEnd-c.ResultStart)*float64(batch)/float64(max(c.total()-1, 1))
}
