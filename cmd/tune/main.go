// Command tune trains and measures networks, and tunes the parameters of the
// search.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/selfplay"
	"skein/internal/spsa"
	"skein/internal/terminal"
	"skein/internal/train"
	"skein/nets"
	"skein/nnue"
	"skein/position"
)

var program = cli.Program{
	Name:    "tune",
	Purpose: "Trains and measures networks, and tunes the parameters of the search.",
	Note:    "The empty name of a file, \"\", is the embedded network.",
	Commands: []cli.Command{
		{Name: "seed", Define: seed,
			Summary: "write the network of generation zero, which knows only piece values"},
		{Name: "train", Arguments: "-o NET DATA...", Define: trainNet,
			Summary: "train a network on positions; continues an interrupted run"},
		{Name: "match", Define: match,
			Summary: "play a match between two networks"},
		{Name: "eval", Arguments: "NET... FILE...", Define: eval,
			Summary: "compare networks with labeled positions: losses, correlation, fit",
			Help: "The first argument is a network, as are later ones that are empty or end in .nnue; the others " +
				"are files of positions."},
		{Name: "wdl", Arguments: "FILE...", Define: wdl,
			Summary: "fit the win-rate model to the scores and results of games"},
		{Name: "normalise", Alias: "normalize", Arguments: "-o OUT --center VALUE|--like NET NET", Define: normalise,
			Summary: "scale the values of a network to the unit of the search"},
		{Name: "average", Arguments: "-o OUT NET...", Define: average,
			Summary: "average the weights of networks trained from the same one"},
		{Name: "widen", Arguments: "-o OUT [NET]", Define: widen,
			Summary: "add inactive neurons to a network, to measure the speed of a width"},
		{Name: "narrow", Arguments: "-o OUT --data FILE NET", Define: narrow,
			Summary: "remove the neurons of a network that matter least"},
		{Name: "inspect", Arguments: "NET", Define: inspectNet,
			Summary: "describe a network: shape, lineage, weights; draw its inputs"},
		{Name: "spsa", Arguments: "-o NAME", Define: tuneSearch,
			Summary: "tune the parameters of the search by SPSA; needs a build with -tags tune"},
		{Name: "screen", Arguments: "-o NAME", Define: screen,
			Summary: "measure many changes of the search in the same games; needs a build with -tags tune"},
		{Name: spsa.WorkerCommand, Define: spsaWorker, Hidden: true},
	},
}

func main() { program.Main() }

// seed implements the command seed.
func seed(flags *cli.Flags) cli.Run {
	out := flags.StringP("output", "o", "gen0.nnue", "`file` to write")
	return func(_ context.Context, args []string, _, stderr io.Writer) error {
		if len(args) > 0 {
			return fmt.Errorf("unexpected argument %q", args[0])
		}
		if *out == "" {
			return errors.New("-o FILE is missing")
		}
		net, err := train.Seed()
		if err != nil {
			return err
		}
		return reportNet(net, *out, stderr)
	}
}

// loadNet is nets.Load, until ctx is done.
func loadNet(ctx context.Context, name string) (*nnue.Network, error) {
	return cli.Await(ctx, func() (*nnue.Network, error) { return nets.Load(name) })
}

// loadBook is selfplay.LoadBook, until ctx is done.
func loadBook(ctx context.Context, name string) ([]position.Position, error) {
	return cli.Await(ctx, func() ([]position.Position, error) { return selfplay.LoadBook(name) })
}

// reportNet writes a network to a new file and reports its name, shape and hash.
func reportNet(net *nnue.Network, path string, stderr io.Writer) error {
	if err := atomicfile.Create(path, writerOf(net)); err != nil {
		return err
	}
	fmt.Fprintf(terminal.PrintableWriter{W: stderr},
		"%s: %s %s, hash %s\n", path, net.Name(), net.Architecture(), net.Hash())
	return nil
}
