package rules

import (
	"fmt"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// ReplayError is an error at one ply of a game.
type ReplayError struct {
	Ply    int // from 0; the number of plies if the end of the game is wrong
	Reason string
}

func (e *ReplayError) Error() string { return fmt.Sprintf("ply %d: %s", e.Ply, e.Reason) }

// Replay plays the moves from start and returns the game, which need not be
// over at the end and may continue after the rules ended it. It calls visit, if
// not nil, with the position before each move and the number of the ply, from
// 0; the position is valid only during the call. At the first illegal move it
// returns a *ReplayError and the game up to there. NoMove, a null move of a PGN, is
// illegal, too; see Game.After in package notation.
func Replay(
	start position.Position, moves []chess.Move, visit func(p *position.Position, ply int),
) (*position.Game, error) {
	g := position.NewGame(start)
	for i, m := range moves {
		if !movegen.IsLegal(&g.Pos, m) {
			return g, &ReplayError{i, fmt.Sprintf("move %v is illegal in %s", m, g.Pos.FEN())}
		}
		if visit != nil {
			visit(&g.Pos, i)
		}
		g.Play(m)
	}
	return g, nil
}
