// Command tune makes networks for the engine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"skein/internal/train"
)

const usage = `usage: tune seed [-o FILE]

  seed    write generation zero, a network that knows piece values alone
`

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "tune:", err)
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return fmt.Errorf("no command given")
	}
	switch args[0] {
	case "seed":
		return seed(args[1:], stderr)
	case "help", "-h", "--help":
		fmt.Fprint(stderr, usage)
		return nil
	}
	fmt.Fprint(stderr, usage)
	return fmt.Errorf("unknown command %q", args[0])
}

func seed(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("tune seed", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "nets/default.nnue", "file to write")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return nil
	} else if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("seed: unexpected argument %q", flags.Arg(0))
	}
	net, err := train.Seed()
	if err != nil {
		return err
	}
	f, err := os.Create(*out)
	if err != nil {
		return err
	}
	_, err = net.WriteTo(f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", *out, err)
	}
	fmt.Fprintf(stderr, "%s: %s %s, hash %s\n", *out, net.Name(), net.Architecture(), net.Hash())
	return nil
}
