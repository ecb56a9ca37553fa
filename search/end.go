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
