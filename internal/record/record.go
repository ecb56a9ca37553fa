// Package record reads and writes training data files: whole games in
// checksummed blocks, about 4.4 bytes per position, and packed positions.
// docs/data-format.md describes the format. Reading checks checksums and
// encodings; Game.Replay checks that the moves of a game are legal.
package record

import (
	"fmt"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Game is a game, possibly from the middle on, with the scores of its moves.
type Game struct {
	Start  position.Position
	Plies  []Ply
	Result rules.Result // not NoResult
	End    End
}

// Ply is a move and its score by a search.
type Ply struct {
	Move  chess.Move
	Score chess.Score // White's view, within 16 bits; MateBound or more from zero is a mate
}

// MateBound is the smallest absolute score of a forced mate.
const MateBound chess.Score = 31500

// DamageError is the error of a damaged file.
type DamageError struct {
	Offset int64 // of the first byte that may be damaged, in the file
	Block  int   // number of the block, from 0; -1 is the header of the file
	Game   int64 // number of the game in the file, from 0; all before it are intact
	Torn   bool  // the file ends here, within a block
	Reason string
}

func (e *DamageError) Error() string {
	if e.Block < 0 {
		return fmt.Sprintf("byte %d, header: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("byte %d, block %d, game %d: %s", e.Offset, e.Block, e.Game, e.Reason)
}

// Place is the place of a game in a file.
type Place struct {
	Offset int64 // of its first byte
	Block  int   // from 0
	Game   int64 // number of the game in the file, from 0
}

// PlyOffset returns the offset in the file of ply i of the game.
func (p Place) PlyOffset(i int) int64 { return p.Offset + startSize + int64(i)*plySize }

// Damage returns the error of a game that is wrong at ply i, from 0.
func (p Place) Damage(i int, reason string) *DamageError {
	return &DamageError{Offset: p.PlyOffset(i), Block: p.Block, Game: p.Game, Reason: reason}
}
