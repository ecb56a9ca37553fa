// Package selfplay plays games of the engine against itself, for training data
// and as matches: varied balanced openings, searches limited by nodes,
// adjudication. A game is a function of settings, network, seed and its number:
// it does not depend on the number of workers or on the games played before.
package selfplay

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Config is the settings of games. Limits that are zero do not apply.
type Config struct {
	Seed uint64
	Hash int // MiB of the transposition table of each side's engine, at least 1

	SoftNodes uint64 // per search: start no iteration after this many nodes
	HardNodes uint64 // per search: end it after this many nodes

	Clock Clock // of each side, if its time is not zero

	Openings     Openings
	Adjudication Adjudication
	MaxPlies     int // adjudicate a game of this length as a draw
}

// Clock is a time control whose time passes with the nodes searched, so that games
// do not depend on the machine or its load.
type Clock struct {
	Time, Inc time.Duration // for the game, and for each move
	NodeTime  time.Duration // per node
}

// leastInc is the smallest increment of a clock, in nodes. A search takes some 2000
// nodes whatever its limits; if these are not few, they decide how to use the clock.
const leastInc = 8000

// ParseClock reads a clock in the format TIME+INCREMENT, for instance 2s+20ms, with
// the time of a node.
func ParseClock(text string, nodeTime time.Duration) (c Clock, err error) {
	start, inc, ok := strings.Cut(text, "+")
	c.NodeTime = nodeTime
	if c.Time, err = time.ParseDuration(start); err == nil && ok {
		c.Inc, err = time.ParseDuration(inc)
	}
	if err != nil || c.Time <= 0 || c.Inc < 0 || nodeTime <= 0 {
		return c, fmt.Errorf("clock %q with nodes of %v is not TIME+INCREMENT, such as 2s+20ms", text, nodeTime)
	}
	return c, nil
}

// Openings is the settings of start positions.
type Openings struct {
	// RandomPlies is the number of random moves played from an initial position
	// that is not from the book; with probability 1/2 one more.
	RandomPlies int
	// Book, if not empty, has initial positions. BookPlies random moves follow one
	// chosen at random, with probability 1/2 one more. If that is 0, every game begins
	// with another position, unless it is not balanced: then with another one and a
	// random move or two.
	Book      []position.Position `json:"-"`
	BookPlies int
	FRC, DFRC float64 // shares of Chess960 and double Fischer random games, 0 to 1 together

	// A start position is rejected if the score of a search of VerifyNodes
	// nodes is more than MaxScore from zero. If either is 0, all are accepted.
	VerifyNodes uint64
	MaxScore    chess.Score
}

// startsAfter are the numbers of positions after so many plies from the initial one.
var startsAfter = [...]int64{1, 20, 400, 5362, 71852}

// Starts returns the number of different starts, and so of different games, if they are
// few: those of the book, if no random moves follow, or after four random plies or fewer.
func (o *Openings) Starts() (n int64, few bool) {
	switch {
	case len(o.Book) > 0:
		return int64(len(o.Book)), o.BookPlies == 0
	case o.FRC+o.DFRC == 0 && o.RandomPlies < len(startsAfter)-1:
		return startsAfter[o.RandomPlies] + startsAfter[o.RandomPlies+1], true
	}
	return 0, false
}

// Adjudication is the settings for ending games early. Scores are absolute, and those of
// the search, which expects less in drawish endgames than what is recorded of them.
type Adjudication struct {
	// A game is won after WinPlies consecutive scores of at least WinScore for
	// the same side; 0 plies: never.
	WinScore chess.Score
	WinPlies int
	// It is drawn after DrawPlies consecutive scores of at most DrawScore, the
	// first of them at move DrawMove or later; 0 plies: never.
	DrawScore           chess.Score
	DrawPlies, DrawMove int
	// Tablebase, if not nil, is called for every position and returns its
	// result if known. It is called concurrently.
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

// Validate returns an error that names an invalid setting.
func (c *Config) Validate() error {
	o, a := &c.Openings, &c.Adjudication
	switch {
	case c.Hash < 1:
		return fmt.Errorf("a hash of %d MiB is too small", c.Hash)
	case c.SoftNodes == 0 && c.HardNodes == 0 && c.Clock.Time == 0:
		return errors.New("neither nodes nor the clock are limited")
	case c.HardNodes > 0 && c.SoftNodes > c.HardNodes:
		return fmt.Errorf("a search that starts iterations up to %d nodes cannot end at %d", c.SoftNodes, c.HardNodes)
	case c.Clock.Time < 0 || c.Clock.Inc < 0 || c.Clock.Time > 0 && c.Clock.NodeTime <= 0:
		return fmt.Errorf("the clock %+v is not positive", c.Clock)
	case c.Clock.Time > 0 && min(c.Clock.Time, c.Clock.Inc) < leastInc*c.Clock.NodeTime:
		return fmt.Errorf("a clock of %v+%v is too coarse for nodes of %v: its increment must be at least %d nodes",
			c.Clock.Time, c.Clock.Inc, c.Clock.NodeTime, leastInc)
	case o.RandomPlies < 0 || o.RandomPlies > 100:
		return fmt.Errorf("%d random plies are not 0 to 100", o.RandomPlies)
	case o.BookPlies < 0 || o.BookPlies > 100:
		return fmt.Errorf("%d random plies after the book are not 0 to 100", o.BookPlies)
	case !(o.FRC >= 0 && o.DFRC >= 0 && o.FRC+o.DFRC <= 1):
		return fmt.Errorf("shares %v of Chess960 and %v of double Fischer random are not 0 to 1 together",
			o.FRC, o.DFRC)
	case o.MaxScore < 0:
		return fmt.Errorf("the maximum score %d of start positions is negative", o.MaxScore)
	case a.WinPlies < 0 || a.DrawPlies < 0 || a.DrawScore < 0 || a.DrawMove < 0 || c.MaxPlies < 0:
		return errors.New("an adjudication setting is negative")
	case a.WinPlies > 0 && a.WinScore <= 0:
		return fmt.Errorf("the score %d for adjudicating wins is not positive", a.WinScore)
	}
	return nil
}
