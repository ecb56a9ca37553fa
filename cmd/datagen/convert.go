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

// convert carries out the command of that name.
func convert(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := cli.NewFlags("datagen convert", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist: .txt for FEN | score | result, "+
		".bin for 32-byte records, .skr for games of PGN")
	entries := newEntries(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" {
		return errors.New("convert: expected -o OUT and files")
	}
	kind, err := dataset.KindOf(*out)
	if err != nil {
		return err
	}
	entries.Names = flags.Args()
	switch kind {
	case dataset.Games:
		games := curate.Games{Names: flags.Args(), Whole: entries.Unlabeled}
		return copyGames(ctx, &games, *out, "converted from", stdout)
	case dataset.Records, dataset.Text:
	default:
		return fmt.Errorf("convert: cannot write %s", *out)
	}
	_, positions, err := entries.Select(ctx, *out, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
	if entries.LeftOut > 0 {
		fmt.Fprintf(stdout, "%d positions without a score or a result were left out\n", entries.LeftOut)
	}
	return nil
}
