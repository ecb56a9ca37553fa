package search

import (
	"time"

	"skein/chess"
)

// timer decides when a search has used its time. All times count from the
// start of the clock.
type timer struct {
	start time.Time
	soft  time.Duration // start no iteration after this
	hard  time.Duration // stop in the middle of one
}

// forcedShare divides the time for a position with a single legal move.
const forcedShare = 8

// forever is a time no search reaches.
const forever = time.Duration(1<<63 - 1)

// newTimer returns the timer of a search for side to move us.
func newTimer(lim *Limits, us chess.Color) timer {
	t := timer{start: lim.Start, soft: forever, hard: forever}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	if lim.Clock {
		t.soft, t.hard = allot(lim.Time[us&1], lim.Inc[us&1], lim.MovesToGo, lim.MoveOverhead)
	}
	if lim.MoveTime > 0 {
		moveTime := max(lim.MoveTime-lim.MoveOverhead, lim.MoveTime/2)
		t.soft, t.hard = min(t.soft, moveTime), min(t.hard, moveTime)
	}
	return t
}

// stallReserve is kept on the clock where possible, for the moment when a busy
// system gives us no processor.
const stallReserve = 100 * time.Millisecond

// allot shares out the clock: a soft limit for an ordinary move and a hard one
// that leaves enough for the next moves whatever happens. Both are at least a
// little and never more than what the clock has left, less overhead.
func allot(left, inc time.Duration, movesToGo int, overhead time.Duration) (soft, hard time.Duration) {
	left = max(left-overhead, left/4, time.Millisecond)
	inc = max(inc, 0)
	if movesToGo == 1 {
		hard = left * 9 / 10
		return hard * 3 / 4, hard
	}
	moves := time.Duration(24)
	if movesToGo > 0 {
		moves = time.Duration(min(movesToGo, 40))
	}
	soft = max(left-stallReserve, left/2)/moves + inc/2
	// Half the clock is the most for one move; of a few moves to a new
	// control, each may take a little more than its share.
	hard = min(soft*4, left/2)
	return min(soft, hard), hard
}

// elapsed returns the time since the clock started.
func (t *timer) elapsed() time.Duration { return time.Since(t.start) }
