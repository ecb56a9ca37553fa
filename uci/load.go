package uci

import "time"

// loadMeter measures how busy a search keeps the processors.
type loadMeter struct {
	threads int
	start   time.Time
	used    time.Duration // processor time of the process at start
	ok      bool          // the system tells
}

// shortestLoad is the time below which clocks of processors are too coarse.
const shortestLoad = 100 * time.Millisecond

// begin starts to measure a search with threads.
func (m *loadMeter) begin(threads int) {
	m.threads, m.start = threads, time.Now()
	m.used, m.ok = processorTime()
}

// permille returns the processor time used since the beginning, of what the
// threads could have used. It is not ok if that is not known, or not yet.
func (m *loadMeter) permille() (load int, ok bool) {
	passed := time.Since(m.start)
	if !m.ok || passed < shortestLoad {
		return 0, false
	}
	now, ok := processorTime()
	return loadPermille(now-m.used, passed, m.threads), ok
}

// loadPermille is what used is of the time that threads had while passed. The
// reader's and the clock's share may exceed it, but no GUI expects that.
func loadPermille(used, passed time.Duration, threads int) int {
	load := used.Seconds() / (passed.Seconds() * float64(threads))
	return int(min(max(load, 0), 1) * 1000)
}
