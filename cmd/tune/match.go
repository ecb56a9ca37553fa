package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"skein/internal/cli"
	"skein/internal/selfplay"
	"skein/internal/status"
)

// match implements the command match.
func match(flags *cli.Flags) cli.Run {
	flags.Group("Networks")
	netA := flags.StringP("first", "a", "", "`file` of the first network; default is the embedded one")
	netB := flags.StringP("second", "b", "", "`file` of the second network; default is the embedded one")
	flags.Group("Match")
	pairs := flags.Int("pairs", 250, "number of `pairs` of games with the same opening and colors reversed")
	workers := flags.Int("workers", runtime.NumCPU(), "number of simultaneous games; does not affect the result")
	least := flags.Float64("least", math.Inf(-1), "fail unless the first network is at least this many `Elo` stronger")
	adjudicate := flags.Bool("adjudicate", true, "adjudicate games by the scores of both sides")
	c := selfplay.DefaultConfig()
	flags.Group("Searches")
	flags.Uint64Var(&c.HardNodes, "nodes", 10000, "stop a search after this many `nodes`; 0: no limit")
	flags.Uint64Var(&c.SoftNodes, "soft", 0, "start no new iteration after this many `nodes`; 0: no limit")
	flags.IntVar(&c.Hash, "hash", 16, "`MiB` of the transposition table of each side")
	flags.Group("Openings")
	book := flags.String("book", "", "EPD or FEN `file` of openings; default is random moves")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "random seed of the openings")
	flags.IntVar(&c.Openings.RandomPlies, "random-plies", c.Openings.RandomPlies,
		"start with this many random plies or one more")
	cli.ScoreVar(flags, &c.Openings.MaxScore, "start-score",
		"reject random openings with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.Float64Var(&c.Openings.FRC, "frc", 0, "`share` of openings, 0 to 1, that are Chess960")
	flags.Float64Var(&c.Openings.DFRC, "dfrc", 0, "`share` of openings, 0 to 1, that are double Fischer random")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		switch {
		case len(args) > 0:
			return fmt.Errorf("match: unexpected argument %q", args[0])
		case *pairs < 1 || *workers < 1:
			return errors.New("match: pairs and workers must be positive")
		}
		if !*adjudicate {
			c.Adjudication = selfplay.Adjudication{}
		}
		m := selfplay.Match{Config: c}
		var err error
		for i, name := range []string{*netA, *netB} {
			if m.Contestants[i].Net, err = loadNet(ctx, name); err != nil {
				return err
			}
		}
		if *book != "" {
			if m.Config.Openings.Book, err = loadBook(ctx, *book); err != nil {
				return err
			}
		}
		s, err := playMatch(ctx, &m, *pairs, *workers, stdout, stderr)
		if err != nil {
			return err
		}
		if elo, _ := s.Elo(); elo < *least {
			return fmt.Errorf("match: a difference of %+.1f Elo is less than %+.1f", elo, *least)
		}
		return nil
	}
}

// matchReport reports the progress of a match of so many pairs.
func matchReport(s *selfplay.Standing, pairs int64, elapsed time.Duration) status.Report {
	elo, margin := s.Elo()
	done := s.Games() / 2
	return status.Report{
		Facts: []string{
			fmt.Sprintf("games %d", s.Games()), fmt.Sprintf("+%d =%d -%d", s.Wins, s.Draws, s.Losses),
			fmt.Sprintf("Elo %+.1f ± %.1f", elo, margin), fmt.Sprintf("LOS %.1f %%", 100*s.LOS()),
		},
		Done: done, Total: pairs, Left: status.Left(elapsed, done, pairs-done),
	}
}

// playMatch plays a match and prints the result, for an interrupted match that of
// the games played.
func playMatch(
	ctx context.Context, m *selfplay.Match, pairs, workers int, stdout, stderr io.Writer,
) (s selfplay.Standing, err error) {
	var nodes [2]uint64
	var moves [2]int64
	line, start := status.New(stderr), time.Now()
	err = m.Run(ctx, 0, pairs, workers, func(p *selfplay.Pair) error {
		s.Add(p)
		for i := range nodes {
			nodes[i] += p.Nodes[i]
			moves[i] += p.Moves[i]
		}
		line.Update(func() status.Report { return matchReport(&s, int64(pairs), time.Since(start)) })
		return nil
	})
	line.End()
	if err != nil && (ctx.Err() == nil || s.Games() == 0) {
		return s, fmt.Errorf("match: %w", err)
	}
	elo, margin := s.Elo()
	mean, _ := s.Score()
	fmt.Fprintf(stdout, "%-12s %d, wins %d, draws %d, losses %d, score %.2f %%\n",
		"games", s.Games(), s.Wins, s.Draws, s.Losses, 100*mean)
	fmt.Fprintf(stdout, "%-12s %v (of 0, 1/2, 1, 1 1/2, 2 points)\n", "pairs", s.Pentanomial)
	fmt.Fprintf(stdout, "%-12s %+.1f ± %.1f (95 %%), LOS %.1f %%\n", "Elo", elo, margin, 100*s.LOS())
	for i, c := range m.Contestants {
		perMove := nodes[i] / uint64(max(moves[i], 1))
		fmt.Fprintf(stdout, "%-12s %s %s %s, %d nodes per move\n",
			string("ab"[i]), c.Net.Name(), c.Net.Architecture(), c.Net.Hash(), perMove)
	}
	return s, err
}
