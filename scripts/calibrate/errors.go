package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skein/chess"
	"skein/internal/plot"
	"skein/internal/selfplay"
	"skein/movegen"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// Moves are compared only from openingPlies on, and while the better side is
// expected to score at most decidedShare of the point.
const (
	openingPlies = 8
	decidedShare = 0.98
)

// leastTime is the time of a game, in seconds, below which haste decides.
const leastTime = 180

// lossBounds are the lower bounds of the bars: losses of expected points, in
// percent. Those below the first are no errors.
var lossBounds = [...]float64{2, 5, 10, 15, 20, 30, 40, 50}

// tally counts the moves of the players of one kind by what they lost.
type tally struct {
	players, moves int
	lost           float64 // percent of points, the sum
	errors         [len(lossBounds)]int
	queens         int // moves that leave the queen to be taken at once and lose 20 percent or more
}

// game is the moves of one game and for whom to count them.
type game struct {
	start  position.Position
	moves  []chess.Move
	counts [2]bool // by color
}

// compareErrors measures the errors of players of each rating in games of the
// engine with itself, and of people in games of a PGN file.
func compareErrors(ctx context.Context, s *settings) (err error) {
	ratings, err := s.list()
	if err != nil {
		return err
	}
	judge, err := search.New(s.net, search.Options{Threads: 1, Hash: 16})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, judge.Close()) }()
	fmt.Fprintln(s.out, "| rating | | players | moves | lost per move, % | 10 % or more | 20 % or more |"+
		" 30 % or more | queens |\n|---|---|---|---|---|---|---|---|---|")
	for _, elo := range ratings {
		people, err := s.people(elo)
		if err != nil {
			return err
		}
		own, err := s.own(ctx, elo)
		if err != nil {
			return err
		}
		var tallies [2]tally
		for i, games := range [][]game{people, own} {
			for _, g := range games {
				if err := ctx.Err(); err != nil {
					return err
				}
				tallies[i].judge(judge, &g, s.errorNodes)
			}
			tallies[i].report(s.out, elo, [...]string{"people", "Skein"}[i])
		}
		if s.folder != "" {
			path := filepath.Join(s.folder, fmt.Sprintf("errors-%d.svg", elo))
			if err := os.WriteFile(path, chart(elo, &tallies).SVG(), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// people reads the games of players whose rating is about elo.
func (s *settings) people(elo int) ([]game, error) {
	if s.pgn == "" {
		return nil, nil
	}
	f, err := os.Open(s.pgn)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var games []game
	for read, err := range notation.NewReader(f).All() {
		if err != nil {
			return nil, err
		}
		if base, _, _ := strings.Cut(read.Tags.Get("TimeControl"), "+"); base != "" {
			if seconds, err := strconv.Atoi(base); err != nil || seconds < leastTime {
				continue
			}
		}
		g := game{start: read.Start, moves: read.Moves()}
		for c, tag := range []string{"WhiteElo", "BlackElo"} {
			rating, err := strconv.Atoi(read.Tags.Get(tag))
			g.counts[c] = err == nil && abs(rating-elo) <= s.ratingWindow
		}
		if g.counts[0] || g.counts[1] {
			games = append(games, g)
		}
	}
	return games, nil
}

// own plays games of a rating with itself.
func (s *settings) own(ctx context.Context, elo int) ([]game, error) {
	var games []game
	err := s.match(elo, elo).Run(ctx, 0, (s.games+1)/2, s.workers, func(p *selfplay.Pair) error {
		g := game{start: p.Games[0].Start, counts: [2]bool{true, true}} // the second game is the same
		for _, ply := range p.Games[0].Plies {
			g.moves = append(g.moves, ply.Move)
		}
		games = append(games, g)
		return nil
	})
	return games, err
}

// judge counts the errors in g by searches of so many nodes.
func (t *tally) judge(judge *search.Engine, g *game, nodes uint64) {
	for _, counts := range g.counts {
		if counts {
			t.players++
		}
	}
	judge.NewGame()
	line := position.NewGame(g.start)
	search := func() (chess.Move, float64) {
		r := judge.Search(line, search.Limits{Nodes: nodes}, nil)
		return r.Best, share(r.Score)
	}
	best, before := search()
	for ply, m := range g.moves {
		us := line.Pos.SideToMove()
		played := line.Pos
		line.Play(m)
		reply, after := search()
		lost := 100 * (before - (1 - after))
		if m == best || reply == chess.NoMove {
			lost = 0 // also the end of the game
		}
		if g.counts[us] && ply >= openingPlies && max(before, 1-before) <= decidedShare {
			t.count(lost)
			if lost >= 20 && queenHangs(&played, m) {
				t.queens++
			}
		}
		best, before = reply, after
	}
}

// share returns the expected points at a score: 0 to 1.
func share(score chess.Score) float64 {
	win, draw, _ := search.WDL(score)
	return float64(2*win+draw) / 2000
}

// count counts a move.
func (t *tally) count(lost float64) {
	t.moves++
	t.lost += max(lost, 0)
	for i := len(lossBounds) - 1; i >= 0; i-- {
		if lost >= lossBounds[i] {
			t.errors[i]++
			return
		}
	}
}

// atLeast returns the share of moves that lost a percentage or more, which is one
// of lossBounds, in percent.
func (t *tally) atLeast(bound float64) float64 {
	n := 0
	for i, b := range lossBounds {
		if b >= bound {
			n += t.errors[i]
		}
	}
	return t.percent(n)
}

// percent returns n as a percentage of the moves.
func (t *tally) percent(n int) float64 { return 100 * float64(n) / float64(max(t.moves, 1)) }

// report writes the row of a table.
func (t *tally) report(out io.Writer, elo int, who string) {
	fmt.Fprintf(out, "| %d | %s | %d | %d | %.2f | %.1f %% | %.1f %% | %.1f %% | %d |\n", elo, who, t.players, t.moves,
		t.lost/float64(max(t.moves, 1)), t.atLeast(10), t.atLeast(20), t.atLeast(30), t.queens)
}

// chart draws how many moves lost how much.
func chart(elo int, tallies *[2]tally) *plot.Chart {
	c := &plot.Chart{
		Title: fmt.Sprintf("Errors at %d", elo), XLabel: "lost winning chances, %", YLabel: "moves, %", Bars: true,
		Series: []plot.Series{{Name: fmt.Sprintf("people, %d moves", tallies[0].moves)},
			{Name: fmt.Sprintf("Skein, %d moves", tallies[1].moves)}},
	}
	for i, bound := range lossBounds {
		label := fmt.Sprintf("%.0f or more", bound)
		if i+1 < len(lossBounds) {
			label = fmt.Sprintf("%.0f–%.0f", bound, lossBounds[i+1])
		}
		c.Labels = append(c.Labels, label)
		for k := range tallies {
			s := &c.Series[k]
			s.X, s.Y = append(s.X, float64(i)), append(s.Y, tallies[k].percent(tallies[k].errors[i]))
		}
	}
	return c
}

// queenGift is what the exchange must win beyond what the move before it won, in
// centipawns of position.SEEValue: more than a rook.
const queenGift = 600

// queenHangs reports whether the reply to m in p can win the queen of the player
// of m with the first capture. A pawn just promoted is no queen.
func queenHangs(p *position.Position, m chess.Move) bool {
	if m.IsPromotion() {
		return false
	}
	next := p.After(m)
	gain := position.SEEValue(p.Captured(m))
	return slices.ContainsFunc(movegen.Legal(&next), func(reply chess.Move) bool {
		return next.Captured(reply) == chess.Queen && next.SEE(reply, queenGift+gain)
	})
}
