package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
)

// shuffle carries out the command of that name.
func shuffle(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen shuffle", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` of 32-byte records to write, which must not exist")
	memory := flags.Int64("memory", 1024, "`MiB` to use; what is larger goes by way of temporary files beside OUT")
	seed := flags.Uint64("seed", 1, "the same seed makes the same order")
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
