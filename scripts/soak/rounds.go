//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// kinds are the kinds of rounds. One of a greater weight is played more often.
var kinds = []struct {
	name   string
	weight int
	play   func(*player) error
}{
	{"game", 3, (*player).game},
	{"analysis", 16, (*player).analysis},
	{"queue of commands", 4, (*player).queue},
	{"options", 8, (*player).setOptions},
	{"restart", 1, (*player).restart},
}

// setPosition sends a position after a few random moves, and returns it.
func (p *player) setPosition() (position.Position, error) {
	fen := p.fen()
	start, err := position.Parse(fen, p.chess960)
	if err != nil {
		return start, fmt.Errorf("%s: %w", fen, err)
	}
	game := position.NewGame(start)
	var moves []chess.Move
	for range p.rng.IntN(8) {
		legal := movegen.Legal(&game.Pos)
		if len(legal) == 0 {
			break
		}
		m := pick(p.rng, legal...)
		game.Play(m)
		moves = append(moves, m)
	}
	if len(moves) == 0 {
		return game.Pos, p.send("position fen %s", fen)
	}
	return game.Pos, p.send("position fen %s moves%s", fen, p.format(moves))
}

// format returns moves in UCI notation, each after a space.
func (p *player) format(moves []chess.Move) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(" " + notation.FormatUCI(m, p.chess960))
	}
	return b.String()
}

// analysis searches a position in one of the ways that analysis offers.
func (p *player) analysis() error {
	pos, err := p.setPosition()
	if err != nil {
		return err
	}
	limits, endings := p.anyLimits(&pos)
	if err := p.send("go %s", limits); err != nil {
		return err
	}
	if len(endings) > 0 {
		p.pause(300 * time.Millisecond)
		if p.oneIn(4) {
			err = p.send("isready")
		}
		if err == nil {
			err = p.send("%s", pick(p.rng, endings...))
		}
		if err != nil {
			return err
		}
	}
	_, err = p.await()
	return err
}

// anyLimits returns the words after go of any kind of search, and the commands that
// may end it if it does not end by itself.
func (p *player) anyLimits(pos *position.Position) (limits string, endings []string) {
	switch p.rng.IntN(10) {
	case 0:
		return fmt.Sprintf("depth %d nodes 200000", 1+p.rng.IntN(10)), nil
	case 1:
		return fmt.Sprintf("nodes %d", 1+p.rng.IntN(100)), nil
	case 2:
		return fmt.Sprintf("nodes %d", 1+p.rng.IntN(100000)), nil
	case 3:
		return fmt.Sprintf("movetime %d", 1+p.rng.IntN(200)), nil
	case 4:
		return fmt.Sprintf("wtime %d btime %d movestogo 20", 20+p.rng.IntN(2000), 20+p.rng.IntN(2000)), nil
	case 5:
		return fmt.Sprintf("mate %d nodes 100000", 1+p.rng.IntN(5)), nil
	case 6:
		return fmt.Sprintf("mate %d", 1+p.rng.IntN(5)), []string{"stop"}
	case 7:
		return "ponder wtime 1000 btime 1000", []string{"ponderhit", "stop"}
	case 8:
		moves := movegen.Legal(pos)
		p.rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		return "infinite searchmoves" + p.format(moves[:len(moves)/2]), []string{"stop"}
	}
	return "infinite", []string{"stop"}
}

// queue sends commands without waiting for answers, searches among them.
func (p *player) queue() error {
	for range 2 + p.rng.IntN(6) {
		pos, err := p.setPosition()
		if err != nil {
			return err
		}
		limits, _ := p.anyLimits(&pos)
		lines := []string{"go " + limits}
		switch p.rng.IntN(5) {
		case 0:
			lines = append(lines, "isready")
		case 1:
			lines = append(lines, fmt.Sprintf("setoption name MultiPV value %d", 1+p.rng.IntN(4)))
		case 2:
			lines = append(lines, "ucinewgame", "isready")
		case 3:
			lines = append(lines, "setoption name Clear Hash", "stop")
		}
		if err := p.sendAll(lines...); err != nil {
			return err
		}
		p.pause(20 * time.Millisecond)
	}
	if err := p.sendAll("stop", "isready"); err != nil {
		return err
	}
	_, err := p.await()
	return err
}
