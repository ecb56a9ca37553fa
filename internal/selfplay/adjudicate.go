package selfplay

import (
	"skein/chess"
	"skein/internal/record"
	"skein/rules"
)

// adjudicator adjudicates a game by the scores of its moves.
type adjudicator struct {
	*Adjudication
	wins, losses, draws int // numbers of consecutive scores within the limits
}

// see records the score of a search, from White's view, at a move number, and
// reports whether the game is adjudicated, with result and reason.
func (a *adjudicator) see(score chess.Score, move int) (rules.Result, record.End, bool) {
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
		return rules.WhiteWins, record.ScoreWin, true
	case a.WinPlies > 0 && a.losses >= a.WinPlies:
		return rules.BlackWins, record.ScoreWin, true
	case a.DrawPlies > 0 && a.draws >= a.DrawPlies:
		return rules.Draw, record.ScoreDraw, true
	}
	return rules.NoResult, record.Unknown, false
}
