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

// progress reports how a run goes.
type progress struct {
	line  *status.Line
	start time.Time
	done  chan struct{}
	ended sync.WaitGroup

	mu                       sync.Mutex
	games, positions         int64 // in the file and waiting to get there
	goalGames, goalPositions int64 // 0 is none
	firstGames               int64 // in the file at the start
	tally                    selfplay.Tally
}

// newProgress starts to report to out.
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

// count counts a number of games.
func (p *progress) count(games int64, t selfplay.Tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.games += games
	p.positions += t.Positions
	p.tally.Add(t)
}

// reached reports whether the goal is reached.
func (p *progress) reached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.goalGames > 0 && p.games >= p.goalGames || p.goalPositions > 0 && p.positions >= p.goalPositions
}

// stop ends the reports with a last one.
func (p *progress) stop() {
	close(p.done)
	p.ended.Wait()
	if p.tally.Positions > 0 {
		p.show()
		p.line.End()
	}
}

// show shows the report of the moment.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line.Show(p.text(time.Since(p.start)))
}

// text returns the report after the time elapsed.
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
		fmt.Fprintf(&s, ", %d starts refused", p.tally.Rejected)
	}
	if left := p.left(elapsed); left > 0 {
		fmt.Fprintf(&s, ", %v to go", left)
	}
	return s.String()
}

// left estimates the time to the nearer goal; it is 0 if that is not known.
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
