package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/nnue"
)

// normalise implements the command normalise, which scales the values of a network
// to the unit that the margins of the search are tuned to: such that
// chess.UnitsPerPawn (256) wins half of the games, or such that they are on average
// as large as those of another network.
func normalise(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "", "`file` to write")
	center := flags.Float64("center", 0, "`value` at which the network wins half of its games, from tune wdl")
	like := flags.String("like", "", "instead of --center: `network` whose values are to have the same mean magnitude")
	data := flags.StringArray("data", nil, "`file` of positions for --like; may be repeated")
	name := flags.String("name", "", "name of the new network; default is that of NET")
	return func(ctx context.Context, args []string, _, stderr io.Writer) error {
		likeNet := flags.Changed("like")
		if len(args) != 1 || *out == "" || likeNet == flags.Changed("center") || likeNet != (len(*data) > 0) {
			return errors.New("expected -o OUT, --center VALUE or --like NET --data FILE, and a network")
		}
		if !likeNet && !(*center > 0) {
			return fmt.Errorf("--center %g is not positive", *center)
		}
		if err := checkNew(*out, args[0]); err != nil {
			return err
		}
		net, err := loadNet(ctx, args[0])
		if err != nil {
			return err
		}
		factor, how := chess.UnitsPerPawn / *center, fmt.Sprintf("values of %g won half of all games", *center)
		if likeNet {
			model, err := loadNet(ctx, *like)
			if err != nil {
				return err
			}
			if factor, err = magnitudes(ctx, model, net, *data); err != nil {
				return err
			}
			how = fmt.Sprintf("values were %.4f times those of %s %s", 1/factor, model.Name(), model.Hash())
		}
		p := *net.Parameters()
		old := p.Scale
		p.Scale = int(math.Round(float64(old) * factor))
		p.Description = fmt.Sprintf("%s\nScale changed from %d to %d by `tune normalise`, where %s.\n",
			strings.TrimRight(p.Description, "\n"), old, p.Scale, how)
		if *name != "" {
			p.Name = *name
		}
		scaled, err := nnue.New(&p)
		if err != nil {
			return err
		}
		return reportNet(scaled, *out, stderr)
	}
}

// magnitudes returns the mean magnitude of the values of a, divided by that of b,
// of the positions in the files that both find undecided.
func magnitudes(ctx context.Context, a, b *nnue.Network, files []string) (float64, error) {
	stacks := [2]*nnue.Stack{nnue.NewStack(a, 0), nnue.NewStack(b, 0)}
	var sums [2]float64
	err := dataset.Entries(ctx, files, record.DefaultFilter(), 1, func(e *dataset.Entry) error {
		var values [2]float64
		for i, s := range stacks {
			s.Reset(&e.Position)
			values[i] = math.Abs(float64(s.Evaluate(&e.Position)))
		}
		if max(values[0], values[1]) <= 4*chess.UnitsPerPawn {
			sums[0] += values[0]
			sums[1] += values[1]
		}
		return nil
	})
	if err == nil && (sums[0] == 0 || sums[1] == 0) {
		err = errors.New("no positions with values from 1 to 1024 units")
	}
	return sums[0] / sums[1], err
}
