package search

import (
	"sync"
	"sync/atomic"
	"time"

	"skein/chess"
)

// Limits tells when a search ends. Zero fields do not limit. A search also ends
// after iteration chess.MaxPly-1, and when its Control is stopped.
type Limits struct {
	Depth     int           // iterations
	Nodes     uint64        // nodes of all threads together; up to 2000 are searched in any case
	SoftNodes uint64        // begin no iteration after as many nodes
	Mate      int           // look for a mate in this many moves, for or against us: follow no line further, and end once there is one
	MoveTime  time.Duration // for this move
	Infinite  bool          // do not return before Control is stopped
	Clock     bool          // Time, Inc and MovesToGo hold the clocks
	Time      [2]time.Duration
	Inc       [2]time.Duration
	MovesToGo int // until the next time control; 0 is the rest of the game

	SearchMoves  []chess.Move  // root moves to consider; empty is all
	MultiPV      int           // number of best lines to report; 0 is 1
	Strength     Strength      // of play
	MoveOverhead time.Duration // lost between our clock and the referee's
	Start        time.Time     // when the clock started; zero is now

	CurrLines   time.Duration // at what intervals to report the lines being searched; 0 is never
	Refutations time.Duration // at what intervals, and at the end, to report the answers to bad moves; 0 is never

	Control *Control // to end the search from outside; nil if nobody will
}

// Control is the line to one search. It works from any goroutine, before,
// during and after that search.
type Control struct {
	stop      atomic.Bool
	pondering atomic.Bool
	once      sync.Once
	stopped   chan struct{}
	hit       chan struct{}
}

// NewControl returns the control of one search to come. A pondering search
// keeps thinking, whatever its limits, until Stop or PonderHit.
func NewControl(ponder bool) *Control {
	c := &Control{stopped: make(chan struct{}), hit: make(chan struct{}, 1)}
	c.pondering.Store(ponder)
	return c
}

// Stop makes the search return as soon as it can.
func (c *Control) Stop() {
	c.stop.Store(true)
	c.once.Do(func() { close(c.stopped) })
}

// PonderHit tells a pondering search that its limits now count. Time spent
// pondering counts as spent on the move.
func (c *Control) PonderHit() {
	if c.pondering.CompareAndSwap(true, false) {
		c.hit <- struct{}{}
	}
}

// wait blocks until the search may answer: never before Stop if infinite, nor
// before PonderHit or Stop while pondering.
func (c *Control) wait(infinite bool) {
	if infinite {
		<-c.stopped
	}
	if c.pondering.Load() {
		select {
		case <-c.stopped:
		case <-c.hit:
		}
	}
}
