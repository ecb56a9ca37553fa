package search

import (
	"sync/atomic"
	"time"

	"skein/syzygy"
	"skein/tt"
)

// shared is what the threads of one search share: limits, transposition table,
// published counters, and the flag that ends the search. Threads have no other
// access to each other or to the engine.
type shared struct {
	table    *tt.Table
	endings  endings
	limits   Limits
	level    Level // of play
	control  *Control
	timer    timer
	halt     atomic.Uint32 // the End of the search, 0 while it runs
	due      atomic.Uint32 // the End that the search would have but for pondering, 0 if it would go on
	counters []*counter    // by thread

	lineRequest atomic.Uint32 // number of the last request for lines, see lineRequests

	_      [64]byte // keeps off the cache line of halt what all threads write
	stalls stalls
	_      [48]byte
}

// counter holds the counts that one thread has published.
type counter struct {
	nodes  atomic.Uint64
	tbHits atomic.Uint64 // positions found in tablebases
	_      [48]byte      // fills the cache line
}

// endings determines which positions within the search are looked up in
// tablebases.
type endings struct {
	tables     *syzygy.Tables
	men        int // maximum number of men, kings included; 0 disables lookups
	depth      int // minimum depth, in plies, for positions with exactly so many men
	fiftyMoves bool
}

// end ends the search for all threads, for the reason r unless it has already
// ended.
func (s *shared) end(r End) { s.halt.CompareAndSwap(0, uint32(r)) }

// ended reports whether the search has ended or was stopped.
func (s *shared) ended() bool { return s.halt.Load() != 0 || s.control.stop.Load() }

// weak reports whether playing strength is limited. Then only the first thread
// searches.
func (s *shared) weak() bool { return s.level.Nodes > 0 }

// alone reports whether only one thread searches.
func (s *shared) alone() bool { return len(s.counters) == 1 || s.weak() }

// nodes returns the sum of the nodes that the threads have published.
func (s *shared) nodes() uint64 {
	n := uint64(0)
	for _, c := range s.counters {
		n += c.nodes.Load()
	}
	return n
}

// tbHits returns the sum of the tablebase hits that the threads have
// published.
func (s *shared) tbHits() uint64 {
	n := uint64(0)
	for _, c := range s.counters {
		n += c.tbHits.Load()
	}
	return n
}

// used returns the time that counts for the limits.
func (s *shared) used() time.Duration {
	if s.limits.NodeTime > 0 {
		return time.Duration(s.nodes()) * s.limits.NodeTime
	}
	elapsed := s.timer.elapsed()
	if s.timer.hard != forever { // else all threads rarely look at the clock
		s.stalls.note(elapsed)
	}
	return elapsed
}

// checkTime ends the search if the hard time limit has passed, or if no iteration
// should have followed the last one but for pondering, which is over.
func (s *shared) checkTime() {
	due := End(s.due.Load())
	late := s.timer.hard != forever && s.used() >= s.timer.hard
	switch {
	case s.control.pondering.Load():
	case due != 0:
		s.end(due)
	case late:
		s.end(HardTime)
	}
}

// checkNodes ends the search if all threads together have searched the allowed
// nodes.
func (s *shared) checkNodes() {
	if s.limits.Nodes > 0 && s.nodes() >= s.limits.Nodes && !s.control.pondering.Load() {
		s.end(NodesUsed)
	}
}
