package uci

import (
	"fmt"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

// UGI is a protocol like UCI for games of any kind. A session that begins with
// ugi instead of uci speaks it: bestmove has no ponder move, and query asks for
// the state of the game. White is p1, Black p2. All other commands are those of
// UCI.
//
// Source: kz04px, "Universal Game Interface", in the repository cutegames.

// identifyUGI runs ugi.
func (d *Driver) identifyUGI(*job) error {
	d.ugi = true
	d.introduce("ugiok")
	return nil
}

// query runs query, which asks for the state of the game.
func (d *Driver) query(j *job) error {
	result := resultOf(d.game)
	answer := ""
	switch j.args {
	case "gameover":
		answer = fmt.Sprint(result != "none")
	case "p1turn":
		answer = fmt.Sprint(d.game.Pos.SideToMove() == firstPlayer)
	case "result":
		answer = result
	default:
		return fmt.Errorf("query: expected gameover, p1turn or result, found %s", quote(j.args))
	}
	d.out.printf("response %s\n", answer)
	return nil
}

// firstPlayer is p1.
const firstPlayer = chess.White

// resultOf returns p1win, p2win, draw, or none if the game goes on. A draw that
// can be claimed, by threefold repetition or fifty moves, ends it.
func resultOf(g *position.Game) string {
	switch rules.EndedOrClaimable(g).Result {
	case rules.WhiteWins:
		return "p1win"
	case rules.BlackWins:
		return "p2win"
	case rules.Draw:
		return "draw"
	}
	return "none"
}
