package main

import (
	"fmt"
	"io"
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

// add counts games with the given tally.
func (p *progress) add(games int64, t selfplay.Tally) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.games += games
	p.positions += t.Positions
	p.tally.Add(t)
}

// count counts games and positions that took so many nodes.
func (p *progress) count(games, positions int64, nodes uint64) {
	p.add(games, selfplay.Tally{Positions: positions, Nodes: nodes})
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
	p.line.Show(p.report(time.Since(p.start)))
}

// report returns the report for the given elapsed time.
func (p *progress) report(elapsed time.Duration) status.Report {
	var r status.Report
	fact := func(format string, values ...any) { r.Facts = append(r.Facts, fmt.Sprintf(format, values...)) }
	if p.games > 0 {
		fact("games %d", p.games)
	}
	fact("positions %d", p.positions)
	fact("%.0f positions/s", float64(p.tally.Positions)/max(elapsed.Seconds(), 1e-9))
	if n := p.tally.Positions; n > 0 && p.tally.Nodes > 0 {
		fact("%d nodes/position", p.tally.Nodes/uint64(n))
	}
	switch n := p.tally.Rejected; n {
	case 0:
	case 1:
		fact("1 start rejected")
	default:
		fact("%d starts rejected", n)
	}
	aim(&r, p.games, p.firstGames, p.goalGames, elapsed)
	aim(&r, p.positions, p.positions-p.tally.Positions, p.goalPositions, elapsed)
	return r
}

// aim makes the goal that of the report if it is nearer than the one there. The
// number was first at the start of the run and is now; a goal of 0 is none.
func aim(r *status.Report, now, first, goal int64, elapsed time.Duration) {
	if goal > 0 && (r.Total == 0 || float64(now)/float64(goal) > float64(r.Done)/float64(r.Total)) {
		r.Done, r.Total, r.Left = now, goal, status.Left(elapsed, now-first, goal-now)
	}
}
