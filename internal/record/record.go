// Package record is the training data on disk: whole games in checksummed
// blocks, about 4.4 bytes a position. docs/data-format.md describes the file
// byte by byte. Reading checks which bytes make sense, and Game.Replay whether
// the moves of a game are legal.
package record

import (
	"fmt"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Game is a game, or the end of one, with what the players thought of it.
type Game struct {
	Start  position.Position
	Plies  []Ply
	Result rules.Result // not NoResult
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
