package rules

import (
	"fmt"

	"skein/movegen"
	"skein/position"
)

// Reason is why a game is over, or why a draw can be claimed.
type Reason uint8

// The reasons. Of several that hold at the same time, the first counts.
const (
	NoReason Reason = iota // the game goes on
	Checkmate
	Stalemate
	InsufficientMaterial // see [position.Position.InsufficientMaterial]; no other dead positions are known
	FivefoldRepetition
	SeventyFiveMoves
	ThreefoldRepetition // a claim
	FiftyMoves          // a claim
)

var reasonNames = [...]string{
	"none", "checkmate", "stalemate", "insufficient material", "fivefold repetition", "seventy-five moves",
	"threefold repetition", "fifty moves",
}

// String names the reason in a few words, "none" for NoReason.
func (r Reason) String() string {
	if int(r) >= len(reasonNames) {
		return fmt.Sprintf("reason %d", uint8(r))
	}
	return reasonNames[r]
}

// Claimable reports whether r lets a player claim a draw but does not end the
// game by itself.
func (r Reason) Claimable() bool { return r == ThreefoldRepetition || r == FiftyMoves }

// Outcome is how a game ended and why. The zero value is that of a game that
// goes on.
type Outcome struct {
	Result Result
	Reason Reason
}

// Over reports whether o is the outcome of a game that is over. If its reason is
// claimable, the claim is taken as made.
func (o Outcome) Over() bool { return o.Reason != NoReason }

// Ended returns the outcome of a game that is over without a claim, and the zero
// Outcome if it goes on.
//
// Only repetitions since the position that g was made from are counted.
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
	case g.Repetitions()+1 >= 5:
		return Outcome{Draw, FivefoldRepetition}
	case p.Halfmoves() >= 2*75:
		return Outcome{Draw, SeventyFiveMoves}
	}
	return Outcome{}
}

// EndedOrClaimable returns the outcome of a game that is over, or would be if
// the side to move claimed the draw it is entitled to in the current position,
// and the zero Outcome if it goes on. [Reason.Claimable] tells which. Claims
// that announce a move are not considered.
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
