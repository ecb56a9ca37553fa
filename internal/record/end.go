package record

import (
	"fmt"

	"skein/rules"
)

// End is the reason why a game ended.
type End uint8

// The reasons. Those after Length were known at the board, before the rules
// would have ended the game.
const (
	Unknown End = iota
	Checkmate
	Stalemate
	Threefold
	FiftyMoves
	Material         // nobody can mate
	Length           // the game grew too long and was called a draw
	WinAgreed        // adjudicated by score
	DrawAgreed       // adjudicated by score
	TablebaseEnd     // adjudicated by a tablebase
	NumEnds      int = iota
)

var endNames = [NumEnds]string{
	"unknown", "checkmate", "stalemate", "threefold repetition", "fifty moves", "insufficient material",
	"length", "win by score", "draw by score", "tablebase",
}

// String names the reason in a few words.
func (e End) String() string {
	if int(e) >= NumEnds {
		return fmt.Sprintf("end %d", uint8(e))
	}
	return endNames[e]
}

// EndOf returns the reason to write down for one of the rules. Repetitions and
// moves without progress have one reason each, claimed or not.
func EndOf(reason rules.Reason) End {
	switch reason {
	case rules.Checkmate:
		return Checkmate
	case rules.Stalemate:
		return Stalemate
	case rules.InsufficientMaterial:
		return Material
	case rules.ThreefoldRepetition, rules.FivefoldRepetition:
		return Threefold
	case rules.FiftyMoves, rules.SeventyFiveMoves:
		return FiftyMoves
	}
	return Unknown
}
