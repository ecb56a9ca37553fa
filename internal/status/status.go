// Package status tells how a long run goes: on a terminal in one line that
// changes, elsewhere in a line now and then.
package status

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"
)

// Line is where a run reports. It is for one goroutine at a time. Nobody minds
// if a report cannot be written.
type Line struct {
	out   io.Writer
	live  bool // on a terminal
	shown time.Time
	width int // runes of the line on the terminal, with what it has to cover
}

// New returns a line that reports to out.
func New(out io.Writer) *Line { return &Line{out: out, live: isTerminal(out), shown: time.Now()} }

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	f, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// Interval returns the time between two reports.
func (l *Line) Interval() time.Duration {
	if l.live {
		return 500 * time.Millisecond
	}
	return 5 * time.Second
}

// Update shows what text returns unless it is too early since the last time.
func (l *Line) Update(text func() string) {
	if time.Since(l.shown) >= l.Interval() {
		l.Show(text())
	}
}

// Show shows text in place of what the line showed before.
func (l *Line) Show(text string) {
	l.shown = time.Now()
	if !l.live {
		fmt.Fprintln(l.out, text)
		return
	}
	l.width = max(l.width, utf8.RuneCountInString(text))
	fmt.Fprintf(l.out, "\r%-*s", l.width, text)
}

// Print shows text that stays, in place of what the line showed before.
func (l *Line) Print(text string) {
	if l.width > 0 {
		text = fmt.Sprintf("\r%-*s", l.width, text)
		l.width = 0
	}
	fmt.Fprintln(l.out, text)
}

// End leaves what the line shows where it is. What others write comes below.
func (l *Line) End() {
	if l.width > 0 {
		fmt.Fprintln(l.out)
		l.width = 0
	}
}

// Left estimates how long the rest of a run takes, of which as much was done in
// the time elapsed. It is 0 if nothing was done.
func Left(elapsed time.Duration, done, rest int64) time.Duration {
	if done <= 0 {
		return 0
	}
	left := time.Duration(float64(elapsed) * float64(max(rest, 0)) / float64(done))
	return left.Round(time.Second)
}
