package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/label"
	"skein/internal/record"
	"skein/nets"
)

// labelGames carries out the command label.
func labelGames(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen label", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` of positions to write, which must not exist: .bin or .txt")
	netFile := flags.String("net", "", "network `file`; default is the embedded one")
	c := label.DefaultConfig()
	flags.Uint64Var(&c.Nodes, "nodes", c.Nodes, "search as many `nodes` for a label")
	flags.IntVar(&c.PerGame, "per-game", c.PerGame, "label as many `positions` of a game, drawn at random")
	flags.Float64Var(&c.OffLine, "off-line", c.OffLine,
		"`share` of the positions, 0 to 1, from which the game is left by random moves first")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "the same seed draws the same positions")
	flags.IntVar(&c.Filter.MinMove, "min-move", c.Filter.MinMove, "leave out positions before this `move`")
	flags.IntVar(&c.Filter.MaxScore, "max-score", c.Filter.MaxScore,
		"leave out positions with scores beyond as many `units` of 1/256 of a pawn")
	flags.IntVar(&c.Hash, "hash", c.Hash, "`MiB` of each worker's transposition table")
	flags.IntVar(&c.Workers, "workers", runtime.NumCPU(), "goroutines; the result does not depend on it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" {
		return errors.New("label: expected -o OUT and files of games")
	}
	if err := c.Validate(); err != nil {
		return fmt.Errorf("label: %w", err)
	}
	kind, err := dataset.KindOf(*out)
	if err != nil {
		return err
	}
	if kind != dataset.Records && kind != dataset.Text {
		return fmt.Errorf("label: cannot write %s", *out)
	}
	net, err := nets.Load(*netFile)
	if err != nil {
		return err
	}
	p := newProgress(stderr, 0, 0, 0, 0)
	err = dataset.Create(*out, func(w io.Writer) error {
		write := func(e *record.Entry) error { return dataset.WriteEntry(w, e, kind) }
		return label.Games(ctx, net, c, flags.Args(), write, p.count)
	})
	p.stop()
	if err == nil {
		fmt.Fprintf(stdout, "%s: %d positions\n", *out, p.tally.Positions)
	}
	return err
}
