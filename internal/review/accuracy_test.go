package review

import (
	"math"
	"testing"

	"skein/chess"
)

func TestChances(t *testing.T) {
	for cp, want := range map[int]float64{0: 0.5, 100: 0.591, -300: 0.249, 1000: 0.975, 3000: 0.975} {
		s := Score(chess.Centipawns(cp).Score())
		if got := Lichess.Chances(s); math.Abs(got-want) > 0.0005 {
			t.Errorf("%d centipawns: %.4f, want %.3f", cp, got, want)
		}
	}
	for _, c := range []Curve{Lichess, Engine} {
		if w, b := c.Chances(mateIn(3)), c.Chances(-mateIn(3)); w < 0.97 || math.Abs(w+b-1) > 1e-9 {
			t.Errorf("%v: chances %v and %v of mates", c, w, b)
		}
	}
	// A pawn wins half of the engine's games with itself, and loses hardly any.
	if got := Engine.Chances(Score(chess.Centipawns(100).Score())); got < 0.7 || got > 0.8 {
		t.Errorf("the engine's chances with a pawn are %v", got)
	}
}

// TestAccuracy compares with values that were calculated by another program.
func TestAccuracy(t *testing.T) {
	for loss, want := range map[float64]float64{-0.2: 100, 0: 100, 0.01: 96.604, 0.05: 80.815, 0.15: 51.521, 0.5: 9.528,
		0.95: 0} {
		if got := accuracy(0.95, 0.95-loss); math.Abs(got-want) > 0.001 {
			t.Errorf("a loss of %v: %v, want %v", loss, got, want)
		}
	}
}

func TestGameAccuracy(t *testing.T) {
	for _, tt := range []struct {
		centipawns   []int
		white, black float64
	}{
		{[]int{15, 15, 15}, 100, 100},
		{[]int{15, 15, 900}, 100, 12.3031},
		{[]int{15, 20, 30, -50, -40, 200, -300, 1500, -20}, 93.8521, 99.1687},
		{[]int{15, -41, 14, -60, -85, -145, -109, -84, -54, 22, 29, -8, -74, -40, -123, -114, -94, -29, -119, -31, -7,
			-29, -61, 0, -64, -73, -156, -241, -325, -249, -201, -289, -282, -197, -232, -214, -297, -252, -286, -264,
			-228, -177, -208, -210, -241, -158, -192, -165, -181, -266, -250, -198, -124, -189, -232, -161, -176, -236,
			-241, -203, -185, -146, -65, -107, -120}, 91.9028, 94.7889},
		{[]int{15}, 0, 0},
		{[]int{15, 100}, 100, 0},
		{nil, 0, 0},
	} {
		var chances, mirrored []float64
		for _, cp := range tt.centipawns {
			c := Lichess.Chances(Score(chess.Centipawns(cp).Score()))
			chances, mirrored = append(chances, c), append(mirrored, 1-c)
		}
		got := gameAccuracy(chances, chess.White)
		if math.Abs(got[chess.White]-tt.white) > 0.0001 || math.Abs(got[chess.Black]-tt.black) > 0.0001 {
			t.Errorf("%v: %v, want %v and %v", tt.centipawns, got, tt.white, tt.black)
		}
		swapped := gameAccuracy(mirrored, chess.Black)
		if math.Abs(swapped[chess.White]-got[chess.Black]) > 1e-9 ||
			math.Abs(swapped[chess.Black]-got[chess.White]) > 1e-9 {
			t.Errorf("%v: %v with colors swapped, %v else", tt.centipawns, swapped, got)
		}
	}
}
