package main

import (
	"fmt"
	"time"

	"skein/internal/status"
	"skein/internal/train"
)

// trainProgress reports the progress of a run.
type trainProgress struct {
	*status.Line
	start time.Time
	first int64 // positions processed by earlier runs, -1 until known
}

// update reports the progress, at most once per interval of the line.
func (p *trainProgress) update(now train.Progress) {
	if p.first < 0 {
		p.first, p.start = now.Positions, time.Now()
		return
	}
	p.Update(func() status.Report {
		elapsed, done := time.Since(p.start), now.Positions-p.first
		rate := int64(float64(done) / elapsed.Seconds())
		return status.Report{
			Facts: []string{
				fmt.Sprintf("superbatch %d", now.Superbatch), fmt.Sprintf("loss %.6f", now.Loss.Blended),
				thousands(rate) + " positions/s",
			},
			Done: now.Positions, Total: now.Total, Left: status.Left(elapsed, done, now.Total-now.Positions),
		}
	})
}

// describeReport returns a line about a superbatch.
func describeReport(r *train.Report) string {
	text := fmt.Sprintf("superbatch %d: %s positions, loss %.6f",
		r.Superbatch, thousands(r.Positions), r.Training.Blended)
	if r.Validation != (train.Loss{}) {
		text += fmt.Sprintf(", validation %.6f, against scores alone %.6f", r.Validation.Blended, r.Validation.Score)
	}
	return text + fmt.Sprintf("; rate %.2g, result share %.2g", r.Rate, r.ResultShare)
}

// describeRounding returns a line about the effect of quantization.
func describeRounding(r *train.Rounding) string {
	if r.Positions == 0 {
		return "no validation data"
	}
	return fmt.Sprintf("rounded to integers: values differ by %.2f units on average and %.1f at most in %s positions, "+
		"validation loss %.6f, before %.6f",
		r.Mean, r.Max, thousands(r.Positions), r.After.Blended, r.Before.Blended)
}

// thousands formats n with its digits in groups of three.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + " " + text[i:]
	}
	return text
}
