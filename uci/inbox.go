package uci

import (
	"sync"
	"sync/atomic"
	"time"

	"skein/search"
)

// maxWaiting is the size of the queue in bytes, as job.size counts them. Each line
// beyond is ignored.
const maxWaiting = 64 << 20

// job is a command line on its way from the reader to the executor.
type job struct {
	handler *handler
	args    string // what follows the command word, trimmed
	err     error  // if the line is not a command; handler is nil then
	ignored int    // number of lines that the queue had no room for; handler and err are nil then
	going   *going // of a go
}

// size returns about how many bytes a waiting job takes.
func (j *job) size() int {
	const least = 512 // of the job itself, and of the state of a go
	return least + len(j.args)
}

// is reports whether the job is the named command.
func (j *job) is(name string) bool { return j.handler != nil && j.handler.name == name }

// going is the state of a go command.
type going struct {
	read    time.Time // when the line came in; zero if there was no reader
	control *search.Control
	stopped atomic.Bool
}

func (g *going) stop() {
	g.stopped.Store(true)
	g.control.Stop()
}

// inbox is the queue between reader and executor. It also records every go that
// was read and has not ended. The reader never waits for it: what does not fit is
// ignored.
type inbox struct {
	mu        sync.Mutex
	changed   sync.Cond // signaled for the executor
	waiting   []*job
	size      int      // of all that wait
	readies   int      // how many of them are isready
	goings    []*going // in order; the first may be running
	searching bool     // the executor is in the first of goings
	finished  bool     // nothing more will be put
}

func newInbox() *inbox {
	b := new(inbox)
	b.changed.L = &b.mu
	return b
}

// put appends a job, or counts it as ignored if the queue is full. After finish or
// close it does nothing. It reports whether j has been dealt with: an isready during a
// search has not, and must be answered now, unless the search was stopped and is about
// to end.
func (b *inbox) put(j *job) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.finished:
		return true
	case b.searching && !b.goings[0].stopped.Load() && j.is("isready"):
		return false
	}
	if b.size+j.size() > maxWaiting {
		if n := len(b.waiting); n > 0 && b.waiting[n-1].ignored > 0 {
			b.waiting[n-1].ignored++
			return true
		}
		j = &job{ignored: 1}
	}
	b.waiting = append(b.waiting, j)
	b.size += j.size()
	if j.is("isready") {
		b.readies++
	}
	if j.going != nil {
		b.goings = append(b.goings, j.going)
	}
	b.changed.Signal()
	return true
}

// next waits for a job and removes it; nil after the last one.
func (b *inbox) next() *job {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) == 0 {
		if b.finished {
			return nil
		}
		b.changed.Wait()
	}
	j := b.waiting[0]
	b.waiting[0] = nil
	b.waiting = b.waiting[1:]
	b.size -= j.size()
	if j.is("isready") {
		b.readies--
	}
	return j
}

// finish lets the executor end when the queue is empty.
func (b *inbox) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finished = true
	b.changed.Signal()
}

// close is finish that also stops every search.
func (b *inbox) close() {
	b.finish()
	b.stop()
}

// stop ends the running search and all waiting ones, and returns their number.
func (b *inbox) stop() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, g := range b.goings {
		g.stop()
	}
	return len(b.goings)
}

// ponderHit tells every search, running or waiting, that the expected move was
// played, and returns their number.
func (b *inbox) ponderHit() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, g := range b.goings {
		g.control.PonderHit()
	}
	return len(b.goings)
}

// beginSearch records that the search of the first go begins. Unless it was stopped
// already, it removes every waiting isready and returns their number: they must be
// answered now.
func (b *inbox) beginSearch() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.searching = true
	if b.goings[0].stopped.Load() || b.readies == 0 {
		return 0
	}
	rest := b.waiting[:0]
	for _, j := range b.waiting {
		if j.is("isready") {
			b.size -= j.size()
		} else {
			rest = append(rest, j)
		}
	}
	clear(b.waiting[len(rest):])
	b.waiting = rest
	removed := b.readies
	b.readies = 0
	return removed
}

// endSearch records that the search of the first go has ended.
func (b *inbox) endSearch() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.searching = false
	b.goings = b.goings[1:]
}
