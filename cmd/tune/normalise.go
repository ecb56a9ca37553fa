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
func normalise(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "", "`file` to write")
	center := flags.Float64("center", 0, "`value` at which the network wins half of its games, from tune wdl")
	name := flags.String("name", "", "name of the new network; default is that of NET")
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		if len(args) != 1 || *out == "" || !(*center > 0) {
			return errors.New("normalise: expected -o OUT, --center VALUE and a network")
		}
		if err := checkOutput(*out, args[0]); err != nil {
			return fmt.Errorf("normalise: %w", err)
		}
		net, err := loadNet(ctx, args[0])
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
}
