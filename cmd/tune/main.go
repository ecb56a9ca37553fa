// Command tune makes networks for the engine and measures them.
package main

import (
	"context"
	"fmt"
	"io"

	"skein/internal/cli"
	"skein/internal/spsa"
	"skein/internal/train"
	"skein/nnue"
)

const usage = `usage: tune COMMAND [FLAG...] [FILE...]

  seed    write generation zero, a network that knows piece values alone
  train   make a network from training data; goes on with a run that was interrupted
  match   play two networks against each other
  eval    compare networks with the labels of positions: losses, correlation, fit
  wdl     fit the win-rate model to the scores and results of games
  normalise
          scale a network's values to the unit of the search
  widen   add idle neurons to a network, to measure the speed of a width
  inspect tell what is in a network: shape, lineage, weights; draw its inputs
  spsa    tune the parameters of the search by games; for builds with -tags tune

tune COMMAND -h lists the flags of a command.
`

var program = cli.Program{Name: "tune", Usage: usage, Commands: map[string]cli.Command{
	"seed": seed, "train": trainNet, "match": match, "eval": eval, "wdl": wdl, "normalise": normalise,
	"widen": widen, "inspect": inspectNet, "spsa": tuneSearch, spsa.WorkerCommand: spsaWorker,
}}

func main() { program.Main() }

// seed carries out the command of that name.
func seed(_ context.Context, args []string, _, stderr io.Writer) error {
	flags := cli.NewFlags("tune seed", "", stderr)
	out := flags.String("o", "gen0.nnue", "file to write")
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

// reportNet writes a network to a file and says what it is.
func reportNet(net *nnue.Network, path string, stderr io.Writer) error {
	if err := writeNet(path, net); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: %s %s, hash %s\n", path, net.Name(), net.Architecture(), net.Hash())
	return nil
}
