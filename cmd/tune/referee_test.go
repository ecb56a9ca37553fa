package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"skein/internal/selfplay"
)

// TestReferee decides tests by pairs of which the first side wins or loses three in four
// and the rest are even, but none before there are enough pairs.
func TestReferee(t *testing.T) {
	for _, tt := range []struct {
		points   int // of the decisive pairs, in half points
		rejected float64
	}{{4, 0}, {0, 50}} {
		r := newReferee(1000, bounds{low: 0, high: 50, given: true}, io.Discard)
		for pairs := 1; ; pairs++ {
			var s selfplay.Standing
			points := tt.points
			if pairs%4 == 0 {
				points = 2
			}
			s.Pentanomial[points]++
			s.Wins, s.Losses = int64(points/2), int64(2-points/2)
			err := r.count(&s)
			if decided := errors.Is(err, errDecided); decided != (pairs == leastPairs) {
				t.Fatalf("%d points, %d pairs: error %v, LLR %.2f", points, pairs, err, r.llr())
			} else if decided {
				break
			}
		}
		if elo, ok := r.rejected(); !ok || elo != tt.rejected {
			t.Errorf("%d points: %g Elo rejected, %t", tt.points, elo, ok)
		}
	}
	r := newReferee(1000, bounds{}, io.Discard)
	if err := r.count(&selfplay.Standing{Wins: 200, Pentanomial: [5]int64{4: 99, 2: 1}}); err != nil {
		t.Errorf("without a test: %v", err)
	}
}

// TestRefereePrint prints a match of three pairs.
func TestRefereePrint(t *testing.T) {
	r := newReferee(3, bounds{low: 0, high: 5, given: true}, io.Discard)
	for _, s := range []selfplay.Standing{
		{Wins: 2, Pentanomial: [5]int64{4: 1}}, {Wins: 1, Draws: 1, Pentanomial: [5]int64{3: 1}},
		{Draws: 1, Losses: 1, Pentanomial: [5]int64{1: 1}},
	} {
		if err := r.count(&s); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	r.print(&out)
	for _, want := range []string{"games        6, wins 3, draws 2, losses 1, score 66.67 %\n",
		"pairs        [0 1 0 1 1] ", "Elo          +120.4 ± ", ": undecided\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}
