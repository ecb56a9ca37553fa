package uci

import "time"

// loadMeter measures the CPU load of a search.
type loadMeter struct {
	threads int
	start   time.Time
	used    time.Duration // processor time of the process at start
	ok      bool          // processor time is available
}

// shortestLoad is the time below which processor time is too coarse.
const shortestLoad = 100 * time.Millisecond

// begin starts measuring a search with the given number of threads.
func (m *loadMeter) begin(threads int) {
	m.threads, m.start = threads, time.Now()
	m.used, m.ok = processorTime()
}

// permille returns the processor time used since begin as a share of what the
// threads could have used, or noLoad if that is unknown, or too early.
func (m *loadMeter) permille() int {
	passed := time.Since(m.start)
	if !m.ok || passed < shortestLoad {
		return noLoad
	}
	now, ok := processorTime()
	if !ok {
		return noLoad
	}
	return loadPermille(now-m.used, passed, m.threads)
}

// loadPermille returns used as a share of passed times threads, clamped to 1000,
// as other goroutines use processor time, too.
func loadPermille(used, passed time.Duration, threads int) int {
	load := used.Seconds() / (passed.Seconds() * float64(threads))
	return int(min(max(load, 0), 1) * 1000)
}
