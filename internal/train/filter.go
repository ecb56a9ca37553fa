package train

import (
	"errors"
	"fmt"
	"math"

	"skein/chess"
	"skein/internal/record"
	"skein/rules"
)

// Filter selects positions while they are read. The zero value keeps all.
type Filter struct {
	MaxScore chess.Score // maximum absolute score; 0 is no limit
	MinMove  int         // minimum move number
	// MaxSurprise is the maximum distance of the game's result, 0, 1/2 or 1,
	// from the points expected by the score; 0 and 1 are no limit.
	MaxSurprise float64
}

// maxMove is the largest number of a move in a position.
const maxMove = 9999

// validateFilters returns an error if a filter or the interpolation from start
// to end is invalid.
func validateFilters(start, end Filter) error {
	for _, f := range []Filter{start, end} {
		switch {
		case f.MaxScore < 0:
			return fmt.Errorf("the maximum score %d is negative", f.MaxScore)
		case f.MinMove < 0 || f.MinMove > maxMove:
			return fmt.Errorf("the minimum move %d is not 0 to %d", f.MinMove, maxMove)
		case !isShare(f.MaxSurprise):
			return fmt.Errorf("the maximum surprise %g is not 0 to 1", f.MaxSurprise)
		}
	}
	if (start.MaxScore == 0) != (end.MaxScore == 0) {
		return errors.New("the limit of scores cannot change from or to 0 (none): give a high one instead")
	}
	if (start.MaxSurprise == 0) != (end.MaxSurprise == 0) {
		return errors.New("the limit of surprise cannot change from or to 0 (none): give 1 instead")
	}
	return nil
}

// filter returns the filter of the given batch, interpolated linearly from
// Filter to FilterEnd.
func (c *Config) filter(batch int64) Filter {
	share := float64(batch) / float64(max(c.total()-1, 1))
	between := func(a, b float64) float64 { return a + (b-a)*share }
	whole := func(a, b int) int { return int(math.Round(between(float64(a), float64(b)))) }
	f, end := &c.Filter, &c.FilterEnd
	return Filter{
		MaxScore: chess.Score(whole(int(f.MaxScore), int(end.MaxScore))), MinMove: whole(f.MinMove, end.MinMove),
		MaxSurprise: between(f.MaxSurprise, end.MaxSurprise),
	}
}

// sieve is a Filter with precomputed limits.
type sieve struct {
	minMove int
	low     [rules.WhiteWins + 1]chess.Score // by result: the lowest score that passes, from White's view
	high    [rules.WhiteWins + 1]chess.Score
}

// sieve returns f with precomputed limits, where the expected points of a score
// are 1 / (1 + exp(-score/scale)).
func (f Filter) sieve(scale float64) sieve {
	s := sieve{minMove: f.MinMove}
	const all = math.MaxInt16 + 1 // above every score of a record
	limit := chess.Score(all)
	if f.MaxScore > 0 {
		limit = f.MaxScore
	}
	// scoreOf returns the score whose expected points are p.
	scoreOf := func(p float64) float64 { return min(max(scale*math.Log(p/(1-p)), -all), all) }
	for result := range s.low {
		s.low[result], s.high[result] = -limit, limit
		if rules.Result(result) == rules.NoResult {
			continue
		}
		points := float64(rules.Result(result).HalfPoints()) / 2
		if p := points - f.MaxSurprise; f.MaxSurprise > 0 && p > 0 {
			s.low[result] = max(-limit, chess.Score(math.Ceil(scoreOf(p))))
		}
		if p := points + f.MaxSurprise; f.MaxSurprise > 0 && p < 1 {
			s.high[result] = min(limit, chess.Score(math.Floor(scoreOf(p))))
		}
	}
	return s
}

// keep reports whether a position passes. If its result is damaged, only its
// score and move count, so that the damage is reported when it is decoded.
func (s *sieve) keep(b *record.Packed) bool {
	score := b.Score()
	result, _ := b.Result()
	return s.low[result] <= score && score <= s.high[result] && b.Fullmoves() >= s.minMove
}
