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
	soft = max(left-stallReserve, left/2)/moves + inc*3/4
	// Half the clock is the most for one move; of a few moves to a new
	// control, each may take a little more than its share.
	hard = min(soft*5, left/2)
	return min(soft, hard), hard
}

// trend is how the iterations of one search went, as far as it tells whether
// more time will change the move.
type trend struct {
	before chess.Score // score of the last search of this game
	known  bool        // there was one
	best   chess.Move  // of the last iteration
	stable int         // iterations in a row with that move
	last   chess.Score // score of the last iteration
	score  chess.Score // a moving average of the scores before it
}

// next returns the trend of the next search of the same game.
func (t *trend) next() trend { return trend{before: t.last, known: t.best != chess.NoMove} }

// patience takes note of an iteration that was completed, with its best move, that
// move's score and its share of the nodes in permille, and returns how much of the
// ordinary time it is worth to go on, in permille: less with a move that has been
// best for long and took most of the nodes, more when the score falls.
func (t *trend) patience(best chess.Move, score chess.Score, share int) int {
	if t.best == chess.NoMove {
		t.score = score
		if !t.known {
			t.before = score
		}
	}
	if best == t.best {
		t.stable++
	} else {
		t.best, t.stable = best, 0
	}
	fall := fallPermille(t.score-score, t.before-score)
	t.score, t.last = (3*t.score+score)/4, score
	return stabilityPermille(t.stable) * fall / 1000 * sharePermille(share) / 1000
}

// stabilityPermille scales time by how many iterations in a row had the same
// best move.
func stabilityPermille(stable int) int { return max(1350-100*stable, 750) }

// fallPermille scales time by how much the score fell, in units, below that of
// the last iterations and below that of the last move.
func fallPermille(recently, sinceMove chess.Score) int {
	return min(max(1000+int(67*recently+100*sinceMove)/64, 750), 1450)
}

// sharePermille scales time by the share of nodes spent on the best move.
func sharePermille(share int) int { return max(2200-1800*share/1000, 500) }

// elapsed returns the time since the clock started.
func (t *timer) elapsed() time.Duration { return time.Since(t.start) }
