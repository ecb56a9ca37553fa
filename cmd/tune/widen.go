package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/train"
)

// widen implements the command widen, which adds neurons with zero weights. The
// network evaluates the same but takes the time of its width, so `engine bench`
// measures the cost of a width before a network is trained. With a head the cost
// is underestimated, because zero products are skipped.
func widen(ctx context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune widen", "[NET]", stderr)
	out := flags.String("o", "", "`file` to write")
	width := flags.Int("width", 512, "number of `neurons` of each accumulator")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("widen: unexpected argument %q", flags.Arg(1))
	}
	if *out == "" {
		return errors.New("widen: -o FILE is missing")
	}
	if err := checkOutput(*out, flags.Arg(0)); err != nil {
		return fmt.Errorf("widen: %w", err)
	}
	net, err := loadNet(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	wide, err := train.Widen(net.Parameters(), *width)
	if err != nil {
		return fmt.Errorf("widen: %w", err)
	}
	return reportNet(wide, *out, stderr)
}
