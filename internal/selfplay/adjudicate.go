package selfplay

import (
	"skein/internal/record"
	"skein/rules"
)

// adjudicator ends a game by the scores of its moves.
type adjudicator struct {
	*Adjudication
	wins, losses, draws int // scores in a row that speak for White, Black, a draw
}

// see looks at the score of a search, from White's view, at move number move.
func (a *adjudicator) see(score, move int) (rules.Result, record.End, bool) {
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
		return rules.WhiteWins, record.WinAgreed, true
	case a.WinPlies > 0 && a.losses >= a.WinPlies:
		return rules.BlackWins, record.WinAgreed, true
	case a.DrawPlies > 0 && a.draws >= a.DrawPlies:
		return rules.Draw, record.DrawAgreed, true
	}
	return rules.NoResult, record.Unknown, false
}
