package record

import (
	"fmt"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// Replay replays g and calls visit, if not nil, with the position before each
// ply. The error is a *rules.ReplayError: an illegal move, or a result or end
// that contradicts the rules.
func (g *Game) Replay(visit func(p *position.Position, ply int)) error {
	moves := make([]chess.Move, len(g.Plies))
	for i, ply := range g.Plies {
		moves[i] = ply.Move
	}
	game, err := rules.Replay(g.Start, moves, visit)
	if err != nil {
		return err
	}
	if !g.endHolds(game) {
		reason := fmt.Sprintf("the game claims %v by %v in %s", g.Result, g.End, game.Pos.FEN())
		return &rules.ReplayError{Ply: len(g.Plies), Reason: reason}
	}
	return nil
}

// endHolds reports whether the result and end of g are possible for game, which
// is g after its last move.
func (g *Game) endHolds(game *position.Game) bool {
	switch g.End {
	case Checkmate, Stalemate, Material, Threefold, FiftyMoves:
		outcome := rules.EndedOrClaimable(game)
		return g.Result == outcome.Result && g.End == EndOf(outcome.Reason)
	case Length, ScoreDraw:
		return g.Result == rules.Draw
	case ScoreWin:
		return g.Result != rules.Draw
	}
	return true
}
