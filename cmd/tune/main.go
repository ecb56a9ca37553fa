// Command tune makes networks for the engine and measures them.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"skein/internal/simd"
	"skein/internal/train"
	"skein/nets"
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

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel) // a second signal ends the program at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

// run is main between the streams.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return errors.New("no command given")
	}
	if err := simd.Err(); err != nil {
		return err
	}
	var err error
	switch command, rest := args[0], args[1:]; command {
	case "seed":
		err = seed(rest, stderr)
	case "eval":
		err = eval(ctx, rest, stdout, stderr)
	case "train":
		err = trainNet(ctx, rest, stderr)
	case "wdl":
		err = wdl(ctx, rest, stdout, stderr)
	case "inspect":
		err = inspect(ctx, rest, stdout, stderr)
	case "spsa":
		err = spsa(ctx, rest, stdout, stderr)
	case "spsa-worker": // for spsa itself
		err = spsaWorker(ctx, os.Stdin, stdout)
	case "match":
		err = match(ctx, rest, stdout, stderr)
	case "normalise":
		err = normalise(rest, stderr)
	case "widen":
		err = widen(rest, stderr)
	case "help", "-h", "--help":
		fmt.Fprint(stdout, usage)
	default:
		fmt.Fprint(stderr, usage)
		return fmt.Errorf("unknown command %q", command)
	}
	if errors.Is(err, flag.ErrHelp) {
		return nil // the flag package has printed the flags
	}
	return err
}

// newFlags returns the flags of a command. arguments describes what follows
// them.
func newFlags(command, arguments string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("tune "+command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: tune %s [FLAG...] %s\n", command, arguments)
		flags.PrintDefaults()
	}
	return flags
}

// loadNet reads a network file; "" is the embedded network.
func loadNet(name string) (*nnue.Network, error) {
	if name == "" {
		return nnue.Read(bytes.NewReader(nets.Default))
	}
	return nnue.LoadFile(name)
}

func seed(args []string, stderr io.Writer) error {
	flags := newFlags("seed", "", stderr)
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
