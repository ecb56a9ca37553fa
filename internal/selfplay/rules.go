package selfplay

import (
	"fmt"

	"skein/internal/record"
	"skein/movegen"
	"skein/position"
)

// ended tells whether the rules end the game, how and why.
func ended(g *position.Game) (record.Result, record.End, bool) {
	p := &g.Pos
	stuck := movegen.Count(p) == 0
	switch {
	case stuck && p.InCheck():
		return record.WinFor(p.SideToMove().Other()), record.Checkmate, true
	case stuck:
		return record.Draw, record.Stalemate, true
	case p.InsufficientMaterial():
		return record.Draw, record.Material, true
	case g.Repetitions() >= 2:
		return record.Draw, record.Threefold, true
	case p.Halfmoves() >= 100:
		return record.Draw, record.FiftyMoves, true
	}
	return 0, record.Unknown, false
}

// adjudicator ends a game by the scores of its moves.
type adjudicator struct {
	*Adjudication
	wins, losses, draws int // scores in a row that speak for White, Black, a draw
}

// see looks at the score of a search, from White's view, at move number move.
func (a *adjudicator) see(score, move int) (record.Result, record.End, bool) {
	follow := func(n *int, speaks bool) {
		if *n++; !speaks {
			*n = 0
		}
	}
	follow(&a.wins, score >= a.WinScore)
	follow(&a.losses, score <= -a.WinScore)
	follow(&a.draws, move >= a.DrawMove && -a.DrawScore <= score && score <= a.DrawScore)
	switch {
	case a.WinPlies > 0 && a.wins >= a.WinPlies:
		return record.WhiteWins, record.WinAgreed, true
	case a.WinPlies > 0 && a.losses >= a.WinPlies:
		return record.BlackWins, record.WinAgreed, true
	case a.DrawPlies > 0 && a.draws >= a.DrawPlies:
		return record.Draw, record.DrawAgreed, true
	}
	return 0, record.Unknown, false
}

// ReplayError tells which ply of a game is wrong.
type ReplayError struct {
	Ply    int // from 0; the number of plies for what is wrong with the end
	Reason string
}

func (e *ReplayError) Error() string { return fmt.Sprintf("ply %d: %s", e.Ply, e.Reason) }

// Replay plays g over again and calls visit, if not nil, with each position
// that has a move. The error is a *ReplayError: an illegal move, or a game that
// did not end as it says.
func Replay(g *record.Game, visit func(p *position.Position, ply int)) error {
	game := position.NewGame(g.Start)
	for i, ply := range g.Plies {
		if !movegen.IsLegal(&game.Pos, ply.Move) {
			return &ReplayError{i, fmt.Sprintf("move %v is illegal in %s", ply.Move, game.Pos.ShredderFEN())}
		}
		if visit != nil {
			visit(&game.Pos, i)
		}
		game.Play(ply.Move)
	}
	switch g.End {
	case record.Checkmate, record.Stalemate, record.Material, record.Threefold, record.FiftyMoves:
		result, end, _ := ended(game)
		if result != g.Result || end != g.End {
			return &ReplayError{len(g.Plies), fmt.Sprintf("the game claims %v by %v in %s", g.Result, g.End, game.Pos.ShredderFEN())}
		}
	case record.Length, record.DrawAgreed:
		if g.Result != record.Draw {
			return &ReplayError{len(g.Plies), fmt.Sprintf("the game claims %v by %v", g.Result, g.End)}
		}
	case record.WinAgreed:
		if g.Result == record.Draw {
			return &ReplayError{len(g.Plies), fmt.Sprintf("the game claims %v by %v", g.Result, g.End)}
		}
	}
	return nil
}
