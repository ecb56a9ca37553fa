package search

import (
	"time"

	"skein/chess"
	"skein/internal/invariant"
)

const (
	// CurrentMove and scores outside the aspiration window are reported only
	// after this time.
	currentMoveDelay = time.Second
	boundDelay       = 3 * time.Second
)

// Info is a report of a running search: a *Line, *CurrentMove, *CurrentLines or
// *Refutation, valid only during the call that reports it.
type Info interface{ info() }

// Line is one of the best lines found so far.
type Line struct {
	// Depth is that of the iteration, in plies, never less than before for the same
	// rank: lines that the last iteration did not reach have that of the one before.
	// It is 0 if there is no legal move: then only MultiPV, Score, Drawn and Elapsed
	// are set.
	Depth    int
	SelDepth int // longest line searched, in plies
	MultiPV  int // rank of the line, 1 is the best
	Score    chess.Score
	Bound    Bound         // other than Exact in mid-iteration only after three seconds and with one line
	Drawn    bool          // a draw for certain: by tablebases, insufficient material or stalemate
	Nodes    uint64        // of all threads
	Elapsed  time.Duration // since Limits.Start, as in other reports; after the end of the search that of Result
	Hashfull int           // part of the transposition table in use, in permille
	TBHits   uint64        // positions found in tablebases, by all threads
	PV       []chess.Move
}

// CurrentMove is the root move that the first thread starts to search. It is
// reported once the search has lasted a second.
type CurrentMove struct {
	Depth  int // of the iteration
	Move   chess.Move
	Number int // in the order of search, from 1
}

// CurrentLines are the lines that the threads are searching.
type CurrentLines struct {
	Lines [][]chess.Move // by thread, nil if unknown
}

// Refutation is the best reply to a root move that is not among the best lines.
type Refutation struct {
	Depth int // of the iteration
	Move  chess.Move
	Reply chess.Move // NoMove if none is known
}

func (*Line) info()         {}
func (*CurrentMove) info()  {}
func (*CurrentLines) info() {}
func (*Refutation) info()   {}

// NodesPerSecond returns the speed of a search that took elapsed for so many nodes, 0 if no
// time has passed.
func NodesPerSecond(nodes uint64, elapsed time.Duration) uint64 {
	if elapsed <= 0 {
		return 0
	}
	return uint64(float64(nodes) / elapsed.Seconds())
}

// OnLine returns a report function that passes every *Line to f and ignores
// other reports.
func OnLine(f func(*Line)) func(Info) {
	return func(i Info) {
		if line, ok := i.(*Line); ok {
			f(line)
		}
	}
}

// reports holds one report of each kind, so that reporting allocates nothing.
type reports struct {
	line         Line
	currentMove  CurrentMove
	currentLines CurrentLines
	refutation   Refutation
}

// reportLines reports the best lines of w. None has a higher score than the one above,
// except that at limited strength the first is the one chosen. After an iteration that
// was cut short, the lines that it did not reach have older scores; those that have none
// get that of the line above as an upper bound. Moves that endgame tables know to be
// equally good are in the order of the search.
func (r *run) reportLines(w *worker) {
	if r.report == nil {
		return
	}
	least, above := r.shownDepth, chess.Infinity
	for i := range w.shownLines() {
		rm := w.rootMoves[i]
		line := r.lineOf(w, i)
		line.Depth, line.Score, line.Bound = r.depthOf(rm, least), rm.shown(), rm.bound
		if rm.shown() != rm.value {
			line.Bound = Exact
		}
		if rm.depth == 0 && !rm.known || line.Score > above && !r.weak() {
			line.Score = above
			if _, mate := above.Mate(); mate || !rm.known {
				line.Bound = UpperBound
			}
		}
		above = line.Score
		r.shownDepth = max(r.shownDepth, line.Depth)
		if invariant.Enabled {
			invariant.NoError(validateLine(&w.stack[0].pos, line.PV))
		}
		r.report(line)
	}
}

// reportLast reports the lines of w after the search has ended within an
// iteration: the last exact ones, as long as the table knows them.
func (r *run) reportLast(w *worker) {
	n := w.shownLines()
	w.restoreLines(n)
	for i := range w.rootMoves[:n] {
		w.lengthen(w.rootMoves[i])
	}
	r.reportLines(w)
}

// depthOf returns the depth at which to report rm, which another thread than the
// first may have searched to less than what was reported, least, or to more than
// was asked for.
func (r *run) depthOf(rm *rootMove, least int) int {
	return r.asked(max(rm.depth, least, 1))
}

// asked returns a depth, at most the one that was asked for: half of the threads are
// a ply ahead.
func (r *run) asked(depth int) int {
	if r.limits.Depth > 0 {
		return min(depth, r.limits.Depth)
	}
	return depth
}

// reportBound reports a score outside the aspiration window that starts at
// alpha, as a bound, once the search has lasted boundDelay.
func (r *run) reportBound(w *worker, score, alpha chess.Score) {
	if r.report == nil || w.lines() > 1 || w.rootMoves[w.pvIndex].known || r.timer.elapsed() < boundDelay {
		return
	}
	line := r.lineOf(w, w.pvIndex)
	line.Score = score
	line.Bound = LowerBound
	if score <= alpha {
		line.Bound = UpperBound
	}
	r.shownDepth = line.Depth
	r.report(line)
}

// lineOf returns a report of root move i of w, without score and bound.
func (r *run) lineOf(w *worker, i int) *Line {
	rm := w.rootMoves[i]
	elapsed := r.ended
	if elapsed == 0 {
		elapsed = r.timer.elapsed()
	}
	r.reports.line = Line{
		Depth:    w.rootDepth,
		SelDepth: max(rm.selDepth, rm.pvLength),
		MultiPV:  i + 1,
		Drawn:    rm.drawn() || w.stack[0].pos.InsufficientMaterial(),
		Nodes:    r.nodes(),
		Elapsed:  elapsed,
		Hashfull: r.table.Hashfull(),
		TBHits:   r.hits(),
		PV:       rm.pv[:rm.pvLength],
	}
	return &r.reports.line
}

// reportEnd reports the score of a position without moves to search.
func (r *run) reportEnd(score chess.Score, elapsed time.Duration) {
	if r.report != nil {
		r.reports.line = Line{MultiPV: 1, Score: score, Drawn: score == chess.DrawScore, Elapsed: elapsed}
		r.report(&r.reports.line)
	}
}

// rootMove reports that the search of the root move m starts.
func (r *run) rootMove(w *worker, m chess.Move, number int) {
	if r.report == nil || r.timer.elapsed() < currentMoveDelay {
		return
	}
	r.reports.currentMove = CurrentMove{w.rootDepth, m, number + w.pvIndex}
	r.report(&r.reports.currentMove)
}
