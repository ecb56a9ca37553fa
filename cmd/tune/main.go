// Command tune trains and measures networks, and tunes the parameters of the
// search.
package main

import (
	"context"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/selfplay"
	"skein/internal/spsa"
	"skein/internal/train"
	"skein/nets"
	"skein/nnue"
	"skein/position"
)

const usage = `usage: tune COMMAND [FLAG...] [FILE...]

  seed    write the network of generation zero, which knows only piece values
  train   train a network on positions; continues an interrupted run
  match   play a match between two networks
  eval    compare networks with labeled positions: losses, correlation, fit
  wdl     fit the win-rate model to the scores and results of games
  normalise
          scale the values of a network to the unit of the search
  widen   add inactive neurons to a network, to measure the speed of a width
  inspect describe a network: shape, lineage, weights; draw its inputs
  spsa    tune the parameters of the search by SPSA; needs a build with -tags tune

tune COMMAND -h lists the flags of a command.
`

var program = cli.Program{Name: "tune", Usage: usage, Commands: map[string]cli.Command{
	"seed": seed, "train": trainNet, "match": match, "eval": eval, "wdl": wdl, "normalise": normalise,
	"widen": widen, "inspect": inspectNet, "spsa": tuneSearch, spsa.WorkerCommand: spsaWorker,
}}

func main() { program.Main() }

// seed implements the command seed.
func seed(_ context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune seed", "", stderr)
	out := flags.String("o", "gen0.nnue", "`file` to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("seed: unexpected argument %q", flags.Arg(0))
	}
	net, err := train.Seed()
	if err != nil {
		return err
	}
	return reportNet(net, *out, stderr)
}

// loadNet is nets.Load, until ctx is done.
func loadNet(ctx context.Context, name string) (*nnue.Network, error) {
	return cli.Await(ctx, func() (*nnue.Network, error) { return nets.Load(name) })
}

// loadBook is selfplay.LoadBook, until ctx is done.
func loadBook(ctx context.Context, name string) ([]position.Position, error) {
	return cli.Await(ctx, func() ([]position.Position, error) { return selfplay.LoadBook(name) })
}

// reportNet writes a network to a file and reports its name, shape and hash.
func reportNet(net *nnue.Network, path string, stderr io.Writer) error {
	if err := writeNet(path, net); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s %s, hash %s\n", path, net.Name(), net.Architecture(), net.Hash())
	return nil
}
