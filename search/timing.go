package search

import (
	"sync/atomic"
	"time"

	"skein/chess"
)

// timer holds the time limits of a search, from the start of the clock.
type timer struct {
	start time.Time
	soft  time.Duration // start no iteration after this
	hard  time.Duration // stop within an iteration
}

// forcedDivisor is the divisor of the soft limit if there is only one move to choose.
const forcedDivisor = 8

// forever is no time limit.
const forever = time.Duration(1<<63 - 1)

// newTimer returns the timer of a search for side to move us, whose move has this number in the game. Moves have lately
// lost up to stall to a busy system or between engine and GUI, and on average lag outside searches.
func newTimer(lim *Limits, us chess.Color, number int, stall, lag time.Duration) timer {
	t := timer{start: lim.Start, soft: forever, hard: forever}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	if lim.Clock {
		left, inc := lim.Time[us&1], lim.Inc[us&1]
		if lim.NodeTime > 0 {
			stall, lag = 0, 0
		}
		t.soft, t.hard = allot(left, inc-lag, lim.MovesToGo, max(lim.MoveOverhead, stall))
		t.soft, t.hard = save(t.soft, left, inc, stall), save(t.hard, left, inc, stall)
		if lim.MovesToGo == 0 {
			t.soft = min(t.soft/1000*time.Duration(numberPermille(number)), t.hard)
		}
	}
	if lim.MoveTime != 0 {
		moveTime := max(lim.MoveTime-lim.MoveOverhead, lim.MoveTime/2, 1)
		t.soft, t.hard = min(t.soft, moveTime), min(t.hard, moveTime)
	}
	return t
}

// numberPermille returns the factor, in permille, of the soft limit by the number of the move: openings are less often
// decided than what follows.
func numberPermille(number int) int { return min(timeMoveBase+timeMoveSlope*number, timeMoveMost) }

// stallReserve is kept on the clock where possible, in case a busy system does
// not schedule the engine.
const stallReserve = 100 * time.Millisecond

// allot returns the time limits of a move: a soft one for an ordinary move and
// a hard one that leaves enough for the next moves. Both are positive and at
// most the time left minus overhead, except that they may use a quarter of the
// time left, or a millisecond, if that is more.
func allot(left, inc time.Duration, movesToGo int, overhead time.Duration) (soft, hard time.Duration) {
	const most = forever / 100 // so that no product overflows
	left = min(max(left-overhead, left/4, time.Millisecond), most)
	inc = min(max(inc, 0), most)
	spare := max(left-stallReserve, left/2)
	if movesToGo == 1 {
		hard = min(left*9/10, spare)
		return hard * 3 / 4, hard
	}
	soft = spare
	if movesToGo > 0 {
		soft /= time.Duration(min(movesToGo, 40))
	} else {
		soft = soft / 10000 * time.Duration(timeShare)
	}
	soft += inc / 1000 * time.Duration(timeIncrement)
	// A move may use several times the soft limit, but no more than half of the clock.
	hard = min(soft*time.Duration(timeHard), left/2)
	return min(soft, hard), hard
}

const (
	// stallsKept is the number of the longest stalls for which time is kept on the clock, and stalledMoves that of
	// moves that may all be stalled, as far as their increments do not make up for it.
	stallsKept   = 4
	stalledMoves = 20

	// maxStall bounds what a stall counts, so that time is not saved for long after a pause of the whole system.
	maxStall = time.Second
)

// save returns a limit of a move with this time left and this increment on a system whose longest stall is given: less
// if such stalls would use up the clock. The result is positive.
func save(limit, left, inc, stall time.Duration) time.Duration {
	left, inc = max(left, 0), max(inc, 0)
	if kept := stallsKept*stall + stalledMoves*max(stall-inc, 0); left < kept {
		limit = limit / 1000 * (1000 * left / kept)
	}
	return max(limit, 1)
}

// stalls measures for how long a busy system schedules no thread of a search, and how much time moves lose outside
// searches.
type stalls struct {
	noted   atomic.Int64 // nanoseconds of the search when a thread last looked at the clock
	longest atomic.Int64 // the longest stall in nanoseconds, less an eighth for each search since
}

