package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"skein/internal/selfplay"
	"skein/internal/status"
)

// referee adds up a match and shows its progress.
type referee struct {
	selfplay.Standing
	pairs int // of the whole match
	sprt  bounds
	start time.Time
	line  *status.Line
}

// errDecided ends a match whose test has a result.
var errDecided = errors.New("the test is decided")

// newReferee returns the referee of a match that starts now.
func newReferee(pairs int, sprt bounds, stderr io.Writer) *referee {
	return &referee{pairs: pairs, sprt: sprt, start: time.Now(), line: status.New(stderr)}
}

// count adds a pair. It returns errDecided if the test has a result.
func (r *referee) count(s *selfplay.Standing) error {
	r.Join(s)
	r.line.Update(r.report)
	if _, ok := r.rejected(); ok {
		return errDecided
	}
	return nil
}

// report tells the progress of the match.
func (r *referee) report() status.Report {
	elo, margin := r.Elo()
	facts := []string{
		fmt.Sprintf("games %d", r.Games()), fmt.Sprintf("+%d =%d -%d", r.Wins, r.Draws, r.Losses),
		fmt.Sprintf("Elo %+.1f ± %.1f", elo, margin),
	}
	if r.sprt.given {
		facts = append(facts, fmt.Sprintf("LLR %.2f", r.llr()))
	}
	facts = append(facts, fmt.Sprintf("LOS %.1f %%", 100*r.LOS()), fmt.Sprintf("%.2f games/s", r.speed()))
	done, total := r.Games()/2, int64(r.pairs)
	return status.Report{
		Facts: facts, Done: done, Total: total, Left: status.Left(time.Since(r.start), done, total-done),
	}
}

// close ends the line of progress. It returns the error with which the match ended,
// nil if its test has a result, that of ctx if it was interrupted.
func (r *referee) close(ctx context.Context, err error) error {
	r.line.End()
	switch {
	case errors.Is(err, errDecided) || err == nil && r.Games() == 2*int64(r.pairs):
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// speed returns the number of games per second.
func (r *referee) speed() float64 { return float64(r.Games()) / time.Since(r.start).Seconds() }

// llr returns the logarithm of the likelihood ratio of the test.
func (r *referee) llr() float64 { return r.LLR(r.sprt.low, r.sprt.high) }

// rejected returns the difference in Elo that the test rejects; ok is false while it is
// undecided, or if there is no test.
func (r *referee) rejected() (elo float64, ok bool) {
	llr := r.llr()
	switch {
	case !r.sprt.given || r.Games() < 2*leastPairs || math.Abs(llr) < decisive:
		return 0, false
	case llr > 0:
		return r.sprt.low, true
	}
	return r.sprt.high, true
}

// print prints the result of the match.
func (r *referee) print(out io.Writer) {
	elo, margin := r.Elo()
	mean, _ := r.Score()
	fmt.Fprintf(out, "%-12s %d, wins %d, draws %d, losses %d, score %.2f %%\n",
		"games", r.Games(), r.Wins, r.Draws, r.Losses, 100*mean)
	fmt.Fprintf(out, "%-12s %v (of 0, 1/2, 1, 1 1/2, 2 points)\n", "pairs", r.Pentanomial)
	fmt.Fprintf(out, "%-12s %+.1f ± %.1f (95 %%), LOS %.1f %%\n", "Elo", elo, margin, 100*r.LOS())
	fmt.Fprintf(out, "%-12s %.2f games/s\n", "speed", r.speed())
	if r.sprt.given {
		verdict := "undecided"
		if elo, ok := r.rejected(); ok {
			verdict = fmt.Sprintf("%+g Elo is rejected", elo)
		}
		fmt.Fprintf(out, "%-12s LLR %.2f of ±%.2f: %s\n", "SPRT", r.llr(), decisive, verdict)
	}
}

// decisive is the absolute logarithm of the likelihood ratio at which either
// hypothesis is wrong in 5 % of all tests: ln(0.95/0.05).
const decisive = 2.944439

// leastPairs is how many pairs a test takes at least, as the variance of the points is
// that of the pairs so far.
const leastPairs = 50
