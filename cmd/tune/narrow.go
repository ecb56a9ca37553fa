package main

import (
	"context"
	"errors"
	"io"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/train"
)

// narrow implements the command narrow, which removes the neurons whose contributions
// to the value vary least. It changes the values a little, and makes the engine faster.
func narrow(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "", "`file` to write")
	flags.Group("Network")
	width := flags.Int("width", 256, "number of `neurons` of each accumulator to keep")
	name := flags.String("name", "", "name of the new network; default is that of NET")
	flags.Group("Positions")
	data := flags.StringArray("data", nil, "`file` of positions to measure the neurons with; may be repeated")
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if len(args) != 1 || *out == "" || len(*data) == 0 {
			return errors.New("expected -o OUT, --data FILE and a network")
		}
		if err := checkNew(*out, append(args, *data...)...); err != nil {
			return err
		}
		net, err := loadNet(ctx, args[0])
		if err != nil {
			return err
		}
		n, err := train.NewNarrowing(net, *width)
		if err != nil {
			return err
		}
		err = dataset.Entries(ctx, *data, record.DefaultFilter(), 1, func(e *dataset.Entry) error {
			n.Add(&e.Position)
			return nil
		})
		if err != nil {
			return err
		}
		narrowed, err := n.Network(*name)
		if err != nil {
			return err
		}
		return reportNet(narrowed, *out, stderr)
	}
}
