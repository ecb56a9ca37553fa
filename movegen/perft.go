package movegen

import (
	"skein/chess"
	"skein/position"
)

// Perft returns the number of leaves of the tree of legal moves at a depth in
// plies. Moves of the last ply are counted without making them (bulk counting).
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
