// Package record is the training data on disk: whole games in checksummed
// blocks, about 4.4 bytes a position. docs/data-format.md describes the file
// byte by byte. The package knows which bytes make sense; whether the moves of
// a game are legal is for those to check who can generate moves.
package record

import (
	"fmt"

	"skein/chess"
	"skein/position"
)

// Game is a game, or the end of one, with what the players thought of it.
type Game struct {
	Start  position.Position
	Plies  []Ply
	Result Result
	End    End
}

// Ply is a move and the score the search gave it.
type Ply struct {
	Move  chess.Move
	Score int16 // 1/256 pawn, White's view; mates lie beyond MateBound
}

// Unit is the number of units of scores in a pawn, which is what wins half of all games of the engine with itself.
const Unit = 256

// MaxEval is the largest absolute score that is neither a forced mate nor a win by endgame tables.
const MaxEval = 28000

// MateBound is the least absolute score that means a forced mate.
const MateBound = 31500

// Result is who won, in the order of White's points: 0, 1/2, 1.
type Result uint8

// The results.
const (
	BlackWins Result = iota
	Draw
	WhiteWins
	numResults
)

// String returns the result as in PGN: "0-1", "1/2-1/2" or "1-0".
func (r Result) String() string {
	if r >= numResults {
		return fmt.Sprintf("result %d", uint8(r))
	}
	return [...]string{"0-1", "1/2-1/2", "1-0"}[r]
}

// WinFor returns the result of a game that c wins.
func WinFor(c chess.Color) Result {
	if c == chess.White {
		return WhiteWins
	}
	return BlackWins
}

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

// DamageError tells where a file is damaged.
type DamageError struct {
	Offset int64 // of the first byte in doubt, in the file
	Block  int   // number of the block, from 0; -1 is the file's header
	Game   int64 // number of the game in the file, from 0; all before it are good
	Torn   bool  // the file ends here, in the middle of a block
	Reason string
}

func (e *DamageError) Error() string {
	if e.Block < 0 {
		return fmt.Sprintf("byte %d, header: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("byte %d, block %d, game %d: %s", e.Offset, e.Block, e.Game, e.Reason)
}

// Place is where a game lies in a file.
type Place struct {
	Offset int64 // of its first byte
	Block  int   // from 0
	Game   int64 // its number in the file, from 0
}

// PlyOffset returns the offset in the file of ply i of the game.
func (p Place) PlyOffset(i int) int64 { return p.Offset + startSize + int64(i)*plySize }

// Damage says that the game is wrong at ply i.
func (p Place) Damage(i int, reason string) *DamageError {
	return &DamageError{Offset: p.PlyOffset(i), Block: p.Block, Game: p.Game, Reason: reason}
}
