package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/dataflags"
	"skein/internal/dataset"
	"skein/internal/label"
	"skein/nnue"
)

// labelGames implements the command label.
func labelGames(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` of positions to write: .bin or .txt")
	c := label.DefaultConfig()
	flags.Group("Search")
	netFile := flags.String("net", "", "network `file`; default is the embedded one")
	flags.Uint64Var(&c.Nodes, "nodes", c.Nodes, "`nodes` of the search for each label; 0: take the scores of the games")
	flags.BoolVar(&c.Soft, "soft", false, "let a search finish its last iteration, within ten times the nodes")
	flags.Float64Var(&c.Lambda, "lambda", c.Lambda,
		"`weight` per ply, 0 to 1, of the next label of the game, or of its result, in a label")
	flags.IntVar(&c.Hash, "hash", c.Hash, "`MiB` of each worker's transposition table")
	flags.IntVar(&c.Workers, "workers", runtime.GOMAXPROCS(0), "number of goroutines; does not affect the result")
	flags.Group("Positions")
	flags.IntVar(&c.PerGame, "per-game", c.PerGame, "number of `positions` to sample from each game; 0: all")
	flags.Float64Var(&c.OffLine, "off-line", c.OffLine,
		"`share` of the sampled positions, 0 to 1, that are replaced by one reached from it by random moves")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "random seed; the same seed samples the same positions")
	cli.NaturalVar(flags, &c.Filter.MinMove, "min-move", "skip positions before this `move`")
	dataflags.ScoreVar(flags, &c.Filter.MaxScore, "max-score",
		"skip positions with absolute scores above this many `units` of 1/256 pawn")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *out == "" {
			return errors.New("expected -o OUT and files of games")
		}
		err := c.Validate()
		if err == nil && c.Nodes == 0 {
			err = cli.Useless(flags, "with --nodes 0", "net", "hash")
		}
		if err != nil {
			return err
		}
		var net *nnue.Network
		by := "the games"
		if c.Nodes > 0 {
			if net, err = loadNet(ctx, *netFile); err != nil {
				return err
			}
			by = net.Name() + " " + net.Hash()
		}
		games, _, err := dataset.Count(ctx, args)
		if err != nil {
			return err
		}
		return resume(*out, fmt.Sprintf("label by %s, %v", by, c), unscored, args, games, 0, stdout, stderr,
			func(skip int, write func(*label.Batch) error) error {
				return label.Games(ctx, net, c, args, skip, write)
			})
	}
}
