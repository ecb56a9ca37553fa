package dataset

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"skein/chess"
	"skein/internal/record"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

// pgnGames calls put with the games of a PGN file in batches. Games without a
// result are left out unless unfinished is true.
func (r GameReader) pgnGames(name string, f io.Reader, unfinished bool, put func(*GameBatch) error) error {
	in := notation.NewReader(f)
	b := &GameBatch{name: name}
	for {
		g, err := in.Read()
		if _, ok := errors.AsType[*notation.PGNError](err); ok && r.Invalid != nil {
			r.Invalid(fmt.Errorf("%s: %w", name, err))
			continue
		}
		if err == nil {
			if unfinished || g.Result != rules.NoResult {
				game, scored := fromPGN(g)
				b.Games, b.scored = append(b.Games, game), append(b.scored, scored)
			} else {
				b.LeftOut++
			}
		}
		if len(b.Games) == gamesPerBatch || err != nil && len(b.Games)+b.LeftOut > 0 {
			if err := put(b); err != nil {
				return err
			}
			b = &GameBatch{name: name}
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
}

// fromPGN converts the main line of a game, up to a null move, and reports
// which plies have a score.
func fromPGN(g *notation.Game) (game record.Game, scored []bool) {
	game = record.Game{Start: g.Start, Result: g.Result}
	pos := position.NewGame(g.Start)
	next, nextKnown := chess.DrawScore, false // the score of this ply from the comment before it
	for _, node := range g.Main.Moves {
		if node.Move == chess.NoMove {
			break
		}
		comment := node.Notes.Value().Comment
		score, known := moveScore(comment)
		if pos.Pos.SideToMove() == chess.Black {
			score = -score
		}
		if !known {
			score, known = next, nextKnown
		}
		game.Plies = append(game.Plies, record.Ply{Move: node.Move, Score: score})
		scored = append(scored, known)
		pos.Play(node.Move)
		next, nextKnown = notation.ParseEval(comment, pos.Pos.SideToMove())
	}
	return game, scored
}

// trim trims each game to its first sequence of plies with scores, and leaves out
// games without scores.
func (b *GameBatch) trim() {
	kept := 0
	for i := range b.Games {
		g, scored := &b.Games[i], b.scored[i]
		first := slices.Index(scored, true)
		if first < 0 {
			continue
		}
		n := slices.Index(scored[first:], false)
		if n < 0 {
			n = len(scored) - first
		}
		pos := position.NewGame(g.Start)
		for _, ply := range g.Plies[:first] {
			pos.Play(ply.Move)
		}
		b.Games[kept] = record.Game{Start: pos.Pos, Result: g.Result, Plies: g.Plies[first : first+n]}
		b.scored[kept] = scored[first : first+n]
		kept++
	}
	b.LeftOut += len(b.Games) - kept
	b.Games, b.scored = b.Games[:kept], b.scored[:kept]
}

// moveScore returns the score at the start of a comment on an engine's move, as
// in {+0.35/12 1.2s} or {-M6/20}: pawns, from the view of the side that moved.
func moveScore(comment string) (score chess.Score, ok bool) {
	text, _, found := strings.Cut(strings.TrimSpace(comment), "/")
	if !found || !strings.ContainsAny(text, "+-.") {
		return 0, false // such as a result or a date
	}
	return notation.ParseScore(strings.Replace(text, "M", "#", 1))
}
