package search

import (
	"math"
	"time"

	"skein/chess"
	"skein/position"
)

// timer holds the time limits of a search, from the start of the clock.
type timer struct {
	start time.Time
	soft  time.Duration // start no iteration after this
	hard  time.Duration // stop within an iteration
}

// forcedShare is the divisor of the soft limit if there is only one legal move.
const forcedShare = 8

// forever is no time limit.
const forever = time.Duration(1<<63 - 1)

// newTimer returns the timer of a search for side to move us after ply plies of a
// game.
func newTimer(lim *Limits, us chess.Color, ply int) timer {
	t := timer{start: lim.Start, soft: forever, hard: forever}
	if t.start.IsZero() {
		t.start = time.Now()
	}
	if lim.Clock {
		t.soft, t.hard = allot(lim.Time[us&1], lim.Inc[us&1], lim.MovesToGo, lim.MoveOverhead, ply)
	}
	if lim.MoveTime > 0 {
		moveTime := max(lim.MoveTime-lim.MoveOverhead, lim.MoveTime/2)
		t.soft, t.hard = min(t.soft, moveTime), min(t.hard, moveTime)
	}
	return t
}

// allot returns the time limits of a move: a soft one for an ordinary move and
// a hard one that leaves enough for the next moves. Both are positive and at
// most the time left minus overhead, except that they may use a quarter of the
// time left, or a millisecond, if that is more. ply is the number of plies that the
// game has lasted: the later moves of a game get larger shares of what is left.
func allot(left, inc time.Duration, movesToGo int, overhead time.Duration, ply int) (soft, hard time.Duration) {
	left = max(left-overhead, left/4, time.Millisecond)
	inc = max(inc, 0)
	if movesToGo == 1 {
		hard = left * 9 / 10
		return hard * 3 / 4, hard
	}
	ready := max(left-time.Duration(timeReserve)*time.Millisecond, left/2)
	if movesToGo > 0 {
		soft = ready/time.Duration(min(movesToGo, 40)) + inc*time.Duration(timeIncrement)/1000
	} else {
		planned := ready + inc*time.Duration(timeIncrement)/1000*time.Duration(timeHorizon-1)
		share := timeShare + int(float64(timeGrowth)*math.Sqrt(float64(ply)))
		soft = min(planned/10000*time.Duration(share), left/1000*time.Duration(timeMost))
	}
	// A move may use half the clock, but with few moves to the next time
	// control only slightly more than its share.
	hard = max(min(soft*time.Duration(timeHard), left/2), 1)
	return min(max(soft, 1), hard), hard
}

// trend is the history of scores and best moves from which the time of a search
// is adapted.
type trend struct {
	before chess.Score // score of the last search of this game
	known  bool        // before is set
	best   chess.Move  // of the last iteration
	stable int         // iterations in a row with that move
	last   chess.Score // score of the last iteration
	score  chess.Score // a moving average of the scores before it

	changes int // of the best move in this search, summed over threads, up to the last iteration
	recent  int // changes, in permille; halved with every iteration
}

// next returns the trend of the next search of the same game.
func (t *trend) next() trend { return trend{before: t.last, known: t.best != chess.NoMove} }

// iteration is what a completed iteration tells time management.
type iteration struct {
	best    chess.Move
	score   chess.Score // of that move
	share   int         // of that move in the nodes, in permille
	changes int         // of the best move in this search so far, permille a thread
}

// patience records a completed iteration and returns the factor, in permille, for
// the soft limit: lower if the same move has been best for many iterations and took
// most of the nodes, higher if the score falls or the best move changed often.
func (t *trend) patience(it iteration) int {
	if t.best == chess.NoMove {
		t.score = it.score
		if !t.known {
			t.before = it.score
		}
	}
	if it.best == t.best {
		t.stable++
	} else {
		t.best, t.stable = it.best, 0
	}
	t.recent = t.recent/2 + it.changes - t.changes
	t.changes = it.changes
	fall := fallPermille(t.score-it.score, t.before-it.score)
	t.score, t.last = (3*t.score+it.score)/4, it.score
	return stabilityPermille(t.stable) * fall / 1000 * effortPermille(it.share) / 1000 * changePermille(t.recent) / 1000
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

// changePermille returns the factor, in permille, by the recent changes of the best
// move, in permille.
func changePermille(recent int) int { return changeBase + changeSlope*recent/1000 }

// gamePly returns the number of plies that the game has lasted according to the
// move number.
func gamePly(p *position.Position) int {
	return 2*max(p.Fullmoves()-1, 0) + int(p.SideToMove())
}

// elapsed returns the time since the clock started.
func (t *timer) elapsed() time.Duration { return time.Since(t.start) }
