package search

import (
	"time"

	"skein/chess"
)

// linePatience is how long the first worker waits for the lines of the others
// before it reports without the missing ones, of workers that are not scheduled
// or have finished.
const linePatience = 100 * time.Millisecond

// lineRequests collects the lines that all workers are searching: the first
// worker increments the number of the request, each worker stores its line when
// it polls next, and the first reads them. A line is written only while its
// number differs from that of the request, and read only when they are equal,
// so no lock is needed.
type lineRequests struct {
	asked bool          // the last request has not been reported
	due   time.Duration // time of the next request or report, from the start of the clock
	lines [][]chess.Move
}

// reset sets up a search that reports lines at intervals; 0 is never.
func (q *lineRequests) reset(interval time.Duration, workers int) {
	q.asked, q.due = false, interval
	if interval > 0 && cap(q.lines) < workers {
		q.lines = make([][]chess.Move, workers)
	}
}

// polled requests lines when they are due, and reports them when all are there
// or linePatience has passed.
func (r *run) polled(w *worker) {
	if r.limits.CurrLines <= 0 {
		return
	}
	q := &r.requests
	elapsed := r.timer.elapsed()
	switch {
	case elapsed < q.due && !(q.asked && r.allLinesNoted()):
	case q.asked:
		r.reportCurrentLines()
		q.asked, q.due = false, elapsed+r.limits.CurrLines
	default:
		r.lineRequest.Add(1)
		q.asked, q.due = true, elapsed+linePatience
	}
}

func (r *run) allLinesNoted() bool {
	number := r.lineRequest.Load()
	for _, w := range r.workers {
		if w.line.number.Load() != number {
			return false
		}
	}
	return true
}

func (r *run) reportCurrentLines() {
	if r.report == nil {
		return
	}
	q := &r.requests
	number := r.lineRequest.Load()
	q.lines = q.lines[:len(r.workers)]
	for i, w := range r.workers {
		q.lines[i] = nil
		if w.line.number.Load() == number {
			q.lines[i] = w.line.moves[:w.line.length]
		}
	}
	r.reports.currentLines.Lines = q.lines
	r.report(&r.reports.currentLines)
}
