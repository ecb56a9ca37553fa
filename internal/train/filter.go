package train

import (
	"errors"
	"fmt"
	"math"

	"skein/internal/record"
	"skein/rules"
)

// Filter chooses positions while they are read. The zero value keeps all.
type Filter struct {
	MaxScore int // leave out scores beyond this; 0 is none
	MinMove  int // leave out positions before this move of the game
	// MaxSurprise leaves out positions of games whose result, 0, 1/2 or 1, is
	// farther from what the score lets expect; 0 and 1 leave out none.
	MaxSurprise float64
}

// validateFilters reports what is wrong with a filter that goes from start to
// end.
func validateFilters(start, end Filter) error {
	for _, f := range []Filter{start, end} {
		switch {
		case f.MaxScore < 0:
			return fmt.Errorf("a limit of scores of %d is negative", f.MaxScore)
		case f.MinMove < 0:
			return fmt.Errorf("a first move of %d is negative", f.MinMove)
		case !isShare(f.MaxSurprise):
			return fmt.Errorf("a limit of surprise of %g is not 0 to 1", f.MaxSurprise)
		}
	}
	if (start.MaxScore == 0) != (end.MaxScore == 0) {
		return errors.New("a limit of scores cannot become none, or begin as none: give a high one instead of 0")
	}
	if (start.MaxSurprise == 0) != (end.MaxSurprise == 0) {
		return errors.New("a limit of surprise cannot become none, or begin as none: give 1 instead of 0")
	}
	return nil
}

// filter returns the filter of the given batch, on a straight line from Filter
// to FilterEnd.
func (c *Config) filter(batch int64) Filter {
	share := float64(batch) / float64(max(c.total()-1, 1))
	between := func(a, b float64) float64 { return a + (b-a)*share }
	whole := func(a, b int) int { return int(math.Round(between(float64(a), float64(b)))) }
	f, end := &c.Filter, &c.FilterEnd
	return Filter{whole(f.MaxScore, end.MaxScore), whole(f.MinMove, end.MinMove), between(f.MaxSurprise, end.MaxSurprise)}
}

// sieve is a Filter made ready.
type sieve struct {
	minMove int
	low     [rules.WhiteWins + 1]int // scores that pass, by result, from White's view
	high    [rules.WhiteWins + 1]int
}

// sieve returns f made ready, where 1 / (1 + exp(-score/scale)) points are
// expected of a score.
func (f Filter) sieve(scale float64) sieve {
	s := sieve{minMove: f.MinMove}
	limit := math.MaxInt16 + 1
	if f.MaxScore > 0 {
		limit = f.MaxScore
	}
	// scoreOf is the score of which p points are expected.
	scoreOf := func(p float64) float64 {
		return min(max(scale*math.Log(p/(1-p)), float64(-limit)), float64(limit))
	}
	for result := range s.low {
		s.low[result], s.high[result] = -limit, limit
		if rules.Result(result) == rules.NoResult {
			continue
		}
		points := float64(rules.Result(result).HalfPoints()) / 2
		if p := points - f.MaxSurprise; f.MaxSurprise > 0 && p > 0 {
			s.low[result] = int(math.Ceil(scoreOf(p)))
		}
		if p := points + f.MaxSurprise; f.MaxSurprise > 0 && p < 1 {
			s.high[result] = int(math.Floor(scoreOf(p)))
		}
	}
	return s
}

// keep reports whether a position passes. One whose result is damaged passes by
// its score and move alone, for others to find.
func (s *sieve) keep(b *record.Packed) bool {
	score := int(b.Score())
	result, _ := b.Result()
	return s.low[result] <= score && score <= s.high[result] && b.Fullmoves() >= s.minMove
}
