//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

// game is a game of the engine with itself.
type game struct {
	*position.Game
	set    string // the position command
	limits string // after go, empty for a game by the clock
	left   [2]time.Duration
}

// Of games by the clock.
const (
	gameTime  = 2 * time.Second
	increment = 5 * time.Millisecond
	leastTime = 10 * time.Millisecond // what is left of a clock that has run out
)

// maxPlies is the length at which a game ends undecided.
const maxPlies = 120

// game plays a game move by move.
func (p *player) game() error {
	fen := p.fen()
	start, err := position.Parse(fen, p.chess960)
	if err != nil {
		return fmt.Errorf("%s: %w", fen, err)
	}
	g := &game{Game: position.NewGame(start), set: "position fen " + fen + " moves"}
	g.left = [2]time.Duration{gameTime, gameTime}
	g.limits = pick(p.rng, "", "movetime 20", "nodes 3000")
	if err := p.send("ucinewgame"); err != nil {
		return err
	}
	pondering := false
	for range maxPlies {
		if rules.EndedOrClaimable(g.Game).Over() {
			break
		}
		answer, err := p.think(g, pondering)
		if err != nil {
			return err
		}
		best, ponder, _ := strings.Cut(answer, " ponder ")
		if err := g.play(best); err != nil {
			return err
		}
		// The opponent plays the expected move at times, so that the search is a
		// hit, and else answers for itself.
		if pondering = ponder != "" && p.oneIn(4); pondering {
			if err := g.play(ponder); err != nil {
				return err
			}
		}
	}
	return nil
}

// play plays a move.
func (g *game) play(move string) error {
	m, err := notation.ParseUCI(&g.Pos, move)
	if err != nil {
		return err
	}
	g.Play(m)
	g.set += " " + move
	return nil
}

// think searches the position of a game, first as the expected one if pondering, and
// returns the words after bestmove. It takes the time from the clock.
func (p *player) think(g *game, pondering bool) (answer string, err error) {
	limits := g.limits
	if limits == "" {
		limits = fmt.Sprintf("wtime %d btime %d winc %d binc %d", g.left[chess.White].Milliseconds(),
			g.left[chess.Black].Milliseconds(), increment.Milliseconds(), increment.Milliseconds())
	}
	if pondering {
		limits = "ponder " + limits
	}
	if err := p.sendAll(strings.TrimSuffix(g.set, " moves"), "go "+limits); err != nil {
		return "", err
	}
	if pondering {
		p.pause(100 * time.Millisecond)
		if err := p.send("ponderhit"); err != nil {
			return "", err
		}
	}
	begin := time.Now()
	answer, err = p.await()
	left := &g.left[g.Pos.SideToMove()]
	*left = max(*left-time.Since(begin)+increment, leastTime)
	return answer, err
}
