package search

import (
	"sync"
	"sync/atomic"
	"time"

	"skein/chess"
)

// MaxMultiPV is the most lines that make sense: no position that can arise has so many legal moves.
const MaxMultiPV = 256

// Limits are the limits and settings of a search. Zero fields are no limits. A
// search also ends after iteration chess.MaxPly-1, that of limited play earlier, and
// when its Control is stopped.
type Limits struct {
	Depth     int              // last iteration, in plies; below zero none is searched
	Nodes     uint64           // of all threads together, exact with one; up to 2000 are searched whatever the limits
	SoftNodes uint64           // start no iteration after this many nodes
	Mate      int              // search only for a mate in this many moves by either side, and end when one is found
	MoveTime  time.Duration    // for this move, less MoveOverhead but at least half; a negative one has run out
	Infinite  bool             // return only after Control.Stop; needs a Control, which SearchContext makes
	Clock     bool             // Time, Inc and MovesToGo are set
	Time      [2]time.Duration // left on the clock, by chess.Color
	Inc       [2]time.Duration // added after each move, by chess.Color
	MovesToGo int              // moves to the next time control; 0 is the rest of the game

	SearchMoves  []chess.Move  // root moves to search; all if it is empty or none of them is legal
	MultiPV      int           // number of best lines to report; 0 is 1
	Strength     Strength      // playing strength
	MoveOverhead time.Duration // time lost per move outside the engine; more is kept where Time shows a greater loss
	Start        time.Time     // start of the clock; zero is now
	NodeTime     time.Duration // if not zero, time passes by this much with every node, whatever the clock says

	CurrLines   time.Duration // interval of CurrentLines reports; 0 is never
	Refutations time.Duration // minimum interval of Refutation reports, also made at the end; 0 is never

	Control *Control // stops the search from another goroutine; may be nil
}

// Control stops one search or ends its pondering. It may be used from any
// goroutine before, during and after that search. The zero Control is not valid;
// NewControl returns one.
type Control struct {
	ponder    bool // the search begins with pondering
	stop      atomic.Bool
	pondering atomic.Bool
	once      sync.Once
	stopped   chan struct{}
	hit       chan struct{}
}

// NewControl returns the control of one later search. A pondering search ignores
// its limits until PonderHit, but for Limits.Depth and the nodes of limited strength,
// and returns only after that or Stop.
func NewControl(ponder bool) *Control {
	c := &Control{ponder: ponder, stopped: make(chan struct{}), hit: make(chan struct{}, 1)}
	c.pondering.Store(ponder)
	return c
}

// Stop makes the search return as soon as possible.
func (c *Control) Stop() {
	c.stop.Store(true)
	c.once.Do(func() { close(c.stopped) })
}

// PonderHit makes the limits of a pondering search apply. The time spent
// pondering counts as time of the move.
func (c *Control) PonderHit() {
	if c.pondering.CompareAndSwap(true, false) {
		c.hit <- struct{}{}
	}
}

// wait blocks until the search may return: until Stop if infinite, and until
// PonderHit or Stop while pondering.
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
