package rules

import (
	"fmt"

	"skein/movegen"
	"skein/position"
)

// Reason is the reason why a game is over or a draw can be claimed.
type Reason uint8

// The reasons. If several apply, the first in this order is reported.
const (
	NoReason Reason = iota // the game is not over
	Checkmate
	Stalemate
	InsufficientMaterial // see [position.Position.InsufficientMaterial]; other dead positions are not recognized
	SeventyFiveMoves
	FivefoldRepetition
	ThreefoldRepetition // a claim
	FiftyMoves          // a claim
)

var reasonNames = [...]string{
	"none", "checkmate", "stalemate", "insufficient material", "seventy-five moves", "fivefold repetition",
	"threefold repetition", "fifty moves",
}

// String returns the reason in words, "none" for NoReason.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return fmt.Sprintf("reason %d", uint8(r))
	}
	return reasonNames[r]
}

// Claimable reports whether r lets a player claim a draw but does not end the
// game by itself.
func (r Reason) Claimable() bool { return r == ThreefoldRepetition || r == FiftyMoves }

// Outcome is the result of a game and the reason. The zero value is that of a
// game that is not over.
type Outcome struct {
	Result Result
	Reason Reason
}

// Over reports whether o is the outcome of a game that is over, where a
// claimable draw counts as claimed.
func (o Outcome) Over() bool { return o.Reason != NoReason }

// Ended returns the outcome of a game that is over without a claim, the zero
// Outcome if it is not.
//
// Only repetitions since the start position of g are counted.
func Ended(g *position.Game) Outcome {
	p := &g.Pos
	stuck := movegen.Count(p) == 0
	switch {
	case stuck && p.InCheck():
		return Outcome{WinFor(p.SideToMove().Other()), Checkmate}
	case stuck:
		return Outcome{Draw, Stalemate}
	case p.InsufficientMaterial():
		return Outcome{Draw, InsufficientMaterial}
	case p.Halfmoves() >= 2*75:
		return Outcome{Draw, SeventyFiveMoves}
	case g.Repetitions()+1 >= 5:
		return Outcome{Draw, FivefoldRepetition}
	}
	return Outcome{}
}

// EndedOrClaimable returns the outcome of a game that is over, or in which the
// side to move can claim a draw in the current position, the zero Outcome for
// other games. [Reason.Claimable] distinguishes the two. Claims by announcing a
// move are not considered.
func EndedOrClaimable(g *position.Game) Outcome {
	if o := Ended(g); o.Over() {
		return o
	}
	switch {
	case g.Repetitions()+1 >= 3:
		return Outcome{Draw, ThreefoldRepetition}
	case g.Pos.Halfmoves() >= 2*50:
		return Outcome{Draw, FiftyMoves}
	}
	return Outcome{}
}
