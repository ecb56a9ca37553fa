package rules

import (
	"fmt"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// ReplayError says at which ply of a game something is wrong.
type ReplayError struct {
	Ply    int // from 0; the number of plies for what is wrong with the end
	Reason string
}

func (e *ReplayError) Error() string { return fmt.Sprintf("ply %d: %s", e.Ply, e.Reason) }

// Replay plays the moves from start and returns the game, which need not be
// over at the end and may go on where the rules would have ended it. It calls
// visit, if not nil, with the position before each move and the number of the
// ply, from 0; the position is valid during the call. The error is a
// *ReplayError for the first illegal move, together with the game as far as it
// was legal.
func Replay(
	start position.Position, moves []chess.Move, visit func(p *position.Position, ply int),
) (*position.Game, error) {
	g := position.NewGame(start)
	for i, m := range moves {
		if !movegen.IsLegal(&g.Pos, m) {
			return g, &ReplayError{i, fmt.Sprintf("move %v is illegal in %s", m, g.Pos.ShredderFEN())}
		}
		if visit != nil {
			visit(&g.Pos, i)
		}
		g.Play(m)
	}
	return g, nil
}
