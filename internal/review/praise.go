package review

import (
	"slices"

	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/search"
)

// Bounds of praise. Chances are those of the player, 0 to 1.
const (
	decided   = 0.90 // chances without the move from which on the game is won anyway
	hopeless  = 0.20 // chances with the move up to which the game is lost anyway
	losing    = 0.35 // chances up to which a position is losing
	sacrifice = 200  // least material that is a sacrifice, in centipawns of exchanges
)

// praise returns the praise for the move with index i, which is the best one, None
// for most: it is better than all others by much, and hard to find.
//
//   - OnlyMove: all others lose.
//   - Brilliant: it gives up material, all others are worse, and it does not answer a check.
//   - Good: it is better than all others by as much as makes a blunder.
//
// Moves of the opening, recaptures, captures and promotions to a queen that lose no
// material, mates in one, and answers to a check that leaves few moves are easy to find.
func (r *reviewer) praise(i int, before, after *finding) (Verdict, error) {
	at := r.game.After(i)
	m, side := r.game.Main.Moves[i].Move, at.Pos.SideToMove()
	c := r.options.Curve
	with := chancesOf(c, after.score, side)
	if with <= hopeless || r.easy(i, at) || c.judge(before.score, after.score, side) != None {
		return None, nil
	}
	given := !at.Pos.InCheck() && sacrifices(&at.Pos, m)
	second, err := r.second(at, m)
	if err != nil {
		return None, err
	}
	without := chancesOf(c, second, side)
	worse := min(c.judge(before.score, second, side), c.judge(after.score, second, side))
	switch {
	case without >= decided:
		return None, nil
	case given && with >= 0.5 && worse != None:
		return Brilliant, nil
	case worse != Blunder:
		return None, nil
	case without <= losing && with < 1-losing:
		return OnlyMove, nil
	}
	return Good, nil
}

// chancesOf returns the chances of a side.
func chancesOf(c Curve, s Score, side chess.Color) float64 { return c.Chances(Score(s.Of(side))) }

// easy reports whether the move with index i, played in the position of at, needs no
// praise whatever the others are.
func (r *reviewer) easy(i int, at *position.Game) bool {
	p, m := &at.Pos, r.game.Main.Moves[i].Move
	if o := r.reviewed.Opening; o != nil && i < o.Plies {
		return true
	}
	after, choice := p.After(m), len(others(p, m))
	switch {
	case after.InCheck() && movegen.Count(&after) == 0, choice == 0, p.InCheck() && choice < 3:
		return true
	case !p.IsCapture(m) && !(m.IsPromotion() && m.Promotion() == chess.Queen):
		return false
	}
	if i > 0 {
		before := r.game.After(i - 1).Pos
		if last := r.game.Main.Moves[i-1].Move; before.IsCapture(last) && last.To() == m.To() {
			return true
		}
	}
	return p.SEE(m, 0)
}

// others returns the legal moves of p other than m.
func others(p *position.Position, m chess.Move) []chess.Move {
	return slices.DeleteFunc(movegen.Legal(p), func(other chess.Move) bool { return other == m })
}

// sacrifices reports whether m gives up material: the opponent can capture more
// than m does.
func sacrifices(p *position.Position, m chess.Move) bool {
	gained := 0
	if p.IsCapture(m) {
		gained = position.SEEValue(p.Captured(m))
	}
	after := p.After(m)
	return slices.ContainsFunc(movegen.Legal(&after), func(reply chess.Move) bool {
		return after.IsCapture(reply) && after.SEE(reply, gained+sacrifice)
	})
}

// second returns the score of the best move other than m.
func (r *reviewer) second(at *position.Game, m chess.Move) (Score, error) {
	lim := search.Limits{Depth: r.options.Limits.Depth, Nodes: (r.options.Limits.Nodes + 1) / 2,
		MoveTime: (r.options.Limits.MoveTime + 1) / 2, SearchMoves: others(&at.Pos, m)}
	exact, last, err := r.run(at, lim)
	if last.bound == search.LowerBound || len(exact.moves) == 0 {
		exact = last
	}
	return ScoreOf(exact.score, at.Pos.SideToMove()), err
}
