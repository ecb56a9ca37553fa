package search

import (
	"sync/atomic"
	"time"

	"skein/chess"
)

// linePatience is how long the first worker waits for the lines of the others
// before it reports without those that are missing: of workers that wait for a
// processor, or that are done.
const linePatience = 100 * time.Millisecond

// lineRequests is how the first worker comes by the lines all workers are
// searching: it raises number, each worker notes its line when it next looks
// up from its work, and the first collects. A line is written only while its
// number differs from the request's, and read only when they are equal, so
// nobody waits and nothing is read half written.
type lineRequests struct {
	number atomic.Uint32
	asked  bool          // the last request has not been reported yet
	due    time.Duration // when the next thing happens, since the search began
	lines  [][]chess.Move
}

// notedLine is the line a worker was searching when it answered a request.
type notedLine struct {
	number atomic.Uint32 // of the request
	length int
	moves  [MaxPly + 2]chess.Move
}

// reset prepares for a search in which lines are asked for at intervals.
func (r *lineRequests) reset(interval time.Duration, workers int) {
	r.asked, r.due = false, interval
	if interval > 0 && cap(r.lines) < workers {
		r.lines = make([][]chess.Move, workers)
	}
}

// noteLine answers a request for the line up to the move made from ply. A null
// move ends the line, so that all its moves are legal.
func (w *worker) noteLine(ply int) {
	number := w.engine.requests.number.Load()
	if number == w.line.number.Load() {
		return
	}
	n := 0
	for n <= ply && w.stack[n].move != chess.NoMove {
		w.line.moves[n] = w.stack[n].move
		n++
	}
	w.line.length = n
	w.line.number.Store(number)
}

// collectLines asks for lines when the time has come, and reports them when
// all are there or some are not to be expected. It is for the first worker.
func (e *Engine) collectLines() {
	r := &e.requests
	elapsed := e.timer.elapsed()
	switch {
	case elapsed < r.due && !(r.asked && e.allLinesNoted()):
	case r.asked:
		e.reportCurrentLines(elapsed)
		r.asked, r.due = false, elapsed+e.limits.CurrLines
	default:
		r.number.Add(1)
		r.asked, r.due = true, elapsed+linePatience
	}
}

func (e *Engine) allLinesNoted() bool {
	number := e.requests.number.Load()
	for _, w := range e.workers {
		if w.line.number.Load() != number {
			return false
		}
	}
	return true
}

func (e *Engine) reportCurrentLines(elapsed time.Duration) {
	if e.report == nil {
		return
	}
	r := &e.requests
	number := r.number.Load()
	r.lines = r.lines[:len(e.workers)]
	for i, w := range e.workers {
		r.lines[i] = nil
		if w.line.number.Load() == number {
			r.lines[i] = w.line.moves[:w.line.length]
		}
	}
	e.current = Info{Depth: e.workers[0].rootDepth, Nodes: e.nodes(), Elapsed: elapsed, CurrLines: r.lines}
	e.report(&e.current)
}
