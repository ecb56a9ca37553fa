package review

import (
	"slices"
	"strings"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

// comment returns the comment after move n of the main line, from 1, or before the
// first move for 0.
func comment(g *notation.Game, n int) string {
	if n == 0 {
		return g.Main.Comment
	}
	return g.Main.Moves[n-1].Notes.Value().Comment
}

// startScore is what lichess takes for the score of the start position.
const startScore = 15 // centipawns

// FromEvals reviews a game by the evaluations in its comments, without searching.
// It reports whether there is one after each move; only a move that ends the game
// needs none. Without one before the first move, White is a little better there.
//
// Verdicts are those of the glyphs if a review wrote them, with words about the best
// move. Otherwise best moves are not known, so that a move that loses chances is judged
// even if there is none better.
func FromEvals(g *notation.Game, c Curve) (*Game, bool) {
	reviewed := newGame(g, &Options{Curve: c})
	before := Score(chess.Centipawns(startScore).Score())
	if s, ok := notation.ParseEval(comment(g, 0), g.Start.SideToMove()); ok {
		before = Score(s)
	}
	reviewed.Score = before
	reviewed.Chances = round(c.Chances(before), 4)
	judged := slices.ContainsFunc(g.Main.Moves, func(n notation.Node) bool {
		notes := n.Notes.Value()
		return fault(notes.NAGs) != None && strings.Contains(notes.Comment, " was best.")
	})
	at := position.NewGame(g.Start)
	for i := range reviewed.Plies {
		p, mover := &reviewed.Plies[i], reviewed.side(i+1)
		at.Play(g.Main.Moves[i].Move)
		read, ok := notation.ParseEval(comment(g, i+1), mover.Other())
		after := Score(read)
		if !ok {
			if after, ok = endScore(rules.Ended(at), mover.Other()); !ok {
				return nil, false
			}
		}
		p.weigh(before, after, mover, c)
		if p.Verdict = c.judge(before, after, mover); judged {
			p.Verdict = writtenVerdict(g.Main.Moves[i].Notes.Value())
		}
		p.Words = p.words(mover, "")
		before = after
	}
	reviewed.summarize()
	return reviewed, true
}

// endScore returns the score of a game that is over, with side to move, and whether
// it is over.
func endScore(o rules.Outcome, side chess.Color) (s Score, ok bool) {
	if o.Reason == rules.Checkmate {
		return ScoreOf(chess.MatedIn(0), side), true
	}
	return 0, o.Over()
}
