package console

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// logInterval is the time between two lines of progress that are not on a terminal.
const logInterval = 10 * time.Second

// progress shows how far a review of games has come: on a terminal in one line that
// is updated in place, elsewhere in a new line from time to time. Its methods are safe
// for concurrent use.
type progress struct {
	games    int // in all; 0 is unknown
	searches int // in all; 0 is unknown

	mu       sync.Mutex
	out      io.Writer
	command  string // begins lines that are not on a terminal
	screen   screen
	line     live
	start    time.Time
	shown    time.Time
	finished int // games
	done     int // searches
	skipped  int // searches of an earlier run
}

// newProgress returns the progress of a review of the games in files.
func newProgress(c *call, files []string) (*progress, error) {
	p := &progress{out: c.Err, command: c.flags.Name(), screen: screenOf(c.Err), line: live{w: c.Err},
		start: time.Now(), shown: time.Now()}
	var err error
	p.games, p.searches, err = c.countGames(files)
	return p, err
}

// skip notes that so many searches were done by an earlier run.
func (p *progress) skip(searches int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.skipped += searches
	p.finished++
	p.start = time.Now()
}

// game notes that so many games are finished.
func (p *progress) game(finished int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.finished = finished
}

// step notes that a search is done, and shows the progress if it is time.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	interval := logInterval
	if p.screen.terminal {
		interval = redrawInterval
	}
	if time.Since(p.shown) < interval {
		return
	}
	p.shown = time.Now()
	text := p.text(time.Since(p.start))
	if p.screen.terminal {
		p.screen.measure(p.out)
		p.line.draw(fit(text, p.screen.width-1) + "\r")
		return
	}
	fmt.Fprintf(p.out, "%s: %s\n", p.command, text)
}

// text describes the progress after the time elapsed.
func (p *progress) text(elapsed time.Duration) string {
	if p.searches == 0 {
		return fmt.Sprintf("%d games done, %d positions", p.finished, p.skipped+p.done)
	}
	rest := max(p.searches-p.skipped-p.done, 0)
	left := time.Duration(float64(elapsed) / float64(max(p.done, 1)) * float64(rest)).Round(time.Second)
	return fmt.Sprintf("%d of %d games done, %d %%, %v left", p.finished, p.games,
		100*(p.searches-rest)/p.searches, left)
}
