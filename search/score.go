package search

import (
	"math"

	"skein/nnue"
)

// MaxPly bounds the depth of iterations and the length of lines, in plies.
const MaxPly = 240

const (
	infinity  = 32500
	mateScore = 32000
	drawScore = 0

	// Scores at least this far from zero are mates.
	mateBound = mateScore - 2*MaxPly

	// TableWin is the score of a win by endgame tables at the root, far from
	// mates and from evaluations; winBound the least a win scores.
	TableWin = 31000
	winBound = TableWin - MaxPly
)

// mateIn is the score of giving mate at ply.
func mateIn(ply int) int { return mateScore - ply }

// matedIn is the score of being mated at ply.
func matedIn(ply int) int { return -mateScore + ply }

// isWin reports whether the side to move gives mate, or wins by the tables.
func isWin(score int) bool { return score >= winBound }

// isLoss reports whether the side to move is mated, or loses by the tables.
func isLoss(score int) bool { return score <= -winBound }

// isDecisive reports whether either side wins.
func isDecisive(score int) bool { return isWin(score) || isLoss(score) }

// toTable makes the score of a win count from the position instead of the root, as
// the table wants it.
func toTable(score, ply int) int16 {
	switch {
	case isWin(score):
		score += ply
	case isLoss(score):
		score -= ply
	}
	return int16(score)
}

// fromTable is the inverse of toTable.
func fromTable(score int16, ply int) int {
	s := int(score)
	switch {
	case isWin(s):
		s -= ply
	case isLoss(s):
		s += ply
	}
	return s
}

// Score is a value from the view of the side to move in the units of the
// network, 1/256 of a pawn, or a distance to mate near the ends of its range.
// Wins by endgame tables are a thousand below mates.
type Score int

// Mate returns the number of moves to mate, negative if the side to move is
// mated (0 if it is already), and whether the score is a mate at all.
func (s Score) Mate() (moves int, ok bool) {
	switch {
	case s >= mateBound:
		return (mateScore - int(s) + 1) / 2, true
	case s <= -mateBound:
		return -(mateScore + int(s) + 1) / 2, true
	}
	return 0, false
}

// The win-rate model: the share of games won at a score of x is
// 1 / (1 + exp((winCenter-x)/winSlope)).
const (
	winCenter = nnue.Pawn
	winSlope  = 191.0
)

// Centipawns returns the score as it is shown: in units of which a hundred mean an
// even chance to win the game. What endgame tables say, or a mate, stays as it is.
func (s Score) Centipawns() int {
	if abs(int(s)) > nnue.MaxEval {
		return int(s)
	}
	return int(math.Round(float64(s) * 100 / winCenter))
}

// WDL returns the expected permille of wins, draws and losses for the side to
// move. They add up to 1000.
func (s Score) WDL() (win, draw, loss int) {
	rate := func(x float64) int {
		return int(math.Round(1000 / (1 + math.Exp((winCenter-x)/winSlope))))
	}
	win, loss = rate(float64(s)), rate(float64(-s))
	return win, 1000 - win - loss, loss
}

// Bound tells what a reported score means.
type Bound uint8

// A score is exact, or the true one is at least or at most as high.
const (
	Exact Bound = iota
	LowerBound
	UpperBound
)
