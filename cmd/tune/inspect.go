package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/inspect"
	"skein/internal/terminal"
)

// inspectNet implements the command inspect.
func inspectNet(flags *cli.Flags) cli.Run {
	flags.Group("Picture")
	picture := flags.String("png", "", "PNG `file` to draw the weights of the first layer to")
	table := flags.Int("table", 0,
		"feature `table` to draw: the king bucket, or three for each with features of threatened pieces")
	flags.Group("Activity")
	data := flags.String("data", "", "`file` of positions to measure the activity of the neurons with")
	limit := flags.Int("positions", 20000, "maximum number of `positions` to use from that file")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) != 1 || *limit < 1 {
			return errors.New("expected one network, and --positions of at least 1")
		}
		err := checkNew(*picture, args[0], *data)
		if err == nil && *picture == "" {
			err = cli.Useless(flags, "without --png", "table")
		}
		if err == nil && *data == "" {
			err = cli.Useless(flags, "without --data", "positions")
		}
		if err != nil {
			return err
		}
		net, err := loadNet(ctx, args[0])
		if err != nil {
			return err
		}
		p := net.Parameters()
		if *table < 0 || *table >= p.Tables() {
			return fmt.Errorf("table %d is not between 0 and %d", *table, p.Tables()-1)
		}
		text := inspect.Describe(net)
		if *data != "" {
			activity, err := inspect.MeasureActivity(ctx, net, *data, *limit)
			if err != nil {
				return err
			}
			text += activity.String()
		}
		if _, err := io.WriteString(stdout, terminal.Printable(text)); err != nil || *picture == "" {
			return err
		}
		return atomicfile.Create(*picture, func(w io.Writer) error {
			return png.Encode(w, inspect.DrawInputs(p, *table))
		})
	}
}
