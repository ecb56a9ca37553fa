package position

import (
	"slices"

	"skein/chess"
)

// Game is a position with the history that the repetition rule needs. Clone copies
// it, for example to take moves back; plain copies share Keys.
type Game struct {
	Pos Position
	// Keys are the keys of the positions before Pos since the last capture or
	// pawn move, oldest first.
	Keys []chess.Key
}

// NewGame starts a game at p.
func NewGame(p Position) *Game { return &Game{Pos: p} }

// Play plays m, which must be legal. NoMove is a null move, as in
// [Position.After].
func (g *Game) Play(m chess.Move) {
	next := g.Pos.After(m)
	if next.halfmoves == 0 {
		g.Keys = g.Keys[:0]
	} else {
		g.Keys = append(g.Keys, g.Pos.Key())
	}
	g.Pos = next
}

// Clone returns a deep copy of g.
func (g *Game) Clone() *Game {
	return &Game{Pos: g.Pos, Keys: slices.Clone(g.Keys)}
}

// Repetitions returns how often the current position has occurred before. That of
// two plies ago, before two null moves, does not count.
func (g *Game) Repetitions() int {
	n, key := 0, g.Pos.Key()
	for i := len(g.Keys) - 4; i >= 0; i -= 2 {
		if g.Keys[i] == key {
			n++
		}
	}
	return n
}
