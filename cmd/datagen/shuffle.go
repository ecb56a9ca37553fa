package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
)

// shuffle implements the command shuffle.
func shuffle(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen shuffle", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "new `file` of 32-byte records to write")
	memory := flags.Int64("memory", 1024, "`MiB` to use; larger data passes through temporary files beside OUT")
	seed := flags.Uint64("seed", 1, "random seed; the same seed gives the same order")
	entries := newEntries(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" || *memory < 1 {
		return errors.New("shuffle: expected -o OUT, files, and at least 1 MiB of memory")
	}
	entries.Names = flags.Args()
	positions, err := entries.Shuffle(ctx, *out, *memory, *seed)
	if err != nil {
		return fmt.Errorf("shuffle: %w", err)
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
	return nil
}
