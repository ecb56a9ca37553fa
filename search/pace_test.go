package search

import (
	"testing"
	"time"

	"skein/position"
)

// TestPaceTime expects a hard choice to take longer than an easy one, a forced
// move to take least, and none longer than the limits.
func TestPaceTime(t *testing.T) {
	e := newEngine(t, 1, 1)
	think := func(fen string, seed uint64) time.Duration {
		lim := Limits{Clock: true, Strength: Strength{Elo: 1500, Seed: seed}}
		lim.Time = [2]time.Duration{5 * time.Minute, 5 * time.Minute}
		e.Search(newGame(t, fen), lim, nil)
		d := e.run.paceTime(e.run.workers[0])
		if d <= 0 || d > e.run.timer.hard || d > 2*e.run.timer.soft {
			t.Errorf("%s, seed %d: %v, the limits are %v and %v", fen, seed, d, e.run.timer.soft, e.run.timer.hard)
		}
		return d
	}
	const recapture = "r3k2r/ppp2ppp/2n5/8/3Q4/8/PPP2PPP/R3K2R b KQkq - 0 1"
	var sums [3]time.Duration
	for seed := range uint64(20) {
		for i, fen := range []string{"7k/6q1/8/8/8/8/8/r6K w - - 0 1", recapture, position.StartFEN} {
			sums[i] += think(fen, seed)
		}
	}
	if sums[0]*2 > sums[1] || sums[1]*5 > sums[2]*4 {
		t.Errorf("a forced move takes %v, taking a queen %v, the first move %v", sums[0]/20, sums[1]/20, sums[2]/20)
	}
}

// TestPaceStops expects a search that waits to return when it is stopped.
func TestPaceStops(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{MoveTime: time.Hour, Control: NewControl(false), Strength: Strength{Elo: 1500, Pace: true}}
	done := make(chan Result)
	go func() { done <- e.Search(newGame(t, kiwipete), lim, nil) }()
	select {
	case r := <-done:
		t.Fatalf("returned %s after %v", r.Best, r.Elapsed)
	case <-time.After(50 * time.Millisecond):
	}
	lim.Control.Stop()
	<-done
}

// TestPaceWithinLimit expects the hardest choice to take no longer than a move may.
func TestPaceWithinLimit(t *testing.T) {
	w := ready(t, position.StartFEN, Limits{MoveTime: time.Hour, Strength: Strength{Elo: 1500}})
	r := w.watcher.(*run)
	if d := r.paceTime(w); d > r.timer.hard*9/10 {
		t.Errorf("%v of %v", d, r.timer.hard)
	}
}

// TestPaceCountsElapsed expects no wait where the time is up.
func TestPaceCountsElapsed(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{MoveTime: time.Hour, Start: time.Now().Add(-time.Hour), Control: NewControl(false)}
	lim.Strength = Strength{Elo: 1500, Pace: true}
	done := make(chan Result, 1)
	go func() { done <- e.Search(newGame(t, kiwipete), lim, nil) }()
	select {
	case <-done:
	case <-time.After(time.Minute): // only if it fails
		lim.Control.Stop()
		<-done
		t.Error("it waits")
	}
}
