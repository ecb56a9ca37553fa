package search

import (
	"sync"
	"time"

	"skein/chess"
	"skein/position"
)

// run is one search: its threads, limits, statistics and reports. The engine
// reuses it, so that a search allocates nothing.
type run struct {
	shared
	workers []*worker
	helpers sync.WaitGroup // all threads but the first
	thought *thought       // of limited play; nil until it is needed
	trend   trend
	account account
	adapted time.Duration // soft limit after the last iteration
	ended   time.Duration // when the search ended, 0 while it has not

	report         func(Info)
	reports        reports
	shownDepth     int // the largest depth of a line reported
	requests       lineRequests
	refutationsDue time.Duration // when to report refutations next
	rootHits       uint64        // root moves found in tablebases

	uncontrolled Control // used if Limits.Control is nil
}

// Result is the outcome of a search.
type Result struct {
	Best, Ponder chess.Move // NoMove if there is none
	// Score is the last one known of Best: a bound if the search ended within an
	// iteration in which it left the aspiration window. The last line reported is then
	// that of the iteration before, with its exact score, if Best was its best move; with
	// MultiPV it may be so even if Bound is Exact.
	Score   chess.Score
	Bound   Bound
	Depth   int           // last completed iteration, at most Limits.Depth
	Nodes   uint64        // of all threads; so is TBHits
	TBHits  uint64        // positions found in tablebases
	Elapsed time.Duration // from Limits.Start until the search ended, without waiting for Stop or PonderHit
	End     End
	Budget  Budget
}

// setWorkers sets the workers of later searches, and keeps no reference to others.
func (r *run) setWorkers(workers []*worker) {
	r.workers = workers
	r.counters = nil
	r.requests.lines = nil
	r.reports = reports{}
	for _, w := range workers {
		w.watcher = nil
		r.counters = append(r.counters, &w.counter)
	}
	workers[0].watcher = r
}

// begin sets up a search of g.
func (r *run) begin(g *position.Game, lim Limits, report func(Info), tb *Tablebase) {
	us, number := g.Pos.SideToMove(), g.Pos.Fullmoves()
	if r.report != nil { // it panicked or ended its goroutine, perhaps in mid-tree
		r.workers[0].leaveTree()
	}
	r.limits, r.report, r.trend = lim, report, r.trend.next(us)
	if r.control = lim.Control; r.control == nil {
		r.control = &r.uncontrolled
	}
	r.level = lim.Strength.level()
	if r.weak() {
		r.level.adaptTo(&g.Pos)
	}
	if n := uint64(r.level.Nodes); n > 0 && (lim.Nodes == 0 || n < lim.Nodes) {
		r.limits.Nodes = n
	}
	r.stalls.add(r.account.begin(&lim, us, number, r.control.ponder))
	r.timer = newTimer(&r.limits, us, number, time.Duration(r.stalls.longest.Load()), max(r.account.lag, 0))
	r.stalls.begin(r.timer.elapsed())
	r.halt.Store(0)
	r.due.Store(0)
	r.adapted, r.ended, r.shownDepth = r.timer.soft, 0, 0
	r.requests.reset(lim.CurrLines, len(r.workers))
	r.refutationsDue = lim.Refutations
	ranking := r.consult(tb, g)
	for _, w := range r.workers {
		w.prepare(g)
		w.setTBRanks(&ranking)
	}
}

// search runs the search that begin set up and returns the result.
func (r *run) search() Result {
	first := r.workers[0]
	if len(first.rootMoves) == 0 {
		return r.noMoves(first)
	}
	if !r.weak() {
		r.startHelpers()
		defer func() { // where report panics or ends its goroutine, the helpers must not go on
			r.end(Stopped)
			r.helpers.Wait()
		}()
	}
	if r.level.Human {
		r.deliberate(first)
	} else {
		r.iterate(first)
	}
	if r.control.stop.Load() {
		r.end(Stopped)
	}
	r.end(LastDepth)
	r.ended = r.timer.elapsed()
	r.await()
	r.pace(first)
	r.helpers.Wait()
	for _, w := range r.workers {
		w.publish()
	}

	w := vote(r.workers)
	if r.weak() {
		chooseLimited(w, &r.level, r.limits.Strength.Seed)
	}
	best := w.rootMoves[0]
	if best.depth == 0 { // not even one move was searched
		best.value, best.depth = w.horizonValue(0), 1
	}
	score, bound := best.shown(), best.bound
	if score != best.value {
		bound = Exact
	}
	if w != first || first.completed < first.rootDepth || r.weak() {
		// The last iteration was interrupted, or the vote chose another worker.
		r.reportLast(w)
	}
	r.reportRefutations(w, true)
	r.account.end(r.timer.elapsed())
	return Result{
		Best:    best.move,
		Ponder:  w.ponderMove(best),
		Score:   score,
		Bound:   bound,
		Depth:   r.asked(w.completed),
		Nodes:   r.nodes(),
		TBHits:  r.hits(),
		Elapsed: r.ended,
		End:     End(r.halt.Load()),
		Budget:  r.budget(),
	}
}

// startHelpers starts the threads other than the first.
func (r *run) startHelpers() {
	for _, w := range r.workers[1:] {
		r.helpers.Go(func() { r.iterate(w) })
	}
}

// await blocks until the search may return its result.
func (r *run) await() {
	if r.limits.Control != nil {
		r.control.wait(r.limits.Infinite)
	}
}

// noMoves returns the result for a position that is checkmate or stalemate.
func (r *run) noMoves(w *worker) Result {
	score := chess.DrawScore
	if w.stack[0].pos.InCheck() {
		score = chess.MatedIn(0)
	}
	elapsed := r.timer.elapsed()
	r.reportEnd(score, elapsed)
	r.await()
	return Result{Score: score, Elapsed: elapsed, End: NoMoves, Budget: r.budget()}
}

// hits returns the number of positions found in tablebases, including root
// moves.
func (r *run) hits() uint64 { return r.rootHits + r.tbHits() }

// budget returns the time limits of the search.
func (r *run) budget() Budget {
	limit := func(d time.Duration) time.Duration {
		if d == forever {
			return 0
		}
		return d
	}
	return Budget{limit(r.timer.soft), limit(r.adapted), limit(r.timer.hard)}
}
