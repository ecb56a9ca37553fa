package search

import (
	"time"

	"skein/chess"
)

// linePatience is how long the first worker waits for the lines of the others
// before it reports without those that are missing: of workers that wait for a
// processor, or that are done.
const linePatience = 100 * time.Millisecond

// lineRequests is how the first worker comes by the lines all workers are
// searching: it raises the number of the request, each worker notes its line when
// it next polls, and the first collects. A line is written only while its number
// differs from the request's, and read only when they are equal, so nobody waits
// and nothing is read half written.
type lineRequests struct {
	asked bool          // the last request has not been reported yet
	due   time.Duration // when the next thing happens, since the search began
	lines [][]chess.Move
}

// reset prepares for a search in which lines are asked for at intervals.
func (q *lineRequests) reset(interval time.Duration, workers int) {
	q.asked, q.due = false, interval
	if interval > 0 && cap(q.lines) < workers {
		q.lines = make([][]chess.Move, workers)
	}
}

// polled asks for lines when the time has come, and reports them when all are
// there or some are not to be expected.
func (r *run) polled(w *worker) {
	if r.limits.CurrLines == 0 {
		return
	}
	q := &r.requests
	elapsed := r.timer.elapsed()
	switch {
	case elapsed < q.due && !(q.asked && r.allLinesNoted()):
	case q.asked:
		r.reportCurrentLines(elapsed)
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

func (r *run) reportCurrentLines(elapsed time.Duration) {
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
	r.reports.currentLines = CurrentLines{
		Depth: r.workers[0].rootDepth, Nodes: r.nodes(), Elapsed: elapsed, Lines: q.lines,
	}
	r.report(&r.reports.currentLines)
}
