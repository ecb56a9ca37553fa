package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/dataset"
	"skein/internal/record"
)

// convert carries out the command of that name.
func convert(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("convert", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist: .txt for FEN | score | result, .bin for 32-byte records, .skr for games of PGN")
	entries := newEntryFlags(flags)
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
	switch kind {
	case dataset.Games:
		return copyGames(ctx, *out, "converted from", flags.Args(), entries.unlabelled, 0, stdout)
	case dataset.Records, dataset.Text:
	default:
		return fmt.Errorf("convert: cannot write %s", *out)
	}
	positions := 0
	err = produceStream(*out, func(w io.Writer) error {
		return entries.each(ctx, flags.Args(), func(e *record.Entry) error {
			positions++
			return writeEntry(w, e, kind)
		})
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
	if entries.leftOut > 0 {
		fmt.Fprintf(stdout, "%d positions without a score or a result were left out\n", entries.leftOut)
	}
	return nil
}
