package main

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
	nodes   []uint64         // limits of the searches
}

func newJudge(networks []*nnue.Network, nodes []uint64, hash int) (*judge, error) {
	j := &judge{nodes: nodes}
	for _, net := range networks {
		j.stacks = append(j.stacks, nnue.NewStack(net, 0))
		if len(nodes) == 0 {
			continue
		}
		e, err := search.New(net, search.Options{Threads: 1, Hash: hash})
		if err != nil {
			return nil, errors.Join(err, j.close())
		}
		j.engines = append(j.engines, e)
	}
	return j, nil
}

func (j *judge) close() error {
	var errs []error
	for _, e := range j.engines {
		errs = append(errs, e.Close())
	}
	return errors.Join(errs...)
}

// appendValues appends for each network its value of p and the scores of the
// searches, in centipawns from White's view. Each search knows nothing of those
// before it. They mean nothing once ctx is done.
func (j *judge) appendValues(ctx context.Context, values []int, p *position.Position) []int {
	sign := 1
	if p.SideToMove() == chess.Black {
		sign = -1
	}
	for i, s := range j.stacks {
		s.Reset(p)
		values = append(values, sign*s.Evaluate(p))
		for _, n := range j.nodes {
			values = append(values, sign*searchNodes(ctx, j.engines[i], p, n))
		}
	}
	return values
}

// searchNodes returns the score of a search of as many nodes for the side to move.
func searchNodes(ctx context.Context, e *search.Engine, p *position.Position, nodes uint64) int {
	control := search.NewControl(false)
	defer context.AfterFunc(ctx, control.Stop)()
	e.NewGame()
	return int(e.Search(position.NewGame(*p), search.Limits{Nodes: nodes, Control: control}, nil).Score)
}
