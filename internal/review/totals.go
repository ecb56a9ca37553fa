package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"skein/chess"
)

// Player is how a player did in several games. Its Accuracy is the mean of those
// of the games.
type Player struct {
	Summary
	Games int `json:"games"`

	accuracy float64 // of all games together
}

// Totals add up games by the names of the players.
type Totals struct{ players map[string]*Player }

// Add adds a game. A player without a name is called White or Black.
func (t *Totals) Add(g *Game) {
	if t.players == nil {
		t.players = map[string]*Player{}
	}
	for _, side := range []chess.Color{chess.White, chess.Black} {
		if s := g.player(side); s.Moves > 0 {
			t.player(s.Player, side).add(s)
		}
	}
}

// player returns the player with a name.
func (t *Totals) player(name string, side chess.Color) *Player {
	if name = strings.TrimSpace(name); name == "" || name == "?" {
		name = []string{chess.White: "White", chess.Black: "Black"}[side]
	}
	if t.players[name] == nil {
		t.players[name] = &Player{Summary: Summary{Player: name}}
	}
	return t.players[name]
}

// add adds a game.
func (p *Player) add(s *Summary) {
	p.Games++
	p.accuracy += s.Accuracy
	p.Accuracy = round(p.accuracy/float64(p.Games), 1)
	p.Counts.merge(&s.Counts)
	p.Opening.merge(&s.Opening)
	p.Middlegame.merge(&s.Middlegame)
	p.Endgame.merge(&s.Endgame)
}

// Players returns the players, those with the most games first.
func (t *Totals) Players() []*Player {
	return slices.SortedFunc(maps.Values(t.players), func(a, b *Player) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Player, b.Player))
	})
}

// merge adds the moves of o.
func (c *Counts) merge(o *Counts) {
	c.Moves += o.Moves
	c.lost += o.lost
	for v := Inaccuracy; v <= OnlyMove; v++ {
		*c.kind(v) += *o.kind(v)
	}
	if c.Moves > 0 {
		c.Loss = round(float64(c.lost)/float64(c.Moves), 1)
	}
}
