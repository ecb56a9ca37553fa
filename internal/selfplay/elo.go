package selfplay

import (
	"math"

	"skein/rules"
)

// Standing is the result of a match from the first contestant's view.
type Standing struct {
	Wins, Draws, Losses int64
	// Pentanomial is the number of pairs by half points, 0 to 4. The two games
	// of a pair are correlated, but pairs are independent, so errors are
	// computed from pairs.
	Pentanomial [5]int64
}

// Add adds a pair.
func (s *Standing) Add(p *Pair) {
	s.Pentanomial[p.Points]++
	for i, g := range p.Games {
		switch {
		case g.Result == rules.Draw:
			s.Draws++
		case (g.Result == rules.WhiteWins) == (i == 0):
			s.Wins++
		default:
			s.Losses++
		}
	}
}

// Join adds the games of another standing of the same match.
func (s *Standing) Join(o *Standing) {
	s.Wins, s.Draws, s.Losses = s.Wins+o.Wins, s.Draws+o.Draws, s.Losses+o.Losses
	for i, n := range o.Pentanomial {
		s.Pentanomial[i] += n
	}
}

// pairs returns the number of pairs.
func (s *Standing) pairs() (n int64) {
	for _, m := range s.Pentanomial {
		n += m
	}
	return n
}

// Games returns the number of games.
func (s *Standing) Games() int64 { return s.Wins + s.Draws + s.Losses }

// Score returns the first contestant's share of the points, 0 to 1, and the
// standard deviation of that estimate. Without games it returns 1/2 and +Inf.
func (s *Standing) Score() (mean, deviation float64) {
	var kinds [5]float64
	for i, n := range s.Pentanomial {
		kinds[i] = float64(n)
	}
	return score(&kinds)
}

// score is Standing.Score for numbers of pairs by half points.
func score(kinds *[5]float64) (mean, deviation float64) {
	pairs, sum, squares := 0.0, 0.0, 0.0
	for i, n := range kinds {
		x := float64(i) / 4
		pairs += n
		sum += n * x
		squares += n * x * x
	}
	if pairs == 0 {
		return 0.5, math.Inf(1)
	}
	mean = sum / pairs
	return mean, math.Sqrt(max(squares/pairs-mean*mean, 0) / pairs)
}

// Elo returns the Elo difference and half of its 95 % confidence interval. The
// difference is infinite if one side won all games, the margin also if the
// interval contains that, and while all pairs are equal, which says nothing of the
// spread.
func (s *Standing) Elo() (difference, margin float64) {
	mean, deviation := s.Score()
	low, high := elo(mean-1.96*deviation), elo(mean+1.96*deviation)
	difference = elo(mean)
	if math.IsInf(difference, 0) || deviation == 0 {
		return difference, math.Inf(1)
	}
	return difference, (high - low) / 2
}

// elo returns the Elo difference at which the expected score is share, 0 to 1.
func elo(share float64) float64 {
	share = min(max(share, 0), 1)
	return 400 * math.Log10(share/(1-share))
}

// LOS returns the likelihood of superiority of the first contestant, 0 to 1, by
// the normal approximation. Where all pairs are equal, and there is no spread, it is
// that of a chance to win a pair about which nothing is known before.
func (s *Standing) LOS() float64 {
	mean, deviation := s.Score()
	if deviation > 0 {
		return (1 + math.Erf((mean-0.5)/deviation/math.Sqrt2)) / 2
	}
	inferior := math.Exp2(-float64(s.pairs() + 1))
	switch {
	case mean > 0.5:
		return 1 - inferior
	case mean < 0.5:
		return inferior
	}
	return 0.5
}

// LLR returns the logarithm of the likelihood ratio of the hypotheses that the
// difference is high and low Elo, by the normal approximation of the generalized
// sequential probability ratio test for pairs (Van den Bergh). So that it can also
// decide where all pairs are equal, but not after a few, half a pair of each kind is added.
func (s *Standing) LLR(low, high float64) float64 {
	if s.Pentanomial == [5]int64{} {
		return 0
	}
	var kinds [5]float64
	for i, n := range s.Pentanomial {
		kinds[i] = float64(n) + 0.5
	}
	mean, deviation := score(&kinds)
	a, b := expected(low), expected(high)
	return (b - a) * (2*mean - a - b) / (2 * deviation * deviation)
}

// expected returns the expected score, 0 to 1, at an Elo difference.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }
