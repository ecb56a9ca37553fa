package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"skein/internal/selfplay"
)

const (
	liveInterval = 500 * time.Millisecond // of the line on a terminal
	lineInterval = 5 * time.Second        // of lines elsewhere
)

// progress reports how a run goes: on a terminal as one line that changes,
// elsewhere as a line now and then.
type progress struct {
	out   io.Writer
	live  bool
	start time.Time
	done  chan struct{}
	ended sync.WaitGroup

	mu                       sync.Mutex
	games, positions         int64 // in the file and waiting to get there
	goalGames, goalPositions int64 // 0 is none
	firstGames               int64 // in the file at the start
	tally                    selfplay.Tally
	width                    int // of the longest live line
}

// newProgress starts to report to out.
func newProgress(out io.Writer, games, positions, goalGames, goalPositions int64) *progress {
	p := &progress{
		out: out, live: isTerminal(out), start: time.Now(), done: make(chan struct{}),
		games: games, positions: positions, firstGames: games,
		goalGames: goalGames, goalPositions: goalPositions,
	}
	interval := lineInterval
	if p.live {
		interval = liveInterval
	}
	p.ended.Go(func() {
		ticker := time.NewTicker(interval)
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

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
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
		if p.live {
			fmt.Fprintln(p.out)
		}
	}
}

// show writes the report of the moment. Nobody minds if that fails.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line(time.Since(p.start))
	if !p.live {
		fmt.Fprintln(p.out, line)
		return
	}
	p.width = max(p.width, len(line))
	fmt.Fprintf(p.out, "\r%-*s", p.width, line)
}

// line returns the report after the time elapsed.
func (p *progress) line(elapsed time.Duration) string {
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
	if left, ok := p.left(elapsed); ok && left > 0 {
		fmt.Fprintf(&s, ", %v to go", left.Round(time.Second))
	}
	return s.String()
}

// left estimates the time to the nearer goal.
func (p *progress) left(elapsed time.Duration) (time.Duration, bool) {
	least, found := time.Duration(0), false
	estimate := func(goal, now, made int64) {
		if goal == 0 || made == 0 {
			return
		}
		left := time.Duration(float64(elapsed) * float64(max(goal-now, 0)) / float64(made))
		if !found || left < least {
			least, found = left, true
		}
	}
	estimate(p.goalGames, p.games, p.games-p.firstGames)
	estimate(p.goalPositions, p.positions, p.tally.Positions)
	return least, found
}
