package main

import (
	"errors"
	"io"
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
