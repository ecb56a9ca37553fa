package fit

import (
	"context"
	"errors"

	"skein/chess"
	"skein/nnue"
	"skein/position"
	"skein/search"
)

// judge tells what networks think of positions. It is for one goroutine.
type judge struct {
	stacks  []*nnue.Stack    // one for each network
	engines []*search.Engine // likewise, if there are searches
	limits  []search.Limits  // of the searches
}

func newJudge(c *Config) (*judge, error) {
	j := new(judge)
	for _, n := range c.Nodes {
		limits := search.Limits{Nodes: n}
		if c.Soft {
			limits = search.Limits{SoftNodes: n, Nodes: hardLimit * n}
		}
		j.limits = append(j.limits, limits)
	}
	for _, net := range c.Nets {
		j.stacks = append(j.stacks, nnue.NewStack(net, 0))
		if len(j.limits) == 0 {
			continue
		}
		e, err := search.New(net, search.Options{Threads: 1, Hash: c.Hash})
		if err != nil {
			return nil, errors.Join(err, j.close())
		}
		j.engines = append(j.engines, e)
	}
	return j, nil
}

// hardLimit is how many times the soft limit of its nodes ends a search in any
// case.
const hardLimit = 10

func (j *judge) close() error {
	var errs []error
	for _, e := range j.engines {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// appendValues appends for each network its value of p and the scores of the
// searches, as labels would have them (search.Unscaled), in units of 1/256 pawn
// from White's view. Each search knows nothing of those before it. They mean
// nothing once ctx is done.
func (j *judge) appendValues(ctx context.Context, values []int, p *position.Position) []int {
	sign := 1
	if p.SideToMove() == chess.Black {
		sign = -1
	}
	for i, s := range j.stacks {
		s.Reset(p)
		values = append(values, sign*int(s.Evaluate(p)))
		for _, limits := range j.limits {
			values = append(values, sign*searchScore(ctx, j.engines[i], p, limits))
		}
	}
	return values
}

// searchScore returns the label for the side to move that a search gives.
func searchScore(ctx context.Context, e *search.Engine, p *position.Position, limits search.Limits) int {
	limits.Control = search.NewControl(false)
	defer context.AfterFunc(ctx, limits.Control.Stop)()
	e.NewGame()
	return int(search.Unscaled(e.Search(position.NewGame(*p), limits, nil).Score, p))
}
