package search

import (
	"sync/atomic"

	"skein/syzygy"
	"skein/tt"
)

// shared is what the threads of one search have in common: what they are asked,
// the transposition table, the counts that they publish, and the flag that halts
// them. Threads know nothing else of each other or of the engine.
type shared struct {
	table    *tt.Table
	endings  endings
	limits   Limits
	level    level // at which to play
	control  *Control
	timer    timer
	halt     atomic.Uint32 // an End, which ends the search for all threads
	counters []*counter    // by thread

	lineRequest atomic.Uint32 // number of the last request for the lines being searched
}

// counter is what one thread has published of what it counts.
type counter struct {
	nodes     atomic.Uint64
	tableHits atomic.Uint64 // positions found in endgame tables
	_         [48]byte      // keeps the next thread's off this cache line
}

// endings tells which positions inside the search are looked up in endgame tables.
type endings struct {
	tables     *syzygy.Tables
	men        int // the most, kings included; 0 is to look nothing up
	depth      int // the least for positions with exactly so many
	fiftyMoves bool
}

// end ends the search for all threads, because of r unless it has another reason
// already.
func (s *shared) end(r End) { s.halt.CompareAndSwap(0, uint32(r)) }

// ended reports whether the search is over.
func (s *shared) ended() bool { return s.halt.Load() != 0 || s.control.stop.Load() }

// weak reports whether the search is weakened. Then only the first thread works.
func (s *shared) weak() bool { return s.level.nodes > 0 }

// alone reports whether only one thread works.
func (s *shared) alone() bool { return len(s.counters) == 1 || s.weak() }

// nodes returns what the threads have published.
func (s *shared) nodes() uint64 {
	n := uint64(0)
	for _, c := range s.counters {
		n += c.nodes.Load()
	}
	return n
}

// tableHits returns the positions found in endgame tables that the threads have
// published.
func (s *shared) tableHits() uint64 {
	n := uint64(0)
	for _, c := range s.counters {
		n += c.tableHits.Load()
	}
	return n
}

// checkTime ends the search in the middle of an iteration when its time is used
// up.
func (s *shared) checkTime() {
	if s.timer.hard != forever && s.timer.elapsed() >= s.timer.hard && !s.control.pondering.Load() {
		s.end(HardTime)
	}
}

// checkNodes does the same for the nodes of all threads together. It is for the
// first thread.
func (s *shared) checkNodes() {
	if s.limits.Nodes > 0 && s.nodes() >= s.limits.Nodes && !s.control.pondering.Load() {
		s.end(NodesUsed)
	}
}
