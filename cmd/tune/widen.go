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
// is underestimated, because zero products are skipped. The gradients of the added
// neurons are zero, so that training from the result teaches them nothing.
func widen(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "", "`file` to write")
	flags.Group("Network")
	width := flags.Int("width", 512, "number of `neurons` of each accumulator")
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if len(args) > 1 {
			return fmt.Errorf("unexpected argument %q", args[1])
		}
		if *out == "" {
			return errors.New("-o FILE is missing")
		}
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		if err := checkOutput(*out, name); err != nil {
			return err
		}
		net, err := loadNet(ctx, name)
		if err != nil {
			return err
		}
		wide, err := train.Widen(net.Parameters(), *width)
		if err != nil {
			return err
		}
		return reportNet(wide, *out, stderr)
	}
}
