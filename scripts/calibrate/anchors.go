package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"skein/chess"
	"skein/internal/selfplay"
	"skein/position"
	"skein/rules"
	"skein/search"
	"skein/uciclient"
)

// anchorRatings are the ratings of Stockfish's skill levels from 0 on.
//
// Source: https://github.com/official-stockfish/Stockfish/pull/4341, measured at
// 120+1 on the scale of CCRL's blitz list.
var anchorRatings = [...]int{1320, 1468, 1608, 1742, 1923, 2204, 2363}

// playAnchors plays each anchor against the two levels nearest to it in rating.
func (s *settings) playAnchors(ctx context.Context, levels []search.Level, f *fit) error {
	for skill, rating := range anchorRatings {
		if rating < levels[0].Elo-100 || rating > levels[len(levels)-1].Elo+100 {
			continue
		}
		order := make([]int, len(levels))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int {
			return cmp.Compare(abs(levels[a].Elo-rating), abs(levels[b].Elo-rating))
		})
		anchor := f.anchor(rating)
		for _, i := range order[:2] {
			standing, err := s.playAnchor(ctx, levels[i].Elo, skill)
			if err != nil {
				return fmt.Errorf("anchor %d: %w", rating, err)
			}
			difference, margin := standing.Elo()
			fmt.Fprintf(s.out, "%d - anchor %d: %+.0f ± %.0f, says %+d (%d-%d-%d)\n", levels[i].Elo, rating,
				difference, margin, levels[i].Elo-rating, standing.Wins, standing.Draws, standing.Losses)
			f.add(i, anchor, &standing)
		}
	}
	return nil
}

func abs(x int) int { return max(x, -x) }

// duel is the engine at a rating and an anchor.
type duel struct {
	s      *settings
	elo    int
	engine *search.Engine
	anchor *uciclient.Engine
}

// playAnchor plays a rating against a skill level and returns the result from the
// view of the rating.
func (s *settings) playAnchor(ctx context.Context, elo, skill int) (standing selfplay.Standing, err error) {
	d := duel{s: s, elo: elo}
	if d.engine, err = search.New(s.net, search.Options{Threads: 1, Hash: 16}); err != nil {
		return standing, err
	}
	defer func() { err = errors.Join(err, d.engine.Close()) }()
	if d.anchor, err = uciclient.Start(ctx, s.anchors); err != nil {
		return standing, err
	}
	defer func() { err = errors.Join(err, d.anchor.Quit(ctx)) }()
	if err := d.anchor.SetSpin(ctx, "Skill Level", int64(skill)); err != nil {
		return standing, err
	}
	match := s.match(elo, 0)
	openings, err := selfplay.NewPlayer(s.net, &match.Config)
	if err != nil {
		return standing, err
	}
	defer func() { err = errors.Join(err, openings.Close()) }()
	for n := range (s.anchorGames + 1) / 2 {
		start, _, err := openings.Start(ctx, uint64(n))
		if err != nil {
			return standing, err
		}
		var p selfplay.Pair
		for i := range p.Games {
			if p.Games[i].Result, err = d.game(ctx, start, chess.Color(i)); err != nil {
				return standing, err
			}
			points := p.Games[i].Result.HalfPoints()
			if i == 1 {
				points = 2 - points
			}
			p.Points += points
		}
		standing.Add(&p)
	}
	return standing, nil
}

// game plays a game with the engine as us.
func (d *duel) game(ctx context.Context, start position.Position, us chess.Color) (rules.Result, error) {
	d.engine.NewGame()
	if err := d.anchor.NewGame(ctx); err != nil {
		return rules.NoResult, err
	}
	g, told := position.NewGame(start), uciclient.Game{Start: start}
	limits := search.Limits{Strength: search.Strength{Elo: d.elo, Seed: d.s.seed + uint64(start.Key())}}
	for len(told.Moves) < 400 {
		var m chess.Move
		if g.Pos.SideToMove() == us {
			m = d.engine.Search(g, limits, nil).Best
		} else {
			r, err := d.anchor.Play(ctx, told, uciclient.Limits{Nodes: d.s.anchorNodes})
			if err != nil {
				return rules.NoResult, err
			}
			m = r.Best
		}
		g.Play(m)
		told.Moves = append(told.Moves, m)
		if outcome := rules.EndedOrClaimable(g); outcome.Over() {
			return outcome.Result, nil
		}
	}
	return rules.Draw, nil
}
