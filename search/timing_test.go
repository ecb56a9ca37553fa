package search

import (
	"testing"
	"time"

	"skein/chess"
	"skein/position"
)

// sameLimits reports whether two timers have the same limits.
func sameLimits(a, b timer) bool { return a.soft == b.soft && a.hard == b.hard }

// TestOwnClock expects the clock of the opponent to make no difference.
func TestOwnClock(t *testing.T) {
	both := Limits{Clock: true}
	both.Time, both.Inc = [2]time.Duration{time.Minute, 3 * time.Minute}, [2]time.Duration{time.Second, 9 * time.Second}
	for us := range chess.Color(2) {
		own := Limits{Clock: true}
		own.Time[us], own.Inc[us] = both.Time[us], both.Inc[us]
		if got, want := newTimer(&both, us, 20, 0, 0), newTimer(&own, us, 20, 0, 0); !sameLimits(got, want) {
			t.Errorf("%s: %v, %v instead of %v, %v", us, got.soft, got.hard, want.soft, want.hard)
		}
	}
}

// TestNodesAsTime expects the load of the system to make no difference to a clock of nodes.
func TestNodesAsTime(t *testing.T) {
	lim := Limits{Clock: true, NodeTime: time.Microsecond, Time: [2]time.Duration{time.Minute, time.Minute}}
	busy, idle := newTimer(&lim, chess.White, 20, 5*time.Second, time.Second), newTimer(&lim, chess.White, 20, 0, 0)
	if !sameLimits(busy, idle) {
		t.Errorf("%v, %v instead of %v, %v", busy.soft, busy.hard, idle.soft, idle.hard)
	}
}

// TestMovesToGo expects the number of the move to make no difference before a time control.
func TestMovesToGo(t *testing.T) {
	lim := Limits{Clock: true, MovesToGo: 10, Time: [2]time.Duration{time.Minute, time.Minute}}
	first, later := newTimer(&lim, chess.White, 1, 0, 0), newTimer(&lim, chess.White, 40, 0, 0)
	if !sameLimits(first, later) {
		t.Errorf("%v at move 1, %v at move 40", first.soft, later.soft)
	}
}

// TestStallIsKept keeps time for a stall as long as one that was seen.
func TestStallIsKept(t *testing.T) {
	lim := Limits{Clock: true, MovesToGo: 1}
	lim.Time[chess.White], lim.Inc[chess.White] = time.Minute, time.Minute
	if got := newTimer(&lim, chess.White, 1, 40*time.Second, 0); got.hard > 20*time.Second {
		t.Errorf("%v of a minute, with stalls of 40 s", got.hard)
	}
}

// TestShortMoveTime keeps at most half of the time of a move.
func TestShortMoveTime(t *testing.T) {
	lim := Limits{MoveTime: 10 * time.Millisecond, MoveOverhead: 10 * time.Millisecond}
	if got := newTimer(&lim, chess.White, 1, 0, 0); got.hard != 5*time.Millisecond {
		t.Error(got.hard)
	}
}

// TestOwnTimeIsNotLost expects the time that a search took not to count as lost on the way
// to the GUI.
func TestOwnTimeIsNotLost(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{Clock: true, MoveTime: 300 * time.Millisecond}
	lim.Time[chess.White] = 10 * time.Second
	r := e.Search(newGame(t, "4k3/r6p/8/8/8/8/R6P/4K3 w - - 0 1"), lim, nil)
	lim.Time[chess.White] -= r.Elapsed
	e.run.begin(newGame(t, "4k3/r6p/8/8/8/8/R6P/4K3 w - - 0 2"), lim, nil, &e.tablebase)
	if lag := e.run.account.lag; lag > r.Elapsed/16 { // a quarter of what was lost
		t.Errorf("a lag of %v after a search of %v", lag, r.Elapsed)
	}
}

// TestPonderHitBeforeSearch expects the clock not to be followed where the ponder hit comes
// before the search begins: some GUIs send the clock of the move before with it.
func TestPonderHitBeforeSearch(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{Clock: true, Control: NewControl(true)}
	lim.Time[chess.White] = 10 * time.Second
	lim.Control.PonderHit()
	e.run.begin(newGame(t, "4k3/r6p/8/8/8/8/R6P/4K3 w - - 0 1"), lim, nil, &e.tablebase)
	if e.run.account.timed {
		t.Error("the search counts")
	}
}

// TestForcedMoveTime plays the only move after a part of the time.
func TestForcedMoveTime(t *testing.T) {
	for fen, forced := range map[string]bool{
		"7k/8/8/8/8/8/1r6/K6r w - - 0 1":     true,
		"4k3/r6p/8/8/8/8/R6P/4K3 w - - 0 80": false,
	} {
		lim := Limits{Clock: true, NodeTime: time.Microsecond}
		lim.Time[chess.White] = time.Second
		b := newEngine(t, 1, 1).Search(newGame(t, fen), lim, nil).Budget
		if got := b.Adapted == b.Soft/forcedDivisor; got != forced {
			t.Errorf("%s: soft limit %v, adapted %v", fen, b.Soft, b.Adapted)
		}
	}
}

