package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"skein/internal/selfplay"
	"skein/internal/status"
)

// progress counts games and positions, and reports the counts and the speed at
// intervals.
type progress struct {
	line  *status.Line
	start time.Time
	done  chan struct{}
	ended sync.WaitGroup

	mu                       sync.Mutex
	games, positions         int64 // written or waiting to be written
	goalGames, goalPositions int64 // 0 means none
	firstGames               int64 // in the file at the start of the run
	tally                    selfplay.Tally
}

// newProgress starts reporting to out. games and positions are those already in
// the file.
func newProgress(out io.Writer, games, positions, goalGames, goalPositions int64) *progress {
	p := &progress{
		line: status.New(out), start: time.Now(), done: make(chan struct{}),
		games: games, positions: positions, firstGames: games,
		goalGames: goalGames, goalPositions: goalPositions,
	}
	p.ended.Go(func() {
		ticker := time.NewTicker(p.line.Interval())
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.show()
			case <-p.done:
				return
			}
		}
	})
	return p
}

// add counts a game.
func (p *progress) add(t selfplay.Tally) { p.count(1, t) }

// count counts several games with the given tally.
func (p *progress) count(games int64, t selfplay.Tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.games += games
	p.positions += t.Positions
	p.tally.Add(t)
}

// reached reports whether there are as many games or positions as asked for.
func (p *progress) reached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.goalGames > 0 && p.games >= p.goalGames || p.goalPositions > 0 && p.positions >= p.goalPositions
}

// stop makes the last report.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
	if p.tally.Positions > 0 {
		p.show()
		p.line.End()
	}
}

// show makes a report.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line.Show(p.text(time.Since(p.start)))
}

// text returns the report for the given elapsed time.
func (p *progress) text(elapsed time.Duration) string {
	var s strings.Builder
	rate := float64(p.tally.Positions) / max(elapsed.Seconds(), 1e-9)
	if p.games > 0 {
		fmt.Fprintf(&s, "games %d, ", p.games)
	}
	fmt.Fprintf(&s, "positions %d, %.0f/s", p.positions, rate)
	if n := p.tally.Positions; n > 0 && p.tally.Nodes > 0 {
		fmt.Fprintf(&s, ", %d nodes/position", p.tally.Nodes/uint64(n))
	}
	if p.tally.Rejected > 0 {
		fmt.Fprintf(&s, ", %d starts rejected", p.tally.Rejected)
	}
	if left := p.left(elapsed); left > 0 {
		fmt.Fprintf(&s, ", %v left", left)
	}
	return s.String()
}

// left estimates the time until the nearer goal is reached; 0 means unknown.
func (p *progress) left(elapsed time.Duration) (least time.Duration) {
	estimate := func(goal, now, made int64) {
		if goal == 0 || made == 0 {
			return
		}
		if left := status.Left(elapsed, made, goal-now); least == 0 || left < least {
			least = left
		}
	}
	estimate(p.goalGames, p.games, p.games-p.firstGames)
	estimate(p.goalPositions, p.positions, p.tally.Positions)
	return least
}
