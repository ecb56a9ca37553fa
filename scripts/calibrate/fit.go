package main

import (
	"math"
	"slices"

	"skein/internal/selfplay"
	"skein/search"
)

// fit determines ratings from matches by maximum likelihood in the model of
// Bradley and Terry, in which a difference of 400 is a ratio of points of 10.
type fit struct {
	ratings []float64
	fixed   []bool // those of anchors
	matches []fitMatch
	kept    float64 // the average of the ratings before, which is kept without anchors
}

// fitMatch is a match of the players a and b.
type fitMatch struct {
	a, b          int
	points, games float64 // points of a
}

// newFit returns a fit of levels that begins with the ratings at which they play.
func newFit(levels []search.Level) *fit {
	f := &fit{fixed: make([]bool, len(levels))}
	for _, l := range levels {
		f.ratings = append(f.ratings, float64(played(l)))
	}
	f.kept = f.average()
	return f
}

// anchor adds a player of known rating and returns its number.
func (f *fit) anchor(rating int) int {
	f.ratings, f.fixed = append(f.ratings, float64(rating)), append(f.fixed, true)
	return len(f.ratings) - 1
}

// add adds a match of players a and b. Half a draw more than was played keeps
// ratings finite.
func (f *fit) add(a, b int, s *selfplay.Standing) {
	points := float64(s.Wins) + float64(s.Draws)/2
	f.matches = append(f.matches, fitMatch{a, b, points + 0.25, float64(s.Games()) + 0.5})
}

// average returns the average of the ratings that are not fixed.
func (f *fit) average() float64 {
	sum, n := 0.0, 0.0
	for i, r := range f.ratings {
		if !f.fixed[i] {
			sum, n = sum+r, n+1
		}
	}
	return sum / n
}

// scale is the derivative of the logarithm of the ratio of points by rating.
const scale = math.Ln10 / 400

// slopes returns the first and the negative second derivative of the logarithm of
// the likelihood by the rating of player i.
func (f *fit) slopes(i int) (first, second float64) {
	for _, m := range f.matches {
		if m.a != i && m.b != i {
			continue
		}
		expected := 1 / (1 + math.Exp(scale*(f.ratings[m.b]-f.ratings[m.a])))
		surplus := m.points - m.games*expected
		if m.b == i {
			surplus = -surplus
		}
		first += scale * surplus
		second += scale * scale * m.games * expected * (1 - expected)
	}
	return first, second
}

// solve finds the ratings, by Newton's method for one player after the other.
// Without anchors the average stays what it was.
func (f *fit) solve() {
	anchored := slices.Contains(f.fixed, true)
	for change := 1.0; change > 1e-4; {
		change = 0
		for i := range f.ratings {
			if first, second := f.slopes(i); !f.fixed[i] && second > 0 {
				step := min(max(first/second, -100), 100)
				f.ratings[i] += step
				change = max(change, math.Abs(step))
			}
		}
	}
	if !anchored {
		shift := f.kept - f.average()
		for i := range f.ratings {
			f.ratings[i] += shift
		}
	}
}

// margin returns half the 95 % interval of the rating of player i if the ratings of
// its opponents were known.
func (f *fit) margin(i int) float64 {
	_, second := f.slopes(i)
	return 1.96 / math.Sqrt(second)
}
