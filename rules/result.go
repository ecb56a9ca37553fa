package rules

import (
	"fmt"

	"skein/chess"
)

// Result is the result of a game. Those of finished games are in the order of
// White's points.
type Result uint8

// The results. NoResult is that of games that are not over or whose result is
// unknown.
const (
	NoResult Result = iota
	BlackWins
	Draw
	WhiteWins
)

// WinFor returns the result of a win by c.
func WinFor(c chess.Color) Result {
	if c == chess.White {
		return WhiteWins
	}
	return BlackWins
}

// HalfPoints returns White's half points: 0, 1 or 2, and -1 for NoResult.
func (r Result) HalfPoints() int { return int(r) - int(BlackWins) }

// String returns the result as in PGN: "1-0", "0-1", "1/2-1/2", or "*" for
// NoResult.
func (r Result) String() string {
	switch r {
	case NoResult:
		return "*"
	case BlackWins:
		return "0-1"
	case Draw:
		return "1/2-1/2"
	case WhiteWins:
		return "1-0"
	}
	return fmt.Sprintf("result %d", uint8(r))
}
