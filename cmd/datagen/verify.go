package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/dataset"
	"skein/internal/input"
	"skein/internal/record"
)

// verify implements the command verify.
func verify(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen verify", "FILE...", stderr)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("verify: no file given")
	}
	bad := 0
	for _, name := range flags.Args() {
		games, positions, err := curate.Verify(ctx, name)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			bad++
			fmt.Fprintf(stdout, "%v\n%s: bad after %d good games, %d positions\n", err, name, games, positions)
		default:
			fmt.Fprintf(stdout, "%s: good, %d games, %d positions\n", name, games, positions)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d files are bad", bad, flags.NArg())
	}
	return nil
}

// recoverFile implements the command recover.
func recoverFile(_ context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen recover", "FILE", stderr)
	out := flags.String("o", "", "new `file` to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *out == "" {
		return errors.New("recover: expected -o OUT FILE")
	}
	name := flags.Arg(0)
	info, err := input.Stat(name)
	if err != nil {
		return fmt.Errorf("recover: %w", err)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var saved record.Recovery
	err = dataset.Create(*out, func(w io.Writer) error {
		saved, err = record.Recover(f, info.Size(), w)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d blocks, %d games, %d positions; skipped %d bytes\n",
		*out, saved.Blocks, saved.Games, saved.Positions, saved.Lost)
	return nil
}
