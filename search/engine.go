// Package search is the engine: a pool of workers that search one position by
// iterative deepening and alpha-beta over a shared transposition table (Lazy
// SMP). It prints nothing and knows no protocol; callers hand it a game and
// limits and receive reports and a result.
package search

import (
	"sync"
	"sync/atomic"
	"time"

	"skein/chess"
	"skein/nnue"
	"skein/position"
	"skein/tt"
)

// MaxThreads is the largest number of workers of one Engine.
const MaxThreads = 1024

const (
	// Root moves are announced, and scores outside the window reported, only
	// in searches that last this long.
	currentMoveDelay = time.Second
	boundDelay       = 3 * time.Second
)

// Options are the resources of an Engine.
type Options struct {
	Threads int // clamped to 1..MaxThreads
	Hash    int // size of the transposition table in MiB, at least 1
}

// Engine is a searcher with its threads and table. Its methods are for one
// goroutine at a time; a running search is reached through its Control.
type Engine struct {
	net     *nnue.Network
	table   *tt.Table
	workers []*worker

	tablebase Tablebase

	// The search that is running.
	limits  Limits
	level   level // at which to play
	control *Control
	timer   timer
	trend   trend
	halt    atomic.Uint32 // an End, which ends the search for all workers
	helpers sync.WaitGroup
	report  func(*Info)
	info    Info // the last line reported
	current Info // the last report of another kind

	adapted        time.Duration // soft time after the last iteration
	requests       lineRequests
	refutationsDue time.Duration // when refutations are reported again

	probeMen, probeDepth int    // which positions are looked up in endgame tables
	rootHits             uint64 // root moves found there

	uncontrolled *Control // stands in where nobody controls the search
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

	// A report about the lines being searched has only these, by thread, nil
	// if unknown; and Depth, Nodes and Elapsed.
	CurrLines [][]chess.Move

	// A report about a root move that is not among the best has only these,
	// Depth, Nodes and Elapsed. Refutation is the answer, NoMove if none is
	// known.
	Refuted, Refutation chess.Move
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
	TBHits       uint64
	Elapsed      time.Duration // until the result was known
	End          End
	Budget       Budget
}

// New returns an engine that evaluates with net. The error is about memory.
func New(net *nnue.Network, o Options) (*Engine, error) {
	table, err := tt.New(max(o.Hash, 1))
	if err != nil {
		return nil, err
	}
	e := &Engine{net: net, table: table, uncontrolled: NewControl(false)}
	e.SetThreads(o.Threads)
	return e, nil
}

// Close gives the table's memory back. The engine is of no use afterwards.
func (e *Engine) Close() error { return e.table.Close() }

// NewGame forgets everything learned from earlier searches.
func (e *Engine) NewGame() {
	e.ClearHash()
	e.trend = trend{}
	for _, w := range e.workers {
		w.histories.reset(w.id)
	}
}

// ClearHash empties the transposition table.
func (e *Engine) ClearHash() { e.table.Clear(len(e.workers)) }

// SetHash resizes the table to size MiB and empties it. On error the old table
// is kept.
func (e *Engine) SetHash(size int) error { return e.table.Resize(size, len(e.workers)) }

// SetThreads sets the number of workers, clamped to 1..MaxThreads.
func (e *Engine) SetThreads(n int) {
	n = min(max(n, 1), MaxThreads)
	for len(e.workers) < n {
		e.workers = append(e.workers, newWorker(len(e.workers), e))
	}
	clear(e.workers[n:])
	e.workers = e.workers[:n]
}

// SetNetwork evaluates with net from now on and forgets everything learned
// with the old one.
func (e *Engine) SetNetwork(net *nnue.Network) {
	e.net = net
	for _, w := range e.workers {
		w.acc = nnue.NewStack(net, MaxPly+2)
	}
	e.NewGame()
}

// Network returns the network in use.
func (e *Engine) Network() *nnue.Network { return e.net }

// Evaluate returns the network's opinion of p in centipawns for the side to
// move.
func (e *Engine) Evaluate(p *position.Position) Score {
	s := nnue.NewStack(e.net, 0)
	s.Reset(p)
	return Score(s.Evaluate(p))
}