// begin starts the measurement for a search that has lasted for elapsed.
func (s *stalls) begin(elapsed time.Duration) {
	s.noted.Store(int64(elapsed))
	s.longest.Store(s.longest.Load() / 8 * 7)
}

// note records that a thread looks at the clock, unless others have done so since.
func (s *stalls) note(elapsed time.Duration) {
	last := s.noted.Load()
	if int64(elapsed) > last && s.noted.CompareAndSwap(last, int64(elapsed)) {
		s.add(elapsed - time.Duration(last))
	}
}

// add records a stall.
func (s *stalls) add(d time.Duration) {
	if n := int64(min(d, maxStall)); n > s.longest.Load() {
		s.longest.Store(n) // two threads need not agree on which one is longest
	}
}

// account follows the own clock from one move of a game to the next.
type account struct {
	us     chess.Color
	number int           // of the next move, 0 if the clock is not followed until then
	left   time.Duration // expected at that move
	timed  bool          // the search that is running takes time from left
	lag    time.Duration // a moving average of what moves lost; below zero where they gained
}

// begin begins a search for side to move us, with the number of its move in the game. It
// returns how much less is left on the clock than was expected, if the move before was
// followed. A search that begins with pondering takes no part in that: its clock starts
// later, and some GUIs send it that of the move before.
func (a *account) begin(lim *Limits, us chess.Color, number int, pondering bool) (lost time.Duration) {
	if a.timed = !pondering && lim.Clock && lim.NodeTime == 0; !a.timed {
		return 0
	}
	if a.us == us && a.number == number {
		lost = a.left - lim.Time[us&1]
		a.lag += (min(max(lost, -maxStall), maxStall) - a.lag) / 4
	}
	a.us, a.number, a.left = us, number+1, lim.Time[us&1]+lim.Inc[us&1]
	return lost
}

// end ends the search, which took the given time.
func (a *account) end(elapsed time.Duration) {
	if a.timed {
		a.left -= elapsed
	}
}

// trend is the history of scores and best moves from which the time of a search
// is adapted.
type trend struct {
	us     chess.Color // side to move
	before chess.Score // score of its last search in this game
	known  bool        // before is set
	best   chess.Move  // of the last iteration, NoMove before the first
	stable int         // iterations in a row with that move
	last   chess.Score // score of the last iteration
	score  chess.Score // a moving average of the scores before it
}

// next returns the trend of the next search of the same game, for side to move us.
func (t *trend) next(us chess.Color) trend {
	switch {
	case t.us != us:
		return trend{us: us}
	case t.best == chess.NoMove: // it ended within the first iteration
		return trend{us: us, before: t.before, known: t.known}
	}
	return trend{us: us, before: t.last, known: true}
}

// patience records a completed iteration with its best move, the score of that
// move and its share of the nodes in permille. It returns the factor, in
// permille, for the soft limit: lower if the same move has been best for many
// iterations and took most of the nodes, higher if the score falls.
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
	return stabilityPermille(t.stable) * fall / 1000 * effortPermille(share) / 1000
}

// stabilityPermille returns the factor, in permille, by the number of
// iterations in a row with the same best move.
func stabilityPermille(stable int) int {
	return max(stabilityBase-stabilitySlope*stable, stabilityLeast)
}

// fallPermille returns the factor, in permille, by how far the score fell, in
// units of scores, below that of the last iterations and below that of the last
// move.
func fallPermille(recently, sinceMove chess.Score) int {
	return min(max(fallBase+(fallRecently*int(recently)+fallSinceMove*int(sinceMove))/10, fallLeast), fallMost)
}

// effortPermille returns the factor, in permille, by the share of nodes, in
// permille, spent on the best move.
func effortPermille(share int) int { return max(effortBase-effortSlope*share/1000, effortLeast) }

// elapsed returns the time since the clock started.
func (t *timer) elapsed() time.Duration { return time.Since(t.start) }
