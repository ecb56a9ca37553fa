package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"skein/chess"
	"skein/internal/cli"
	"skein/nnue"
)

// normalise implements the command normalise, which scales the values of a network
// such that a value of chess.UnitsPerPawn (256) wins half of the games. The margins of the search
// are tuned to that unit.
func normalise(ctx context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune normalise", "NET", stderr)
	out := flags.String("o", "", "`file` to write")
	center := flags.Float64("center", 0, "`value` at which the network wins half of its games, from tune wdl")
	name := flags.String("name", "", "name of the new network; default is that of NET")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *out == "" || !(*center > 0) {
		return errors.New("normalise: expected -o OUT, -center VALUE and a network")
	}
	if err := checkOutput(*out, flags.Arg(0)); err != nil {
		return fmt.Errorf("normalise: %w", err)
	}
	net, err := loadNet(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	p := *net.Parameters()
	old := p.Scale
	p.Scale = int(math.Round(float64(old) * chess.UnitsPerPawn / *center))
	p.Description += fmt.Sprintf("Scale changed from %d to %d by `tune normalise`, "+
		"where values of %g won half of all games.\n", old, p.Scale, *center)
	if *name != "" {
		p.Name = *name
	}
	scaled, err := nnue.New(&p)
	if err != nil {
		return fmt.Errorf("normalise: %w", err)
	}
	return reportNet(scaled, *out, stderr)
}
