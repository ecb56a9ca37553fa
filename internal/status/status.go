// Package status reports the progress of a long run: on a terminal as a bar in one
// line that is updated in place, elsewhere in a new line from time to time.
package status

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cheggaaa/pb/v3"

	"skein/internal/terminal"
)

// Report says how far a run has come.
type Report struct {
	Facts       []string      // about what was done, the most important first
	Done, Total int64         // parts of the run, in any unit; a Total of 0 is unknown
	Left        time.Duration // estimated time to the end; 0 is unknown
}

// String returns the report as a line of a log.
func (r *Report) String() string {
	text := strings.Join(r.Facts, ", ")
	if r.Total > 0 {
		text += fmt.Sprintf(", %.0f %%", 100*float64(min(r.Done, r.Total))/float64(r.Total))
	}
	if r.Left > 0 {
		text += fmt.Sprintf(", %v left", r.Left)
	}
	return text
}

// Line reports the progress of a run. It is for one goroutine at a time. Write
// errors are ignored.
type Line struct {
	out     io.Writer
	columns func() int // width of the terminal
	bar     *pb.ProgressBar
	live    bool // on a terminal
	shown   time.Time
	width   int // columns of the line on the terminal, 0 if there is none
}

// New returns a line that reports to out.
func New(out io.Writer) *Line {
	_, _, live := terminal.Size(out)
	return newLine(out, live, func() int { return terminal.Columns(out) })
}

// newLine returns a line on a terminal, or in a log if it is not live.
func newLine(out io.Writer, live bool, columns func() int) *Line {
	bar := pb.New(0).Set(pb.Static, true).Set(pb.Terminal, true).Set(pb.Color, false).SetWriter(out)
	return &Line{out: out, columns: columns, bar: bar, live: live, shown: time.Now()}
}

// Interval returns the time between two reports.
func (l *Line) Interval() time.Duration {
	if l.live {
		return 500 * time.Millisecond
	}
	return 5 * time.Second
}

// Update shows the report that current returns, unless the last update was less than
// Interval ago.
func (l *Line) Update(current func() Report) {
	if time.Since(l.shown) >= l.Interval() {
		l.Show(current())
	}
}

// Templates of the line on a terminal.
const (
	withTotal    = `{{string . "facts"}} {{bar . "[" "=" ">" " " "]"}} {{percent . "%3.0f %%"}}{{string . "left"}}`
	withoutTotal = `{{string . "facts"}}{{string . "left"}}`
	minBar       = len(" [==========] 100 %") // with the percentage
)

// Show replaces the line by the report.
func (l *Line) Show(r Report) {
	l.shown = time.Now()
	if !l.live {
		fmt.Fprintln(l.out, r.String())
		return
	}
	l.clear()
	l.width = l.columns() - 1 // in the last column some terminals begin a new line
	left, room, layout := "", l.width, withoutTotal
	if r.Left > 0 {
		left = fmt.Sprintf(" %v left", r.Left)
	}
	room -= len(left)
	if r.Total > 0 {
		room -= minBar
		layout = withTotal
	}
	l.bar.SetTemplateString(layout).SetTotal(r.Total).SetCurrent(min(r.Done, r.Total)).SetWidth(l.width)
	l.bar.Set("facts", fit(r.Facts, room)).Set("left", left).Write()
}

// fit returns as many facts as have room in that many columns, cut off if not even
// the first one has.
func fit(facts []string, columns int) string {
	for n := len(facts); n > 0; n-- {
		text := strings.Join(facts[:n], ", ")
		if utf8.RuneCountInString(text) <= columns {
			return text
		}
		if n == 1 {
			return string([]rune(text)[:max(columns, 0)])
		}
	}
	return ""
}

// clear removes the line from the terminal.
func (l *Line) clear() {
	if l.width > 0 {
		fmt.Fprint(l.out, "\r"+strings.Repeat(" ", l.width)+"\r")
		l.width = 0
	}
}

// Print replaces the line by text that is kept, on a terminal wrapped between words.
func (l *Line) Print(text string) {
	if l.live {
		l.clear()
		text = terminal.Wrap(text, l.columns(), 2)
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
