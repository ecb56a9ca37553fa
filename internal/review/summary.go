package review

import (
	"strings"

	"skein/chess"
)

// Summary is how a player did in a game, or in several.
type Summary struct {
	Player   string  `json:"player"`   // name, "" if unknown
	Accuracy float64 `json:"accuracy"` // 0 to 100, with one decimal; 0 without a move
	Counts
	Opening    Counts `json:"opening"`
	Middlegame Counts `json:"middlegame"`
	Endgame    Counts `json:"endgame"`
}

// Counts count the moves of a player by verdict.
type Counts struct {
	Moves        int     `json:"moves"`
	Inaccuracies int     `json:"inaccuracies"`
	Mistakes     int     `json:"mistakes"`
	Blunders     int     `json:"blunders"`
	Good         int     `json:"good,omitempty"`
	Brilliant    int     `json:"brilliant,omitempty"`
	Only         int     `json:"only,omitempty"`
	Loss         float64 `json:"acpl"` // average centipawn loss, with one decimal

	lost int // centipawns, of all moves
}

// add counts a move.
func (c *Counts) add(p *Ply) {
	c.Moves++
	c.lost += p.Loss
	if kind := c.kind(p.Verdict); kind != nil {
		*kind++
	}
	c.Loss = round(float64(c.lost)/float64(c.Moves), 1)
}

// kind returns the number of moves with a verdict, nil for None.
func (c *Counts) kind(v Verdict) *int {
	return [...]*int{None: nil, Inaccuracy: &c.Inaccuracies, Mistake: &c.Mistakes, Blunder: &c.Blunders,
		Good: &c.Good, Brilliant: &c.Brilliant, OnlyMove: &c.Only}[v]
}

// phase returns the counts of a phase.
func (s *Summary) phase(p Phase) *Counts {
	return [...]*Counts{OpeningPhase: &s.Opening, Middlegame: &s.Middlegame, Endgame: &s.Endgame}[p]
}

// add counts a move.
func (s *Summary) add(p *Ply) {
	s.Counts.add(p)
	s.phase(p.Phase).add(p)
}

// first returns the side that makes the first move.
func (g *Game) first() chess.Color {
	if fields := strings.Fields(g.Start); len(fields) > 1 && fields[1] == "b" {
		return chess.Black
	}
	return chess.White
}

// side returns the side that makes the move with number ply, from 1.
func (g *Game) side(ply int) chess.Color {
	if ply%2 == 0 {
		return g.first().Other()
	}
	return g.first()
}

// player returns the summary of a side.
func (g *Game) player(side chess.Color) *Summary {
	if side == chess.Black {
		return &g.Black
	}
	return &g.White
}

// summarize sets the summaries of both players.
func (g *Game) summarize() {
	g.White = Summary{Player: g.Tags["White"]}
	g.Black = Summary{Player: g.Tags["Black"]}
	chances := make([]float64, 0, len(g.Plies)+1)
	chances = append(chances, g.Curve.Chances(g.Score))
	for i := range g.Plies {
		g.player(g.side(i + 1)).add(&g.Plies[i])
		chances = append(chances, g.Curve.Chances(g.Plies[i].After))
	}
	accuracy := gameAccuracy(chances, g.first())
	g.White.Accuracy = round(accuracy[chess.White], 1)
	g.Black.Accuracy = round(accuracy[chess.Black], 1)
}
