package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/dataset"
)

// convert implements the command convert.
func convert(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` to write: .txt for lines FEN | score | result, "+
		".bin for 32-byte records, .skr for games from PGN")
	entries := newEntries(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *out == "" {
			return errors.New("expected -o OUT and files")
		}
		kind, err := dataset.KindOf(*out)
		if err != nil {
			return err
		}
		if err := checkFilter(flags, args, kind); err != nil {
			return err
		}
		entries.Names = args
		switch kind {
		case dataset.Games:
			games := curate.Games{Names: args, Whole: entries.Unlabeled}
			return copyGames(ctx, &games, *out, "converted from", stdout)
		case dataset.Records, dataset.Text:
		default:
			return fmt.Errorf("cannot write %s: its extension is none of .skr, .bin and .txt", *out)
		}
		_, positions, err := entries.Select(ctx, *out, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
		tellLeftOut(stdout, entries.LeftOut, unlabeled)
		return nil
	}
}
