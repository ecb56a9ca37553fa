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
func verify(flags *cli.Flags) cli.Run {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 {
			return errors.New("no file given")
		}
		bad := 0
		for _, name := range args {
			games, positions, leftOut, err := curate.Verify(ctx, name)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				bad++
				fmt.Fprintf(stdout, "%v\n%s: bad after %d good games, %d positions\n", err, name, games, positions)
			default:
				fmt.Fprintf(stdout, "%s: good, %d games, %d positions\n", name, games, positions)
				tellLeftOut(stdout, leftOut, unfinished)
			}
		}
		if bad > 0 {
			return fmt.Errorf("%d of %d files are bad", bad, len(args))
		}
		return nil
	}
}

// recoverFile implements the command recover.
func recoverFile(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` to write")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) != 1 || *out == "" {
			return errors.New("expected -o OUT FILE")
		}
		if err := dataset.CheckGames(*out); err != nil {
			return err
		}
		name := args[0]
		if dataset.Compressed(name) {
			return fmt.Errorf("%s is compressed; decompress first what is left of it", name)
		}
		if kind, err := dataset.KindOf(name); err == nil && kind == dataset.PGN {
			return recoverPGN(ctx, name, *out, stdout, stderr)
		}
		info, err := input.Stat(name)
		if err != nil {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		var saved record.Recovery
		err = dataset.Create(*out, func(w io.Writer) error {
			saved, err = record.Recover(ctx, f, info.Size(), w)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(stdout, "%s: %d blocks, %d games, %d positions; skipped %d bytes\n",
			*out, saved.Blocks, saved.Games, saved.Positions, saved.Lost)
		return nil
	}
}

// recoverPGN writes the valid games of a PGN file to a new file, and tells of the others.
func recoverPGN(ctx context.Context, name, out string, stdout, stderr io.Writer) error {
	const told = 20
	invalid := 0
	games := curate.Games{Names: []string{name}, Invalid: func(err error) {
		if invalid++; invalid <= told {
			fmt.Fprintln(stderr, err)
		}
	}}
	err := copyGames(ctx, &games, out, "valid games of", stdout)
	if err == nil {
		tellLeftOut(stdout, invalid, "invalid games")
	}
	return err
}
