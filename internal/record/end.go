package record

import (
	"fmt"

	"skein/rules"
)

// End is the reason why a game ended.
type End uint8

// The reasons. Games with one of those after Length were adjudicated before the
// rules ended them.
const (
	Unknown End = iota
	Checkmate
	Stalemate
	Threefold
	FiftyMoves
	Material         // insufficient material
	Length           // adjudicated as a draw because of its length
	ScoreWin         // adjudicated by score
	ScoreDraw        // adjudicated by score
	TablebaseEnd     // adjudicated by a tablebase
	NumEnds      int = iota
)

var endNames = [NumEnds]string{
	"unknown", "checkmate", "stalemate", "threefold repetition", "fifty moves", "insufficient material",
	"length", "win by score", "draw by score", "tablebase",
}

// String returns the reason in words.
func (e End) String() string {
	if int(e) >= NumEnds {
		return fmt.Sprintf("end %d", uint8(e))
	}
	return endNames[e]
}

// EndOf returns the End of a game that the rules ended. Threefold and fivefold
// repetition have the same End, and so have fifty and 75 moves without
// progress.
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
