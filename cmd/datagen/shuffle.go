package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/dataset"
)

// shuffle implements the command shuffle.
func shuffle(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` of 32-byte records to write")
	flags.Group("Order")
	memory := flags.Int64("memory", 1024, "`MiB` to use; larger data passes through temporary files beside OUT")
	seed := flags.Uint64("seed", 1, "random seed; the same seed and --memory give the same order")
	entries := newEntries(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *out == "" || *memory < 1 {
			return errors.New("expected -o OUT, files, and at least 1 MiB of memory")
		}
		if err := checkFilter(flags, args, dataset.Records); err != nil {
			return err
		}
		entries.Names = args
		p := newProgress(stderr, 0, 0, 0, 0)
		entries.Visit = func() { p.count(0, 1, 0) }
		positions, err := entries.Shuffle(ctx, *out, *memory, *seed)
		p.stop()
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
		tellLeftOut(stdout, entries.LeftOut, unlabeled)
		return nil
	}
}
