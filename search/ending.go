package search

import "time"

// End tells why a search ended.
type End uint32

// The reasons. The first that held counts.
const (
	_         End = iota // the search goes on
	NoMoves              // there was nothing to search
	Stopped              // its Control was stopped
	SoftTime             // no time for another iteration
	HardTime             // its time was used up in the middle of one
	NodesUsed            // as many nodes as allowed were searched
	MateFound            // a mate as short as demanded was found, or that we are mated
	LastDepth            // all iterations were done
)

// String says it in words.
func (r End) String() string {
	switch r {
	case NoMoves:
		return "no moves"
	case Stopped:
		return "stopped"
	case SoftTime:
		return "soft time limit"
	case HardTime:
		return "hard time limit"
	case NodesUsed:
		return "nodes used up"
	case MateFound:
		return "mate found"
	case LastDepth:
		return "last depth"
	}
	return "running"
}

// Budget is the time a search had, counted from the start of its clock; 0 is
// any.
type Budget struct {
	Soft    time.Duration // for an ordinary move
	Adapted time.Duration // Soft after what was seen up to the last iteration
	Hard    time.Duration
}

// end ends the search for all workers, because of r unless it has another
// reason already.
func (e *Engine) end(r End) { e.halt.CompareAndSwap(0, uint32(r)) }

// budget returns the time of the search.
func (e *Engine) budget() Budget {
	limit := func(d time.Duration) time.Duration {
		if d == forever {
			return 0
		}
		return d
	}
	return Budget{limit(e.timer.soft), limit(e.adapted), limit(e.timer.hard)}
}

// Memory tells how much of what an engine remembers is in use, in permille.
type Memory struct {
	Table                        int
	Quiet, Capture, Continuation int // histories of the first thread
}

// Memory looks at a sample of the table and at all histories, which takes
// about a millisecond.
func (e *Engine) Memory() Memory {
	h := &e.workers[0].histories
	m := Memory{Table: e.table.Hashfull()}
	used, all := 0, 0
	tally := func(values []int16) {
		all += len(values)
		for _, v := range values {
			used += flag(v != 0)
		}
	}
	share := func() int {
		permille := used * 1000 / all
		used, all = 0, 0
		return permille
	}
	for i := range 8 {
		for from := range 64 {
			tally(h.quiet[i>>2][i>>1&1][i&1][from][:])
		}
	}
	m.Quiet = share()
	for piece := range h.capture {
		for to := range h.capture[piece] {
			tally(h.capture[piece][to][:])
		}
	}
	m.Capture = share()
	for piece := range h.continuation {
		for to := range h.continuation[piece] {
			for next := range h.continuation[piece][to] {
				tally(h.continuation[piece][to][next][:])
			}
		}
	}
	m.Continuation = share()
	return m
}
