// Package selfplay plays games of the engine against itself for training data:
// varied balanced openings, searches limited by nodes, adjudication. A game is
// determined by the settings, the network, a seed and its number alone, whoever
// plays it after whatever other games.
package selfplay

import (
	"errors"
	"fmt"

	"skein/position"
	"skein/rules"
)

// Config tells how to play. The zero value of a field that limits something
// does not limit.
type Config struct {
	Seed uint64
	Hash int // MiB of the table of each of a player's two engines, at least 1

	SoftNodes uint64 // begin no iteration of a search after as many nodes
	HardNodes uint64 // end a search after as many nodes

	Openings     Openings
	Adjudication Adjudication
	MaxPlies     int // call a game of as many plies a draw
}

// Openings tells where games start.
type Openings struct {
	// RandomPlies random moves, or one more by the flip of a coin, are played
	// from the initial position, unless that comes from a book.
	RandomPlies int
	Book        []position.Position `json:"-"` // instead of the initial array
	BookPlies   int                 // random moves, or one more, behind a position of the book; 0: none
	FRC, DFRC   float64             // shares of games, 0..1 together, that start in Chess960 or double Fischer random

	// A start is refused if a search of VerifyNodes finds more than MaxScore
	// units of 1/nnue.Pawn for either side. If either is 0, all are balanced enough.
	VerifyNodes uint64
	MaxScore    int
}

// Adjudication ends games early. Scores are units of 1/nnue.Pawn, from either
// side's view.
type Adjudication struct {
	// A game is won once WinPlies scores in a row were at least WinScore for
	// the same side; 0 plies: never.
	WinScore, WinPlies int
	// It is drawn once DrawPlies scores in a row were at most DrawScore, the
	// first of them at move DrawMove or later; 0 plies: never.
	DrawScore, DrawPlies, DrawMove int
	// Tablebase, if not nil, is asked about every position and tells the
	// result where it knows. It is called from several goroutines at a time.
	Tablebase func(*position.Position) (rules.Result, bool) `json:"-"`
}

// DefaultConfig returns settings that have worked for small networks.
func DefaultConfig() Config {
	return Config{
		Seed: 1, Hash: 8, SoftNodes: 2000, HardNodes: 20000, MaxPlies: 600,
		Openings:     Openings{RandomPlies: 8, VerifyNodes: 2000, MaxScore: 575},
		Adjudication: Adjudication{WinScore: 2700, WinPlies: 4, DrawScore: 38, DrawPlies: 12, DrawMove: 40},
	}
}

// Validate says what is wrong with the settings.
func (c *Config) Validate() error {
	o, a := &c.Openings, &c.Adjudication
	switch {
	case c.Hash < 1:
		return fmt.Errorf("a hash of %d MiB is too small", c.Hash)
	case c.SoftNodes == 0 && c.HardNodes == 0:
		return errors.New("nodes must be limited")
	case o.RandomPlies < 0 || o.RandomPlies > 100:
		return fmt.Errorf("%d random plies are not 0 to 100", o.RandomPlies)
	case o.BookPlies < 0 || o.BookPlies > 100:
		return fmt.Errorf("%d random plies behind the book are not 0 to 100", o.BookPlies)
	case !(o.FRC >= 0 && o.DFRC >= 0 && o.FRC+o.DFRC <= 1):
		return fmt.Errorf("shares %v of Chess960 and %v of double Fischer random are not 0 to 1 together", o.FRC, o.DFRC)
	case o.MaxScore < 0:
		return fmt.Errorf("the limit of %d for the scores of starts is negative", o.MaxScore)
	case a.WinPlies < 0 || a.DrawPlies < 0 || a.DrawScore < 0 || a.DrawMove < 0 || c.MaxPlies < 0:
		return errors.New("a limit of adjudication is negative")
	case a.WinPlies > 0 && a.WinScore <= 0:
		return fmt.Errorf("a win at a score of %d is none", a.WinScore)
	}
	return nil
}
