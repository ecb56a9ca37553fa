package review

import (
	"context"

	"skein/chess"
	"skein/position"
	"skein/search"
)

// line is a line that a search found.
type line struct {
	score chess.Score // of the side to move
	bound search.Bound
	depth int
	moves []chess.Move // empty if there is none
}

// search returns the best line of a position.
func (r *reviewer) search(at *position.Game) (line, error) {
	lim := search.Limits{Depth: r.options.Limits.Depth, Nodes: r.options.Limits.Nodes,
		MoveTime: r.options.Limits.MoveTime}
	exact, last, err := r.run(at, lim)
	if err != nil || last.bound == search.Exact {
		return last, err
	}
	return r.resolve(at, lim, exact, last)
}

// resolve returns a line with a score for last, whose score is only a bound because
// the search ended too early: it continues the search of that move. If the move is
// no better than the last line with a score, exact, or does not get one, it returns
// exact.
func (r *reviewer) resolve(at *position.Game, lim search.Limits, exact, last line) (line, error) {
	lim.Nodes, lim.MoveTime = (lim.Nodes+1)/2, (lim.MoveTime+1)/2
	lim.Depth = last.depth
	lim.SearchMoves = last.moves[:1]
	resolved, _, err := r.run(at, lim)
	switch {
	case err != nil:
		return last, err
	case len(resolved.moves) == 0:
		resolved = last
	}
	if len(exact.moves) > 0 && exact.moves[0] != resolved.moves[0] && exact.score >= resolved.score {
		return exact, nil
	}
	return resolved, nil
}

// run searches a position and returns the last line with an exact score, without
// moves if there is none, and the last line.
func (r *reviewer) run(at *position.Game, lim search.Limits) (exact, last line, err error) {
	result := r.engine.SearchContext(r.ctx, at, lim, search.OnLine(func(l *search.Line) {
		if l.MultiPV != 1 {
			return
		}
		last = line{l.Score, l.Bound, l.Depth, append(last.moves[:0], l.PV...)}
		if l.Bound == search.Exact {
			exact = line{l.Score, l.Bound, l.Depth, append(exact.moves[:0], l.PV...)}
		}
	}))
	// Of an iteration that was not completed, the clock decides whether it is reported.
	completed := max(result.Depth, 1)
	exact.depth, last.depth = min(exact.depth, completed), min(last.depth, completed)
	return exact, last, context.Cause(r.ctx)
}
