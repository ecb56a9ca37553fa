package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/fit"
	"skein/internal/record"
)

// wdl implements the command wdl.
func wdl(flags *cli.Flags) cli.Run {
	flags.Group("Input")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "goroutines")
	minMove := 0
	cli.NaturalVar(flags, &minMove, "min-move", "leave out positions before this `move` of the game")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *workers < 1 {
			return errors.New("expected files of games, and at least one worker")
		}
		for _, name := range args {
			if minMove > 0 && !dataset.HasGames(name) {
				return fmt.Errorf("--min-move selects positions of games, but %s is not a file of games", name)
			}
		}
		w, err := fit.CountResults(ctx, args, record.Filter{MinMove: minMove}, *workers)
		if err != nil {
			return err
		}
		return w.Report(stdout)
	}
}
