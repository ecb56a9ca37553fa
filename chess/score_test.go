package chess

import (
	"math"
	"testing"
)

// TestCentipawns compares the conversions with real numbers, and there and back.
func TestCentipawns(t *testing.T) {
	for s := -MaxEval; s <= MaxEval; s++ {
		want := Centipawns(math.Round(float64(s) * 100 / UnitsPerPawn))
		if got := s.Centipawns(); got != want {
			t.Fatalf("%d units are %d cp, not %d", s, got, want)
		}
	}
	for c := Centipawns(-10000); c <= 10000; c++ {
		if back := c.Score().Centipawns(); back != c {
			t.Fatalf("%d cp are %d units, which are %d cp", c, c.Score(), back)
		}
	}
	for _, c := range []Centipawns{math.MaxInt, 1 << 30, 10938} {
		if c.Score() != MaxEval || (-c).Score() != -MaxEval {
			t.Errorf("%d cp are %d, and negative %d", c, c.Score(), (-c).Score())
		}
	}
	for _, s := range []Score{MateIn(5), MatedIn(4), MaxEval + 1, TableWin} {
		if s.Centipawns() != Centipawns(s) {
			t.Errorf("%d is shown as %d", s, s.Centipawns())
		}
	}
}

// TestBands expects evaluations, wins by tables and mates of every length to be
// told apart.
func TestBands(t *testing.T) {
	for ply := range MaxPly + 1 {
		for _, test := range []struct {
			s    Score
			win  bool
			mate bool
		}{
			{MateIn(ply), true, true},
			{TableWin - Score(ply), true, false},
			{MaxEval, false, false},
		} {
			moves, mate := test.s.Mate()
			if test.s.IsWin() != test.win || (-test.s).IsLoss() != test.win || mate != test.mate || test.s.IsLoss() {
				t.Errorf("%d: win %v, mate %v", test.s, test.s.IsWin(), mate)
			}
			if mate && moves != (ply+1)/2 {
				t.Errorf("mate in %d plies is one in %d moves", ply, moves)
			}
			if back, _ := (-test.s).Mate(); mate && back != -((ply+1)/2) {
				t.Errorf("mated in %d plies is %d moves", ply, back)
			}
		}
	}
}
