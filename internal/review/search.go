package review

import (
	"context"
	"fmt"
	"strings"

	"skein/chess"
	"skein/notation"
	"skein/openings"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// Options say how games are reviewed. The zero value searches forever.
type Options struct {
	// Limits are those of each search; of its fields Depth, Nodes and MoveTime
	// count. A search that ends with a bound instead of a score goes on for up to half
	// as many nodes or half as long.
	Limits search.Limits
	Curve  Curve
	Praise bool   // give the verdicts Good, Brilliant and OnlyMove
	Engine string // name and version, for Game.Engine
	// Progress, if not nil, is called after every search, by the goroutine of Review.
	Progress func(Progress)
}

// Progress is how far the review of a game has come.
type Progress struct {
	Done, Total int // positions searched, and to search
}

// maxLine is the number of moves kept of a best line.
const maxLine = 10

// Review searches all positions of the main line of g and judges its moves. It
// goes from the last position to the first, so that the transposition table knows
// what comes, and clears the tables of e before. With one thread and limits of
// depth or nodes only, the review is a function of the game and the options.
//
// A game without moves is not searched. The error is the cause of ctx when that is
// done.
func Review(ctx context.Context, e *search.Engine, g *notation.Game, o Options) (*Game, error) {
	r := &reviewer{ctx: ctx, engine: e, options: &o, game: g, reviewed: newGame(g, &o)}
	plies := r.reviewed.Plies
	if len(plies) == 0 {
		r.reviewed.Chances = o.Curve.Chances(0)
		r.reviewed.summarize()
		return r.reviewed, context.Cause(ctx)
	}
	e.NewGame()
	var after finding
	for n := len(plies); n >= 0; n-- {
		before, err := r.find(n)
		if err != nil {
			return nil, err
		}
		if n < len(plies) {
			if err := r.judge(n, &before, &after); err != nil {
				return nil, err
			}
		}
		if o.Progress != nil {
			o.Progress(Progress{Done: len(plies) - n + 1, Total: len(plies) + 1})
		}
		after = before
	}
	r.reviewed.Score = after.score
	r.reviewed.Chances = round(o.Curve.Chances(after.score), 4)
	r.reviewed.summarize()
	return r.reviewed, nil
}

// newGame returns what is known of a game without searching.
func newGame(g *notation.Game, o *Options) *Game {
	reviewed := &Game{
		Tags: tagsOf(g), Start: g.Start.FEN(), Chess960: g.Chess960, Result: g.Result.String(),
		Engine: o.Engine, Limit: LimitText(o.Limits), Curve: o.Curve, Plies: make([]Ply, len(g.Main.Moves)),
	}
	if o, plies := openings.Of(g.Start, g.Moves()); plies > 0 {
		reviewed.Opening = &Opening{o.ECO, o.Name, plies}
	}
	p, phase := g.Start, OpeningPhase
	for i := range g.Main.Moves {
		m := g.Main.Moves[i].Move
		phase = phaseOf(&p, phase)
		ply := &reviewed.Plies[i]
		ply.Number, ply.Phase = i+1, phase
		ply.Move, ply.SAN = notation.FormatUCI(m, g.Chess960), notation.FormatSAN(&p, m)
		if left, ok := notation.ParseClock(comment(g, i+1)); ok {
			seconds := left.Seconds()
			ply.Clock = &seconds
		}
		p = p.After(m)
		ply.FEN = p.FEN()
	}
	return reviewed
}

// LimitText describes the limits of searches of a review, such as "300000 nodes a
// move". It is "" if there are none.
func LimitText(l search.Limits) string {
	var parts []string
	if l.Depth > 0 {
		parts = append(parts, fmt.Sprintf("depth %d", l.Depth))
	}
	if l.Nodes > 0 {
		parts = append(parts, fmt.Sprintf("%d nodes a move", l.Nodes))
	}
	if l.MoveTime > 0 {
		parts = append(parts, fmt.Sprintf("%v a move", l.MoveTime))
	}
	return strings.Join(parts, ", ")
}

// reviewer reviews one game.
type reviewer struct {
	ctx      context.Context
	engine   *search.Engine
	options  *Options
	game     *notation.Game
	reviewed *Game
}

// finding is what is known of a position.
type finding struct {
	score Score
	depth int          // of the search
	line  []chess.Move // the best one, empty if the game is over
}

// find searches the position after n moves, unless the game is over there.
func (r *reviewer) find(n int) (f finding, err error) {
	at := r.game.After(n)
	side := at.Pos.SideToMove()
	if end, over := endScore(r.ended(at, n), side); over {
		return finding{score: end}, context.Cause(r.ctx)
	}
	found, err := r.search(at)
	return finding{ScoreOf(found.score, side), found.depth, found.moves}, err
}

// ended returns the outcome of the game if it is over at the position after n
// moves. A draw that could be claimed there counts if the game ended as a draw.
func (r *reviewer) ended(at *position.Game, n int) rules.Outcome {
	if n == len(r.game.Main.Moves) && r.game.Result == rules.Draw {
		return rules.EndedOrClaimable(at)
	}
	return rules.Ended(at)
}

// judge sets what the review says of the move with index i.
func (r *reviewer) judge(i int, before, after *finding) error {
	p, m := &r.reviewed.Plies[i], r.game.Main.Moves[i].Move
	side := r.reviewed.side(i + 1)
	p.weigh(before.score, after.score, side, r.options.Curve)
	p.Depth = before.depth
	if m == chess.NoMove || len(before.line) == 0 {
		return nil
	}
	if before.line[0] == m {
		return r.admire(i, before, after)
	}
	at := r.game.After(i)
	p.Verdict = r.options.Curve.judge(before.score, after.score, side)
	p.best = before.line[:min(len(before.line), maxLine)]
	for _, m := range p.best {
		p.Best = append(p.Best, notation.FormatUCI(m, r.game.Chess960))
	}
	p.BestSAN = notation.FormatLine(&at.Pos, p.best)
	p.Words = p.words(side, notation.FormatSAN(&at.Pos, p.best[0]))
	return nil
}

// admire praises the move with index i, the best one, if it deserves it.
func (r *reviewer) admire(i int, before, after *finding) (err error) {
	if !r.options.Praise {
		return nil
	}
	p := &r.reviewed.Plies[i]
	p.Verdict, err = r.praise(i, before, after)
	p.Words = p.words(r.reviewed.side(i+1), "")
	return err
}

// weigh sets the scores of a move of side and what follows from them alone.
func (p *Ply) weigh(before, after Score, side chess.Color, c Curve) {
	p.Before, p.After = before, after
	p.Chances = round(c.Chances(after), 4)
	p.Accuracy = round(accuracy(c.Chances(Score(before.Of(side))), c.Chances(Score(after.Of(side)))), 1)
	p.Loss = max(Score(before.Of(side)).centipawns()-Score(after.Of(side)).centipawns(), 0)
}
