package movegen

import (
	"errors"
	"fmt"

	"skein/chess"
	"skein/position"
)

// MaxPerftDepth is the greatest depth of Divide, in plies.
const MaxPerftDepth = 20

// ErrStopped is the error of a count that was stopped.
var ErrStopped = errors.New("perft stopped")

// Divide counts the leaves of the tree of legal moves depth plies deep, 1 to
// MaxPerftDepth, below each move of p. It hands every move with its count to
// report and returns the sum. It asks stopped every few milliseconds, in
// positions of hundreds of moves more rarely; if that says yes, the error is
// ErrStopped. Any other error is about the depth. Both functions may be nil.
func Divide(
	p *position.Position, depth int, stopped func() bool, report func(m chess.Move, leaves uint64),
) (uint64, error) {
	if depth < 1 || depth > MaxPerftDepth {
		return 0, fmt.Errorf("perft depth %d is not between 1 and %d", depth, MaxPerftDepth)
	}
	if stopped == nil {
		stopped = func() bool { return false }
	}
	var total uint64
	for _, m := range Legal(p) {
		n := perftBelow(p, m, depth-1, stopped)
		if stopped() {
			return 0, ErrStopped
		}
		total += n
		if report != nil {
			report(m, n)
		}
	}
	return total, nil
}

// perftBelow counts the leaves depth plies below m. If stopped, the count is
// worthless.
func perftBelow(p *position.Position, m chess.Move, depth int, stopped func() bool) uint64 {
	const uninterrupted = 3 // plies counted within milliseconds
	next := p.After(m)
	if depth <= uninterrupted {
		return Perft(&next, depth)
	}
	var n uint64
	for _, m := range Legal(&next) {
		if stopped() {
			break
		}
		n += perftBelow(&next, m, depth-1, stopped)
	}
	return n
}

// Perft returns the number of leaves of the tree of legal moves at a depth in
// plies. Moves of the last ply are counted without making them (bulk counting).
// Memory and time grow with the depth: Divide is for depths that users ask for.
func Perft(p *position.Position, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	// One frame per ply, so that no list is zeroed at each node.
	frames := make([]perftFrame, depth)
	return perft(p, frames)
}

type perftFrame struct {
	pos  position.Position
	list chess.MoveList
}

func perft(p *position.Position, frames []perftFrame) uint64 {
	f := &frames[0]
	if len(frames) == 1 {
		return uint64(count(p, &f.list))
	}
	f.list.Clear()
	Generate(p, All, &f.list)
	var n uint64
	var d position.Delta
	for _, m := range f.list.Slice() {
		p.Do(m, &f.pos, &d)
		n += perft(&f.pos, frames[1:])
	}
	return n
}
