package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/nets"
	"skein/nnue"
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
	wide, err := widened(net.Parameters(), *width)
	if err != nil {
		return fmt.Errorf("widen: %w", err)
	}
	return reportNet(wide, *out, stderr)
}

// widened returns p with neurons of zero weight behind its own.
func widened(p *nnue.Parameters, width int) (*nnue.Network, error) {
	if width < p.Width {
		return nil, fmt.Errorf("the network is wider than %d already: %d", width, p.Width)
	}
	a := p.Architecture
	a.Width = width
	if err := a.Validate(); err != nil {
		return nil, err
	}
	wide := nnue.NewParameters(a)
	wide.Name = fmt.Sprintf("%s-%d", p.Name, width)
	wide.Description = fmt.Sprintf("%s\nWidened by `tune widen` from %d neurons.", p.Description, p.Width)
	from, to := p.Width, width
	if p.HasHead() {
		from, to = from/2, to/2 // pairs stay pairs
	}
	spread(wide.FeatureWeights, p.FeatureWeights, from, to)
	spread(wide.FeatureBias, p.FeatureBias, from, to)
	if p.HasHead() {
		spread(wide.FirstWeights, p.FirstWeights, from, to)
		copy(wide.FirstBias, p.FirstBias)
		copy(wide.SecondWeights, p.SecondWeights)
		copy(wide.SecondBias, p.SecondBias)
		copy(wide.OutputWeights, p.OutputWeights)
	} else {
		spread(wide.OutputWeights, p.OutputWeights, from, to)
	}
	copy(wide.OutputBias, p.OutputBias)
	return nnue.New(wide)
}

// spread copies rows of n weights to rows of more.
func spread[T int8 | int16](to, from []T, n, more int) {
	for i := range len(from) / n {
		copy(to[i*more:], from[i*n:][:n])
	}
}
