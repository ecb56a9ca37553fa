package main

import (
	"context"
	"fmt"
	"math"

	"skein/search"
)

// ladder plays every level against the next, and against the anchors near it, and
// prints the table with fitted ratings.
func ladder(ctx context.Context, s *settings) error {
	var levels []search.Level
	for _, l := range search.Levels() {
		if s.first <= l.Elo && l.Elo <= s.last {
			levels = append(levels, l)
		}
	}
	if len(levels) < 2 {
		return fmt.Errorf("fewer than two levels are from %d to %d", s.first, s.last)
	}
	f := newFit(levels)
	for i := range levels[:len(levels)-1] {
		a, b := played(levels[i]), played(levels[i+1])
		standing, err := s.play(ctx, a, b)
		if err != nil {
			return err
		}
		difference, margin := standing.Elo()
		fmt.Fprintf(s.out, "%d - %d: %+.0f ± %.0f, says %+d (%d-%d-%d)\n", a, b, difference, margin, a-b,
			standing.Wins, standing.Draws, standing.Losses)
		f.add(i, i+1, &standing)
	}
	if s.anchors != "" {
		if err := s.playAnchors(ctx, levels, f); err != nil {
			return err
		}
	}
	f.solve()
	fmt.Fprintln(s.out, "\nvar levels = []Level{")
	for i, l := range levels {
		l.Elo += int(math.Round(f.ratings[i])) - played(l)
		fmt.Fprintf(s.out, "\t%s // ± %.0f\n", row(l), f.margin(i))
	}
	fmt.Fprintln(s.out, "}")
	return nil
}

// played returns the rating at which a level plays: the lowest level is below MinElo,
// and only settings between it and the next are ever used.
func played(l search.Level) int { return max(l.Elo, search.MinElo) }

// row returns a level as a line of Go.
func row(l search.Level) string {
	text := fmt.Sprintf("{Elo: %d, Nodes: %d, Lines: %d, Bonus: %d", l.Elo, l.Nodes, l.Lines, l.Bonus)
	if l.Human {
		text += fmt.Sprintf(", Human: true, Oversight: %d", l.Oversight)
	}
	return text + "},"
}

// check plays neighbors of the list of ratings.
func check(ctx context.Context, s *settings) error {
	ratings, err := s.list()
	if err != nil {
		return err
	}
	if len(ratings) < 2 {
		return fmt.Errorf("%s is one rating, and check plays neighbors", s.ratings)
	}
	for i := range ratings[:len(ratings)-1] {
		a, b := ratings[i], ratings[i+1]
		standing, err := s.play(ctx, a, b)
		if err != nil {
			return err
		}
		difference, margin := standing.Elo()
		fmt.Fprintf(s.out, "%d - %d: %+.0f ± %.0f, off by %+.0f (%d-%d-%d)\n", a, b, difference, margin,
			difference-float64(a-b), standing.Wins, standing.Draws, standing.Losses)
	}
	return nil
}
