package search

import "time"

// End is the reason why a search ended.
type End uint32

// The reasons. If several apply, the first that was detected is reported.
const (
	_         End = iota // the search is running
	NoMoves              // there was no legal move
	Stopped              // its Control was stopped
	SoftTime             // there was no time for another iteration
	HardTime             // the time was used up within an iteration
	NodesUsed            // the node limit was reached
	MateFound            // a mate within Limits.Mate moves was found, by either side
	LastDepth            // the last iteration was completed
)

// String returns the reason in words.
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

// Budget is the time limits of a search, from the start of its clock; 0 is
// none.
type Budget struct {
	Soft    time.Duration // start no iteration after this
	Adapted time.Duration // Soft, adapted after the last iteration
	Hard    time.Duration
}
