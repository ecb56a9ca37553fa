package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/record"
)

// convert carries out the command of that name.
func convert(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("convert", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist: .txt for FEN | score | result, .bin for 32-byte records")
	filter := filterFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" {
		return errors.New("convert: expected -o OUT and files")
	}
	kind, err := kindOf(*out)
	if err != nil {
		return err
	}
	if kind == "games" {
		return errors.New("convert: positions cannot be turned into games; use merge for games")
	}
	positions := 0
	err = produceStream(*out, func(w io.Writer) error {
		for _, name := range flags.Args() {
			err := eachEntry(ctx, name, filter, func(e *record.Entry) error {
				positions++
				return writeEntry(w, e, kind)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", *out, positions)
	return nil
}

// writeEntry writes e as text or record.
func writeEntry(w io.Writer, e *record.Entry, kind string) error {
	if kind == "text" {
		_, err := io.WriteString(w, e.String()+"\n")
		return err
	}
	b := e.Pack()
	_, err := w.Write(b[:])
	return err
}
