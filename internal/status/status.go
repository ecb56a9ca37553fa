// Package status reports the progress of a long run: on a terminal in one line
// that is updated, elsewhere in a new line from time to time.
package status

import (
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf8"
)

// Line reports the progress of a run. It is for one goroutine at a time. Write
// errors are ignored.
type Line struct {
	out   io.Writer
	live  bool // on a terminal
	shown time.Time
	width int // runes of the line on the terminal, to be overwritten
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

// Update shows what text returns, unless the last update was less than Interval
// ago.
func (l *Line) Update(text func() string) {
	if time.Since(l.shown) >= l.Interval() {
		l.Show(text())
	}
}

// Show replaces the line by text.
func (l *Line) Show(text string) {
	l.shown = time.Now()
	if !l.live {
		fmt.Fprintln(l.out, text)
		return
	}
	l.width = max(l.width, utf8.RuneCountInString(text))
	fmt.Fprintf(l.out, "\r%-*s", l.width, text)
}

// Print replaces the line by text that is kept.
func (l *Line) Print(text string) {
	if l.width > 0 {
		text = fmt.Sprintf("\r%-*s", l.width, text)
		l.width = 0
	}
	fmt.Fprintln(l.out, text)
}

// End keeps the line as it is; further output begins below it.
func (l *Line) End() {
	if l.width > 0 {
		fmt.Fprintln(l.out)
		l.width = 0
	}
}

// Left estimates the remaining time of a run from the part done in the time
// elapsed. It is 0 if nothing was done.
func Left(elapsed time.Duration, done, rest int64) time.Duration {
	if done <= 0 {
		return 0
	}
	left := time.Duration(float64(elapsed) * float64(max(rest, 0)) / float64(done))
	return left.Round(time.Second)
}
