package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/fit"
	"skein/internal/record"
)

// wdl implements the command wdl.
func wdl(flags *cli.Flags) cli.Run {
	flags.Group("Input")
	workers := flags.Int("workers", runtime.NumCPU(), "goroutines")
	minMove := flags.Int("min-move", 0, "leave out positions before this `move` of the game")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *workers < 1 {
			return errors.New("wdl: expected files of games, and at least one worker")
		}
		w, err := fit.CountResults(ctx, args, record.Filter{MinMove: *minMove}, *workers)
		if err != nil {
			return err
		}
		if err := w.Report(stdout); err != nil {
			return fmt.Errorf("wdl: %w", err)
		}
		return nil
	}
}
