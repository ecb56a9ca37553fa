// Package search finds the best move of a position: a pool of threads runs
// iterative deepening and alpha-beta with a shared transposition table (Lazy
// SMP). It prints nothing and knows no protocol; callers pass a game and limits
// and receive reports and a result.
//
//	engine, err := search.New(net, search.Options{Threads: 4, Hash: 256})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	game := position.NewGame(position.Start())
//	result := engine.Search(game, search.Limits{MoveTime: time.Second}, search.OnLine(func(l *search.Line) {
//		fmt.Println(l.Depth, l.Score.Centipawns(), notation.FormatLine(&game.Pos, l.PV))
//	}))
//	fmt.Println(notation.FormatSAN(&game.Pos, result.Best))
//
// The files form layers, each of which uses only those below it, which a test
// checks:
//
//	engine, memory                  state kept between searches
//	run, iterate, deliberate,       one search: iterations and when to stop,
//	report, currline, refutation,   reports, the choice of the move to play,
//	vote, limited, pace, tablebase  tablebases at the root
//	worker, alphabeta, quiescence,  one thread in the tree, also as people
//	picker, history, correction,    play, see Strength
//	probe, rootmoves, noteline,
//	variation, invariants, thought,
//	oversight, technique
//	shared                          state shared by the threads of a search
//	timing                          when to stop
//	limits, strength, end, score,   limits, settings and numbers
//	formulas, params, tunables
package search

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"

	"skein/chess"
	"skein/internal/meminfo"
	"skein/nnue"
	"skein/position"
	"skein/tt"
)

// MaxThreads is the largest number of threads of one Engine.
const MaxThreads = 1024

// Options are the resources of an Engine.
type Options struct {
	// Threads is clamped to 1..MaxThreads. Unless GOMAXPROCS is greater by two, Stop and
	// the end of a context take effect milliseconds late; limits of time do not depend on it.
	Threads int
	Hash    int // size of the transposition table in MiB, clamped to 1 or more
}

// Engine is what lasts between searches: the network, the transposition table
// and the threads with their histories. It also follows the clock of one game:
// searches with Limits.Clock are taken for moves of that game until NewGame, so
// several games at a time with clocks need an Engine each. Its methods must be
// called by one goroutine at a time; a running search is controlled through its
// Control or a context.
type Engine struct {
	net       *nnue.Network
	tablebase Tablebase
	run       run // the search that is running, or the last one
}

// New returns an engine that evaluates with net. The error is about memory for the
// transposition table or for the threads.
func New(net *nnue.Network, o Options) (*Engine, error) {
	table, err := tt.New(max(o.Hash, 1))
	if err != nil {
		return nil, err
	}
	e := &Engine{net: net}
	e.run.table = table
	if err := e.SetThreads(o.Threads); err != nil {
		return nil, errors.Join(err, table.Close())
	}
	return e, nil
}

// Close releases the memory of the transposition table. The engine must not be
// used afterwards.
func (e *Engine) Close() error { return e.run.table.Close() }

// NewGame clears the transposition table and the histories of all threads, and
// forgets the clock and the scores of the game before.
func (e *Engine) NewGame() {
	e.ClearHash()
	e.ForgetClock()
	parallel(len(e.run.workers), func(i int) { e.run.workers[i].histories.reset(i) })
}

// ForgetClock forgets the clock and the scores of the game before: the next search is of
// another one.
func (e *Engine) ForgetClock() { e.run.trend, e.run.account.number = trend{}, 0 }

// parallel calls f with the numbers below n, all at once. Memory that f touches
// first is then spread over the processors, and so over the memory of a machine
// that has some of it nearer to each processor.
func parallel(n int, f func(i int)) {
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() { f(i) })
	}
	calls.Wait()
}

// ClearHash empties the transposition table.
func (e *Engine) ClearHash() { e.run.table.Clear(len(e.run.workers)) }

// SetHash resizes the table to size MiB, at least 1, and empties it. On error, which
// is a *tt.MemoryError if there is no memory for it, the old table is kept.
func (e *Engine) SetHash(size int) error { return e.run.table.Resize(size, len(e.run.workers)) }

// SetThreads sets the number of threads, clamped to 1..MaxThreads. On error, which
// is about memory, the old number is kept.
func (e *Engine) SetThreads(n int) error {
	n = min(max(n, 1), MaxThreads)
	if added := n - len(e.run.workers); added > 0 {
		if err := checkMemory(added, e.net); err != nil {
			return fmt.Errorf("search: no memory for %d threads, %w", n, err)
		}
	}
	kept, removed := min(n, len(e.run.workers)), len(e.run.workers)-n
	workers := make([]*worker, n) // without references to removed ones
	copy(workers, e.run.workers[:kept])
	parallel(n-kept, func(i int) { workers[kept+i] = newWorker(kept+i, &e.run.shared, e.net) })
	e.run.setWorkers(workers)
	if removed > 0 {
		debug.FreeOSMemory() // or those added later would come on top
	}
	return nil
}

// checkMemory returns an error if there is no memory for more workers with a network.
func checkMemory(workers int, net *nnue.Network) error {
	const stack = 1 << 20 // bytes of a goroutine, roughly
	size := uint64(workers) * uint64(int(unsafe.Sizeof(worker{}))+net.StackSize(chess.MaxPly+2)+stack)
	if err := meminfo.Check(size, 0); err != nil {
		return fmt.Errorf("which need %d MiB more: %w", size>>20, err)
	}
	return nil
}

// SetNetwork replaces the network and clears everything that depends on the old
// one, as NewGame does. On error, which is about memory, the old one is kept.
func (e *Engine) SetNetwork(net *nnue.Network) error {
	size := uint64(len(e.run.workers)) * uint64(net.StackSize(chess.MaxPly+2))
	if err := meminfo.Check(size, 0); err != nil {
		return fmt.Errorf("search: no memory for the network, which needs %d MiB more: %w", size>>20, err)
	}
	e.net = net
	parallel(len(e.run.workers), func(i int) { e.run.workers[i].acc = nnue.NewStack(net, chess.MaxPly+2) })
	debug.FreeOSMemory() // that of the old one
	e.NewGame()
	return nil
}

// SetTablebase sets the endgame tablebases of later searches.
func (e *Engine) SetTablebase(tb Tablebase) { e.tablebase = tb }

// Network returns the network in use.
func (e *Engine) Network() *nnue.Network { return e.net }

// Evaluate returns the network's value of p from the view of the side to move,
// in units of scores, without the scaling and corrections of the search.
func (e *Engine) Evaluate(p *position.Position) chess.Score {
	s := nnue.NewStack(e.net, 0)
	s.Reset(p)
	return s.Evaluate(p)
}

// Search searches the position of g and returns the best move found: a legal
// one whatever the limits, NoMove only if there is none. Without limits only its
// Control ends it in reasonable time. It calls report, which may be nil, from the
// goroutine of the caller. It does not retain g.
func (e *Engine) Search(g *position.Game, lim Limits, report func(Info)) Result {
	e.run.table.NewSearch()
	r := &e.run
	r.begin(g, lim, report, &e.tablebase)
	result := r.search()
	r.report = nil
	return result
}

// SearchContext is Search, but once ctx is done the search ends as by the method
// Stop of its Control.
func (e *Engine) SearchContext(ctx context.Context, g *position.Game, lim Limits, report func(Info)) Result {
	if lim.Control == nil {
		lim.Control = NewControl(false)
	}
	defer context.AfterFunc(ctx, lim.Control.Stop)()
	return e.Search(g, lim, report)
}
