package uci

import (
	"fmt"

	"skein/chess"
	"skein/movegen"
	"skein/position"
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

// fiftyMoves is the limit of the fifty-move rule in plies.
const fiftyMoves = 100

// resultOf returns p1win, p2win, draw, or none if the game goes on. The third
// occurrence of a position and the fiftieth move without progress end it.
func resultOf(g *position.Game) string {
	p := &g.Pos
	switch noMoves := movegen.Count(p) == 0; {
	case noMoves && p.InCheck() && p.SideToMove() == firstPlayer:
		return "p2win"
	case noMoves && p.InCheck():
		return "p1win"
	case noMoves, p.InsufficientMaterial(), p.Halfmoves() >= fiftyMoves, g.Repetitions() >= 2:
		return "draw"
	}
	return "none"
}
