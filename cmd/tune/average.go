package main

import (
	"context"
	"errors"
	"io"

	"skein/internal/cli"
	"skein/internal/train"
	"skein/nnue"
)

// average implements the command average, which writes the mean of the weights of
// networks that were trained from the same one.
func average(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "", "`file` to write")
	name := flags.String("name", "", "name of the new network; default is that of the first NET")
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if *out == "" {
			return errors.New("-o FILE is missing")
		}
		var networks []*nnue.Network
		for _, arg := range args {
			if err := checkOutput(*out, arg); err != nil {
				return err
			}
			net, err := loadNet(ctx, arg)
			if err != nil {
				return err
			}
			networks = append(networks, net)
		}
		mean, err := train.Average(networks, *name)
		if err != nil {
			return err
		}
		return reportNet(mean, *out, stderr)
	}
}
