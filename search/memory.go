package search

// Memory is how full the tables of an engine are, in permille.
type Memory struct {
	Table                        int
	Quiet, Capture, Continuation int // nonzero history values of the first thread
}

// Memory returns how full the tables are, from a sample of the transposition
// table and all histories, which takes about a millisecond.
func (e *Engine) Memory() Memory {
	h := &e.run.workers[0].histories
	m := Memory{Table: e.run.table.Hashfull()}
	used, all := 0, 0
	tally := func(values []int16) {
		all += len(values)
		for _, v := range values {
			used += flag(v != 0)
		}
	}
	share := func() int {
		permille := used * 1000 / all
		used, all = 0, 0
		return permille
	}
	for i := range 8 {
		for from := range 64 {
			tally(h.quiet[i>>2][i>>1&1][i&1][from][:])
		}
	}
	m.Quiet = share()
	for piece := range h.capture {
		for to := range h.capture[piece] {
			tally(h.capture[piece][to][:])
		}
	}
	m.Capture = share()
	for piece := range h.continuation {
		for to := range h.continuation[piece] {
			tally(h.continuation[piece][to][:])
		}
	}
	m.Continuation = share()
	return m
}
