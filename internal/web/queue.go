package web

import (
	"context"
	"slices"
	"sync"
)

// queue lends one thing to requests, one at a time: in the order of their arrival,
// but urgent ones first. The zero value lends.
type queue struct {
	mu      sync.Mutex
	held    bool
	waiting []*ticket
}

// ticket is a place in a queue.
type ticket struct {
	urgent bool
	turn   chan struct{} // closed when its turn has come
}

// acquire waits for the turn of a request, which must call release afterwards. The
// error is the cause of ctx if that ends first.
func (q *queue) acquire(ctx context.Context, urgent bool) error {
	t := q.enter(urgent)
	select {
	case <-t.turn:
		if ctx.Err() == nil {
			return nil
		}
	case <-ctx.Done():
	}
	q.leave(t)
	return context.Cause(ctx)
}

// enter adds a ticket, whose turn has come already if nothing is lent.
func (q *queue) enter(urgent bool) *ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &ticket{urgent, make(chan struct{})}
	if !q.held {
		q.held = true
		close(t.turn)
		return t
	}
	place := len(q.waiting)
	if urgent {
		if i := slices.IndexFunc(q.waiting, func(w *ticket) bool { return !w.urgent }); i >= 0 {
			place = i
		}
	}
	q.waiting = slices.Insert(q.waiting, place, t)
	return t
}

// leave gives a ticket up, whether or not its turn has come.
func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	place := slices.Index(q.waiting, t)
	if place >= 0 {
		q.waiting = slices.Delete(q.waiting, place, place+1)
	}
	q.mu.Unlock()
	if place < 0 {
		q.release()
	}
}

// release ends the turn of the holder.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.held = false
		return
	}
	close(q.waiting[0].turn)
	q.waiting = q.waiting[1:]
}

// demand returns how many requests wait, and whether the next of them is urgent.
func (q *queue) demand() (waiting int, urgent bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting), len(q.waiting) > 0 && q.waiting[0].urgent
}

// state returns how many requests are served and wait.
func (q *queue) state() (served, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.held {
		served = 1
	}
	return served, len(q.waiting)
}

// slots let only so many requests do something at a time.
type slots chan struct{}

// acquire waits for a slot, which release gives back. The error is the cause of ctx if
// that ends first.
func (s slots) acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) release() { <-s }
