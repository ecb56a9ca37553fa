package web

import (
	"math"

	"skein/chess"
	"skein/internal/review"
	"skein/search"
)

// scoreView is an evaluation from White's point of view.
type scoreView struct {
	Text   string            `json:"text"` // +0.35, #-3, table win
	CP     *chess.Centipawns `json:"cp,omitempty"`
	Mate   *int              `json:"mate,omitempty"` // moves, negative if Black mates
	Chance float64           `json:"chance"`         // White's winning chances, 0 to 1
	WDL    [3]int            `json:"wdl"`            // permille of White's wins, draws and losses
}

// newScoreView describes the score of a side to move, with chances by a curve.
func newScoreView(s chess.Score, side chess.Color, c review.Curve) scoreView {
	win, draw, loss := search.WDL(s)
	if side == chess.Black {
		win, loss = loss, win
	}
	shown := review.ScoreOf(s, side)
	v := scoreView{Text: shown.String(), WDL: [3]int{win, draw, loss}}
	v.CP, v.Mate = shown.Shown()
	switch winner, ok := shown.Winner(); {
	case !ok:
		v.Chance = math.Round(1e4*c.Chances(shown)) / 1e4
	case winner == chess.White:
		v.Chance = 1
	}
	return v
}
