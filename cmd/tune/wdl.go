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
func wdl(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("tune wdl", "FILE...", stderr)
	workers := flags.Int("workers", runtime.NumCPU(), "goroutines")
	minMove := flags.Int("min-move", 0, "leave out positions before this `move` of the game")
	files, err := cli.ParseMixed(flags, args)
	if err != nil {
		return err
	}
	if len(files) == 0 || *workers < 1 {
		return errors.New("wdl: expected files of games, and at least one worker")
	}
	w, err := fit.CountResults(ctx, files, record.Filter{MinMove: *minMove}, *workers)
	if err != nil {
		return err
	}
	if err := w.Report(stdout); err != nil {
		return fmt.Errorf("wdl: %w", err)
	}
	return nil
}