// TestMoveTimeWithinClock expects the clock to limit a search whatever time its move may take.
func TestMoveTimeWithinClock(t *testing.T) {
	lim := Limits{Clock: true}
	lim.Time[chess.White] = time.Second
	want := newTimer(&lim, chess.White, 20, 0, 0)
	lim.MoveTime = time.Hour
	if got := newTimer(&lim, chess.White, 20, 0, 0); !sameLimits(got, want) {
		t.Errorf("%v, %v instead of %v, %v", got.soft, got.hard, want.soft, want.hard)
	}
}

// TestOverheadOfClock keeps the time that a move loses outside the engine.
func TestOverheadOfClock(t *testing.T) {
	lim := Limits{Clock: true, MovesToGo: 1, MoveOverhead: 4 * time.Second}
	lim.Time[chess.White] = 10 * time.Second
	if got := newTimer(&lim, chess.White, 20, 0, 0); got.hard > 6*time.Second {
		t.Errorf("%v of 10 s, of which 4 s are lost", got.hard)
	}
}

// TestGainedTime expects time that moves gained not to be counted on.
func TestGainedTime(t *testing.T) {
	lim := Limits{Clock: true}
	lim.Time[chess.White], lim.Inc[chess.White] = 10*time.Second, 100*time.Millisecond
	soft := func(lag time.Duration) time.Duration {
		e := newEngine(t, 1, 1)
		e.run.account = account{lag: lag}
		e.run.begin(newGame(t, position.StartFEN), lim, nil, &e.tablebase)
		return e.run.timer.soft
	}
	if got, want := soft(-time.Second), soft(0); got != want {
		t.Errorf("%v instead of %v", got, want)
	}
}

// TestAdaptedLimit expects the soft limit as adapted to end a search: sooner where the best
// move took most of the nodes.
func TestAdaptedLimit(t *testing.T) {
	for percent, want := range map[uint64]End{30: 0, 95: SoftTime} {
		lim := Limits{Clock: true, NodeTime: time.Millisecond}
		lim.Time[chess.White] = time.Minute
		w := ready(t, position.StartFEN, lim)
		r := w.watcher.(*run)
		w.nodes = uint64(r.timer.soft / time.Millisecond)
		w.rootMoves[0].nodes = w.nodes * percent / 100
		w.publish()
		if got := r.reason(w); got != want {
			t.Errorf("%d %% of the nodes: %v, want %v", percent, got, want)
		}
	}
}

// TestClockIsUsed plays games whose moves take the usual time: little is left in the end,
// and a move may take longer.
func TestClockIsUsed(t *testing.T) {
	for _, tt := range []struct {
		inc     time.Duration
		moves   int
		control bool // a time control follows
	}{{0, 60, false}, {time.Second, 60, false}, {0, 40, true}} {
		lim := Limits{Clock: true}
		lim.Time[chess.White], lim.Inc[chess.White] = time.Minute, tt.inc
		for number := 1; number <= tt.moves; number++ {
			if tt.control {
				lim.MovesToGo = tt.moves + 1 - number
			}
			tm := newTimer(&lim, chess.White, number, 0, 0)
			if number == 1 && tm.hard < 3*tm.soft {
				t.Errorf("%+v: usually %v, at most %v", tt, tm.soft, tm.hard)
			}
			lim.Time[chess.White] += tt.inc - tm.soft
		}
		if left := lim.Time[chess.White]; left <= 0 || left > 5*time.Second {
			t.Errorf("%+v: %v left", tt, left)
		}
	}
}

// TestScoreOfLastMove expects a search to know the score of the one before in the same game.
func TestScoreOfLastMove(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	r := e.Search(g, Limits{Depth: 4}, nil)
	e.run.begin(g, Limits{}, nil, &e.tablebase)
	if next := e.run.trend; !next.known || next.before != r.Score {
		t.Errorf("%+v after a score of %d", next, r.Score)
	}
	e.NewGame()
	e.run.begin(g, Limits{}, nil, &e.tablebase)
	if e.run.trend.known {
		t.Error("a new game knows the score of the last")
	}
}

// TestMoveNumber expects an opening to take less time than what follows.
func TestMoveNumber(t *testing.T) {
	soft := func(number string) time.Duration {
		lim := Limits{Clock: true}
		lim.Time[chess.White] = time.Minute
		return ready(t, "4k3/r6p/8/8/8/8/R6P/4K3 w - - 0 "+number, lim).watcher.(*run).timer.soft
	}
	if first, later := soft("1"), soft("40"); first >= later {
		t.Errorf("%v at move 1, %v at move 40", first, later)
	}
}

// TestStallsAreSaved expects a clock to last for more stalls like one that was seen.
func TestStallsAreSaved(t *testing.T) {
	lim := Limits{Clock: true}
	lim.Time[chess.White] = 100 * time.Millisecond
	got := newTimer(&lim, chess.White, 20, 50*time.Millisecond, 0)
	if got.hard > time.Millisecond || got.soft > time.Millisecond/2 {
		t.Errorf("%v, at most %v of 100 ms with stalls of 50 ms", got.soft, got.hard)
	}
}

// TestMovesLeft expects more time for a move the fewer are left to the time control.
func TestMovesLeft(t *testing.T) {
	soft := func(moves int) time.Duration {
		lim := Limits{Clock: true, MovesToGo: moves}
		lim.Time[chess.White] = time.Minute
		return newTimer(&lim, chess.White, 20, 0, 0).soft
	}
	if one, two, ten := soft(1), soft(2), soft(10); one <= two || two <= ten {
		t.Errorf("%v, %v and %v with 1, 2 and 10 moves to go", one, two, ten)
	}
}
