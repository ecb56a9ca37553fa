package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"skein/internal/cli"
	"skein/nets"
	"skein/nnue"
)

// normalise writes a network with its values scaled, so that nnue.Pawn is again what wins half of all games: the
// margins of the search are tuned to that unit.
func normalise(_ context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune normalise", "NET", stderr)
	out := flags.String("o", "", "`file` to write")
	center := flags.Float64("center", 0, "`value` at which the network wins half of its games, as tune wdl tells")
	name := flags.String("name", "", "name of the new network; default is the old one's")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *out == "" || !(*center > 0) {
		return errors.New("normalise: expected -o OUT, -center VALUE and a network")
	}
	net, err := nets.Load(flags.Arg(0))
	if err != nil {
		return err
	}
	p := *net.Parameters()
	old := p.Scale
	p.Scale = int(math.Round(float64(old) * nnue.Pawn / *center))
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
