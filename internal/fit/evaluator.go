package fit

import (
	"context"
	"errors"

	"skein/chess"
	"skein/internal/label"
	"skein/nnue"
	"skein/position"
	"skein/search"
)

// evaluator evaluates positions with networks, statically and by searches. It must
// be used by one goroutine at a time.
type evaluator struct {
	stacks  []*nnue.Stack    // one for each network
	engines []*search.Engine // one for each network, if there are searches
	limits  []search.Limits  // of the searches
	scaled  bool             // as the search scales values
}

// newEvaluator returns an evaluator for the networks and searches of c.
func newEvaluator(c *Config) (*evaluator, error) {
	v := &evaluator{scaled: c.Scaled}
	for _, n := range c.Nodes {
		v.limits = append(v.limits, label.Limits(n, c.Soft))
	}
	for _, net := range c.Nets {
		v.stacks = append(v.stacks, nnue.NewStack(net, 0))
		if len(v.limits) == 0 {
			continue
		}
		e, err := search.New(net, search.Options{Threads: 1, Hash: c.Hash})
		if err != nil {
			return nil, errors.Join(err, v.close())
		}
		v.engines = append(v.engines, e)
	}
	return v, nil
}

// close frees the memory.
func (v *evaluator) close() error {
	var errs []error
	for _, e := range v.engines {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// appendValues appends for each network its value of p and the scores of the
// searches, in units of 1/256 pawn from White's point of view: both as the network
// is to say them (search.Unscaled), or scaled. Every search starts with an empty
// table. The values are meaningless if ctx is done.
func (v *evaluator) appendValues(ctx context.Context, values []int, p *position.Position) []int {
	sign := 1
	if p.SideToMove() == chess.Black {
		sign = -1
	}
	for i, s := range v.stacks {
		s.Reset(p)
		value := s.Evaluate(p)
		if v.scaled {
			value = search.Scaled(value, p)
		}
		values = append(values, sign*int(value))
		for _, limits := range v.limits {
			v.engines[i].NewGame()
			score := v.engines[i].SearchContext(ctx, position.NewGame(*p), limits, nil).Score
			if !v.scaled {
				score = search.Unscaled(score, p)
			}
			values = append(values, sign*int(score))
		}
	}
	return values
}
