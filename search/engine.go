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
//	vote, stray, pace, tablebase    tablebases at the root
//	worker, alphabeta, quiescence,  one thread in the tree
//	picker, history, correction,
//	probe, noteline, variation,
//	invariants
//	thought, oversight, technique   the same as people play, see Strength
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
	Threads int // clamped to 1..MaxThreads
	Hash    int // size of the transposition table in MiB, at least 1
}

// Engine is what lasts between searches: the network, the transposition table
// and the threads with their histories. Its methods must be called by one
// goroutine at a time; a running search is controlled through its Control or a
// context.
type Engine struct {
	net       *nnue.Network
	table     *tt.Table
	workers   []*worker
	tablebase Tablebase
	trend     trend // of the last search

	run run // the search that is running
}

// New returns an engine that evaluates with net. The error is about memory for the
// transposition table or for the threads.
func New(net *nnue.Network, o Options) (*Engine, error) {
	table, err := tt.New(max(o.Hash, 1))
	if err != nil {
		return nil, err
	}
	e := &Engine{net: net, table: table}
	e.run.table = table
	if err := e.SetThreads(o.Threads); err != nil {
		return nil, errors.Join(err, table.Close())
	}
	return e, nil
}

// Close releases the memory of the transposition table. The engine must not be
// used afterwards.
func (e *Engine) Close() error { return e.table.Close() }

// NewGame clears the transposition table and the histories of all threads.
func (e *Engine) NewGame() {
	e.ClearHash()
	e.trend = trend{}
	parallel(len(e.workers), func(i int) { e.workers[i].histories.reset(i) })
}

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
func (e *Engine) ClearHash() { e.table.Clear(len(e.workers)) }

// SetHash resizes the table to size MiB and empties it. On error the old table
// is kept.
func (e *Engine) SetHash(size int) error { return e.table.Resize(size, len(e.workers)) }

// SetThreads sets the number of threads, clamped to 1..MaxThreads. On error, which
// is about memory, the old number is kept.
func (e *Engine) SetThreads(n int) error {
	n = min(max(n, 1), MaxThreads)
	if added := n - len(e.workers); added > 0 {
		if err := checkMemory(added); err != nil {
			return fmt.Errorf("search: no memory for %d threads, %w", n, err)
		}
	}
	kept, removed := min(n, len(e.workers)), len(e.workers)-n
	workers := make([]*worker, n) // without references to removed ones
	copy(workers, e.workers[:kept])
	parallel(n-kept, func(i int) { workers[kept+i] = newWorker(kept+i, &e.run.shared, e.net) })
	e.workers = workers
	e.run.staff(e.workers)
	if removed > 0 {
		debug.FreeOSMemory() // or those added later would come on top
	}
	return nil
}

// checkMemory returns an error if there is no memory for more workers.
func checkMemory(workers int) error {
	const beside = 2 << 20 // bytes of the accumulators and of the goroutine's stack
	size := uint64(workers) * uint64(unsafe.Sizeof(worker{})+beside)
	if err := meminfo.Check(size, 0); err != nil {
		return fmt.Errorf("which need %d MiB more: %w", size>>20, err)
	}
	return nil
}

// SetNetwork replaces the network and clears everything that depends on the old
// one, as NewGame does.
func (e *Engine) SetNetwork(net *nnue.Network) {
	e.net = net
	parallel(len(e.workers), func(i int) { e.workers[i].acc = nnue.NewStack(net, chess.MaxPly+2) })
	e.NewGame()
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
// one whatever the limits, NoMove only if there is none. It calls report, which
// may be nil, from one goroutine at a time. It does not retain g.
func (e *Engine) Search(g *position.Game, lim Limits, report func(Info)) Result {
	e.table.NewSearch()
	r := &e.run
	r.begin(g, lim, report, &e.tablebase, e.trend.next(g.Pos.SideToMove()))
	result := r.search(g)
	e.trend = r.trend
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
