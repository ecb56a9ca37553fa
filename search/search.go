// Package search is the engine: a pool of workers that search one position by
// iterative deepening and alpha-beta over a shared transposition table. It
// prints nothing and knows no protocol; callers hand it a game and limits and
// receive reports and a result.
package search

import (
	"sync"
	"sync/atomic"
	"time"

	"skein/chess"
	"skein/nnue"
	"skein/position"
)

// MaxThreads is the largest number of workers of one Engine.
const MaxThreads = 1024

// Limits tells when a search ends. Zero fields do not limit; a search without
// any limit ends when its Control is stopped.
type Limits struct {
	Depth     int           // iterations
	Nodes     uint64        // nodes of all threads
	Mate      int           // stop once a mate in this many moves is found
	MoveTime  time.Duration // for this move
	Infinite  bool          // do not return before Control is stopped
	Clock     bool          // Time, Inc and MovesToGo hold the clocks
	Time      [2]time.Duration
	Inc       [2]time.Duration
	MovesToGo int // until the next time control; 0 is the rest of the game

	SearchMoves  []chess.Move  // root moves to consider; empty is all
	MultiPV      int           // number of best lines to report; 0 is 1
	MoveOverhead time.Duration // lost between our clock and the referee's
	Start        time.Time     // when the clock started; zero is now

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

// PonderHit tells a pondering search that its limits now count.
func (c *Control) PonderHit() {
	if c.pondering.CompareAndSwap(true, false) {
		c.hit <- struct{}{}
	}
}

// Info is one report of a running search. It is valid only during the call.
type Info struct {
	Depth    int // of the iteration, in plies
	SelDepth int // longest line looked at, in plies
	MultiPV  int // 1 is the best line
	Score    Score
	Bound    Bound
	Nodes    uint64
	Elapsed  time.Duration
	Hashfull int // permille
	TBHits   uint64
	PV       []chess.Move

	// A report about the root move being searched has only these, Depth,
	// Nodes and Elapsed.
	CurrMove       chess.Move
	CurrMoveNumber int
}

// Bound tells what a reported score means.
type Bound uint8

// A score is exact, or the true one is at least or at most as high.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// Result is the outcome of a search.
type Result struct {
	Best, Ponder chess.Move // NoMove if there is none
	Score        Score
	Depth        int // last completed iteration
	Nodes        uint64
}

// Score is a value in centipawns from the view of the side to move, or a
// distance to mate near the ends of its range.
type Score int

// Mate returns the number of moves to mate, negative if the side to move is
// mated, and whether the score is a mate at all.
func (s Score) Mate() (moves int, ok bool) { return 0, false }

// WDL returns the expected permille of wins, draws and losses for the side to
// move.
func (s Score) WDL() (win, draw, loss int) { return 0, 1000, 0 }

// Engine is a searcher with its threads and table. Search and the setters are
// for one goroutine at a time; a running search is reached through Control.
type Engine struct{}

// Options are the resources of an Engine.
type Options struct {
	Threads int // 1..MaxThreads
	Hash    int // size of the transposition table in MiB
}

// New returns an engine that evaluates with net.
func New(net *nnue.Network, o Options) (*Engine, error) { return &Engine{}, nil }

// Search thinks about the position of g and returns the best move found. It
// calls report, which may be nil, from one goroutine at a time.
func (e *Engine) Search(g *position.Game, lim Limits, report func(*Info)) Result {
	return Result{}
}

// NewGame forgets everything learned from earlier searches.
func (e *Engine) NewGame() {}

// ClearHash empties the transposition table.
func (e *Engine) ClearHash() {}

// SetHash resizes the table to size MiB and empties it. On error the old table
// is kept.
func (e *Engine) SetHash(size int) error { return nil }

// SetThreads sets the number of workers, clamped to 1..MaxThreads.
func (e *Engine) SetThreads(n int) {}

// SetNetwork evaluates with net from now on and empties the table.
func (e *Engine) SetNetwork(net *nnue.Network) {}

// Evaluate returns the network's opinion of p in centipawns for the side to
// move.
func (e *Engine) Evaluate(p *position.Position) Score { return 0 }
