package review

import (
	"fmt"
	"math"

	"skein/chess"
	"skein/search"
)

// Curve tells how winning chances follow from scores.
type Curve uint8

const (
	// Lichess is the curve of people's games that lichess publishes:
	// 1/(1+exp(-0.00368208 cp)).
	Lichess Curve = iota
	// Engine is the curve of games of the engine with itself.
	Engine
)

var curveNames = []string{"lichess", "engine"}

func (c Curve) String() string { return curveNames[c] }

// MarshalText implements encoding.TextMarshaler.
func (c Curve) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (c *Curve) UnmarshalText(text []byte) error {
	for i, name := range curveNames {
		if name == string(text) {
			*c = Curve(i)
			return nil
		}
	}
	return fmt.Errorf("curve %q is neither lichess nor engine", text)
}

// slope is the slope of the curve of lichess per centipawn.
const slope = 0.00368208

// Chances returns White's chances to win, 0 to 1. On the curve of lichess they
// are at most those of ten pawns, for mates too.
func (c Curve) Chances(s Score) float64 {
	if c == Engine {
		return expected(s)
	}
	return logistic(float64(s.centipawns()))
}

// logistic is the curve of lichess.
func logistic(centipawns float64) float64 { return 1 / (1 + math.Exp(-slope*centipawns)) }

// expected returns White's expected points in games of the engine with itself, 0
// to 1.
func expected(s Score) float64 {
	win, draw, _ := search.WDL(chess.Score(s))
	return (float64(win) + float64(draw)/2) / 1000
}

// lost returns the chances that a move of side loses, 0 to 1: those that decide
// its verdict, which on the curve of lichess have no bounds of the score.
func (c Curve) lost(before, after Score, side chess.Color) float64 {
	if c == Engine {
		return expected(Score(before.Of(side))) - expected(Score(after.Of(side)))
	}
	return logistic(float64(before.Of(side).Centipawns())) - logistic(float64(after.Of(side).Centipawns()))
}

// round returns x with so many decimals.
func round(x float64, decimals int) float64 {
	unit := math.Pow10(decimals)
	return math.Round(x*unit) / unit
}
