package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/train"
	"skein/nets"
)

// widen writes a network with more neurons that do nothing: it costs the time of
// its width but plays the same moves, so `engine bench` tells what a width costs
// before such a network is trained. With a head it tells too little: products that
// are always zero are skipped.
func widen(_ context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune widen", "[NET]", stderr)
	out := flags.String("o", "", "file to write")
	width := flags.Int("width", 512, "neurons of each accumulator")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("widen: unexpected argument %q", flags.Arg(1))
	}
	if *out == "" {
		return errors.New("widen: -o FILE is missing")
	}
	net, err := nets.Load(flags.Arg(0))
	if err != nil {
		return err
	}
	wide, err := train.Widen(net.Parameters(), *width)
	if err != nil {
		return fmt.Errorf("widen: %w", err)
	}
	return reportNet(wide, *out, stderr)
}
