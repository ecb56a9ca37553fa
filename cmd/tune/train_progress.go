package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"skein/internal/train"
)

// trainProgress tells how a run goes: on a terminal in a line that changes,
// elsewhere in a line now and then.
type trainProgress struct {
	out   io.Writer
	live  bool
	start time.Time
	first int64     // positions learnt before, -1 until known
	shown time.Time // the last line
	width int       // of the line on the terminal
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

// update shows where the run stands unless it has done so just now.
func (p *trainProgress) update(now train.Progress) {
	if p.first < 0 {
		p.first, p.start = now.Positions, time.Now()
		return
	}
	interval := 5 * time.Second
	if p.live {
		interval = 500 * time.Millisecond
	}
	if time.Since(p.shown) < interval || time.Since(p.start) < interval {
		return
	}
	p.shown = time.Now()
	rate := float64(now.Positions-p.first) / time.Since(p.start).Seconds()
	left := time.Duration(float64(now.Total-now.Positions) / rate * float64(time.Second))
	text := fmt.Sprintf("superbatch %d, %.0f %%: loss %.6f, %s positions/s, %v to go",
		now.Superbatch, 100*now.Share, now.Loss.Blended, thousands(int64(rate)), left.Round(time.Second))
	if !p.live {
		fmt.Fprintln(p.out, text)
		return
	}
	p.width = max(p.width, len(text))
	fmt.Fprintf(p.out, "\r%-*s", p.width, text)
}

// line shows text that stays.
func (p *trainProgress) line(text string) {
	if p.live && p.width > 0 {
		fmt.Fprintf(p.out, "\r%-*s\n", p.width, text)
		p.width = 0
		return
	}
	fmt.Fprintln(p.out, text)
}

func describeReport(r *train.Report) string {
	text := fmt.Sprintf("superbatch %d: %s positions, loss %.6f", r.Superbatch, thousands(r.Positions), r.Training.Blended)
	if r.Validation != (train.Loss{}) {
		text += fmt.Sprintf(", validation %.6f, against scores alone %.6f", r.Validation.Blended, r.Validation.Score)
	}
	return text + fmt.Sprintf("; rate %.2g, result share %.2g", r.Rate, r.ResultShare)
}

func describeRounding(r *train.Rounding) string {
	if r.Positions == 0 {
		return "no validation data"
	}
	return fmt.Sprintf("rounded to integers: values differ by %.2f cp on average and %.1f at most in %s positions, validation loss %.6f, before %.6f",
		r.Mean, r.Max, thousands(r.Positions), r.After.Blended, r.Before.Blended)
}

// thousands writes n with its digits in groups of three.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	var groups []string
	for len(text) > 3 {
		groups = append([]string{text[len(text)-3:]}, groups...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, groups...), " ")
}
