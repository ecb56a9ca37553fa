package search

import (
	"fmt"
	"math"

	"skein/chess"
)

// toTable converts a score at ply for storage in the table: decisive scores,
// which count plies from the root, then count them from the position.
func toTable(score chess.Score, ply int) int16 {
	switch {
	case score.IsWin():
		score += chess.Score(ply)
	case score.IsLoss():
		score -= chess.Score(ply)
	}
	return int16(score)
}

// fromTable is the inverse of toTable for a position with the given halfmove clock.
// The table does not know that clock: a mate or tablebase win that is further away
// than the fifty-move draw is only a large advantage.
func fromTable(score int16, ply, halfmoves int) chess.Score {
	s := chess.Score(score)
	switch {
	case s.IsLoss():
		return -fromTable(-score, ply, halfmoves)
	case !s.IsWin():
		return s
	}
	end := chess.TableWin
	if _, mate := s.Mate(); mate {
		end = chess.MateScore
	}
	if int(end-s)+halfmoves > 100 {
		return chess.MaxEval
	}
	return max(s-chess.Score(ply), chess.TableWin-chess.MaxPly) // still a win
}

// winSlope is the scale of the logistic function in WDL, in units of scores: the share
// of wins is 1 / (1 + exp((chess.UnitsPerPawn-s)/winSlope)).
const winSlope = 159.0

// WDL returns the permille of games that the engine wins, draws and loses against
// itself at score s, from the view of the side to move. They add up to 1000. The
// share of wins is a logistic function of s that is one half at [chess.UnitsPerPawn].
func WDL(s chess.Score) (win, draw, loss int) {
	rate := func(x float64) int {
		return int(math.Round(1000 / (1 + math.Exp((chess.UnitsPerPawn-x)/winSlope))))
	}
	win, loss = rate(float64(s)), rate(float64(-s))
	return win, 1000 - win - loss, loss
}

// Bound says whether a reported score is exact.
type Bound uint8

// The true score is equal to the reported one, or at least or at most that.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)

// String returns "exact", "lowerbound" or "upperbound", as UCI has them.
func (b Bound) String() string {
	names := [...]string{"exact", "lowerbound", "upperbound"}
	if int(b) >= len(names) {
		return fmt.Sprintf("Bound(%d)", uint8(b))
	}
	return names[b]
}