// Search thinks about the position of g and returns the best move found: a
// legal one whatever the limits, NoMove only if there is none. It calls
// report, which may be nil, from one goroutine at a time. g is not kept.
func (e *Engine) Search(g *position.Game, lim Limits, report func(*Info)) Result {
	e.limits, e.report = lim, report
	e.control = lim.Control
	if e.control == nil {
		e.control = e.uncontrolled
	}
	e.weaken()
	e.timer = newTimer(&e.limits, g.Pos.SideToMove())
	e.trend = e.trend.next()
	e.halt.Store(0)
	e.adapted = e.timer.soft
	e.requests.reset(lim.CurrLines, len(e.workers))
	e.refutationsDue = lim.Refutations
	e.table.NewSearch()
	ranking := e.consultTables(g)
	for _, w := range e.workers {
		w.prepare(g, &e.limits)
		w.rank(&ranking)
	}
	first := e.workers[0]
	if len(first.rootMoves) == 0 {
		return e.noMoves(first)
	}
	if !e.weak() {
		e.startHelpers()
	}
	first.iterate()
	if e.control.stop.Load() {
		e.end(Stopped)
	}
	e.end(LastDepth)
	elapsed := e.timer.elapsed()
	if e.limits.Control != nil {
		e.control.wait(e.limits.Infinite)
	}
	e.helpers.Wait()
	for _, w := range e.workers {
		w.publish()
	}

	w := e.vote()
	if e.weak() {
		e.stray(w)
	}
	best := &w.rootMoves[0]
	if w != first || first.completed < first.rootDepth || e.weak() {
		e.reportLines(w) // the last iteration was cut short, or another's
	}
	e.reportRefutations(w, true)
	result := Result{
		Best:    best.move,
		Ponder:  e.ponderMove(g, best),
		Score:   Score(best.shown()),
		Depth:   w.completed,
		Nodes:   e.nodes(),
		TBHits:  e.tableHits(),
		Elapsed: elapsed,
		End:     End(e.halt.Load()),
		Budget:  e.budget(),
	}
	e.report = nil
	return result
}

// startHelpers starts the workers beside the first.
func (e *Engine) startHelpers() {
	for _, w := range e.workers[1:] {
		e.helpers.Add(1)
		go func() {
			w.iterate()
			e.helpers.Done()
		}()
	}
}

// noMoves answers a search of a position that is mate or stalemate, or whose
// moves are all excluded.
func (e *Engine) noMoves(w *worker) Result {
	score := drawScore
	if w.stack[0].pos.InCheck() {
		score = matedIn(0)
	}
	e.info = Info{MultiPV: 1, Score: Score(score), Elapsed: e.timer.elapsed()}
	if e.report != nil {
		e.report(&e.info)
	}
	if e.limits.Control != nil {
		e.control.wait(e.limits.Infinite)
	}
	return Result{Score: Score(score), Elapsed: e.info.Elapsed, End: NoMoves, Budget: e.budget()}
}

// vote returns the worker whose first move is to be played. Each that completed
// an iteration votes for its move with the depth of that and the score it saw; a
// proven mate, the shortest, outvotes all. Of those with the winning move the
// deepest speaks.
func (e *Engine) vote() *worker {
	lowest := infinity
	for _, w := range e.workers {
		lowest = min(lowest, w.rootMoves[0].value)
	}
	best, bestVotes := e.workers[0], e.votes(e.workers[0], lowest)
	for _, w := range e.workers[1:] {
		if w.completed == 0 {
			continue
		}
		votes := e.votes(w, lowest)
		ours, theirs := &w.rootMoves[0], &best.rootMoves[0]
		better := votes > bestVotes || ours.move == theirs.move && w.completed > best.completed
		if isWin(ours.value) || isWin(theirs.value) {
			better = ours.value > theirs.value
		}
		if better {
			best, bestVotes = w, votes
		}
	}
	return best
}

// votes adds up the votes for the first move of w.
func (e *Engine) votes(w *worker, lowest int) int {
	sum := 0
	for _, v := range e.workers {
		if v.rootMoves[0].move == w.rootMoves[0].move {
			sum += voteWeight(v.rootMoves[0].value-lowest, v.completed)
		}
	}
	return sum
}

// ponderMove returns the expected reply to the best move: from its line, or
// from the table.
func (e *Engine) ponderMove(g *position.Game, best *rootMove) chess.Move {
	if best.pvLength > 1 {
		return best.pv[1]
	}
	return e.reply(&g.Pos, best.move)
}

// nodes returns the nodes of all workers, as far as they have been published.
func (e *Engine) nodes() uint64 {
	n := e.workers[0].nodes
	for _, w := range e.workers[1:] {
		n += w.published.Load()
	}
	return n
}

// tableHits returns the positions found in endgame tables, as far as they have
// been published.
func (e *Engine) tableHits() uint64 {
	n := e.rootHits + e.workers[0].tableHits
	for _, w := range e.workers[1:] {
		n += w.publishedHits.Load()
	}
	return n
}

// checkTime halts the search in the middle of an iteration when its time is
// used up.
func (e *Engine) checkTime() {
	if e.timer.hard != forever && e.timer.elapsed() >= e.timer.hard && !e.control.pondering.Load() {
		e.end(HardTime)
	}
}

// checkNodes does the same for the nodes of all threads together. It is for the
// first worker.
func (e *Engine) checkNodes() {
	if e.limits.Nodes > 0 && e.nodes() >= e.limits.Nodes && !e.control.pondering.Load() {
		e.end(NodesUsed)
	}
}

// finished reports whether no further iteration should be started, and ends the
// search then.
func (e *Engine) finished(w *worker) bool {
	if e.control.pondering.Load() {
		return false
	}
	best := &w.rootMoves[0]
	if moves, ok := Score(best.value).Mate(); ok && e.limits.Mate > 0 && moves <= e.limits.Mate {
		e.end(MateFound)
		return true
	}
	if e.limits.SoftNodes > 0 && e.nodes() >= e.limits.SoftNodes {
		e.end(NodesUsed)
		return true
	}
	soft := e.timer.soft
	if e.limits.Clock && e.limits.MoveTime == 0 && soft != forever {
		if w.choices(0) == 1 {
			soft /= forcedShare
		} else {
			soft = min(soft*time.Duration(e.trend.patience(w))/1000, e.timer.hard)
		}
	}
	if e.adapted = soft; e.timer.elapsed() < soft {
		return false
	}
	e.end(SoftTime)
	return true
}

// reportLines reports the best lines of w.
func (e *Engine) reportLines(w *worker) {
	if e.report == nil {
		return
	}
	for i := range w.shownLines() {
		rm := &w.rootMoves[i]
		e.fillInfo(w, i)
		e.info.Depth, e.info.Score, e.info.Bound = rm.depth, Score(rm.shown()), rm.bound
		if rm.shown() != rm.value {
			e.info.Bound = Exact
		}
		e.report(&e.info)
	}
}

// reportBound reports that the score of the line being searched is outside the
// window above alpha, if the search lasts long enough for anyone to care.
func (e *Engine) reportBound(w *worker, score, alpha int) {
	if e.report == nil || w.lines() > 1 || w.rootMoves[w.pvIndex].known || e.timer.elapsed() < boundDelay {
		return
	}
	e.fillInfo(w, w.pvIndex)
	e.info.Score = Score(score)
	e.info.Bound = LowerBound
	if score <= alpha {
		e.info.Bound = UpperBound
	}
	e.report(&e.info)
}

// fillInfo prepares a report about root move i of w.
func (e *Engine) fillInfo(w *worker, i int) {
	rm := &w.rootMoves[i]
	e.info = Info{
		Depth:    w.rootDepth,
		SelDepth: max(rm.selDepth, rm.pvLength),
		MultiPV:  i + 1,
		Nodes:    e.nodes(),
		Elapsed:  e.timer.elapsed(),
		Hashfull: e.table.Hashfull(),
		TBHits:   e.tableHits(),
		PV:       rm.pv[:rm.pvLength],
	}
}

// reportCurrentMove reports which root move is being searched.
func (e *Engine) reportCurrentMove(w *worker, m chess.Move, number int) {
	if w.id != 0 || e.report == nil || e.timer.elapsed() < currentMoveDelay {
		return
	}
	e.current = Info{
		Depth: w.rootDepth, Nodes: e.nodes(), Elapsed: e.timer.elapsed(),
		CurrMove: m, CurrMoveNumber: number + w.pvIndex,
	}
	e.report(&e.current)
}
