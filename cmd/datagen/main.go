// Command datagen makes training data: it plays games of the engine against
// itself, and inspects files of games.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"skein/internal/simd"
)

const usage = `usage: datagen COMMAND [FLAG...] [FILE...]

  play      play games of the engine against itself; continues FILE if it exists
  verify    replay every game of FILES and name the first bad byte
  stats     count games, positions, results, scores, men and lengths in FILES
  recover   copy the good blocks of a damaged FILE
  merge     join FILES of games
  split     hold a share of the games in FILES out
  filter    copy the games or positions of FILES that meet conditions
  convert   turn games into positions, and positions from one format into another;
            PGN into games
  label     label a few positions of each game in FILES by deep searches
  rescore   replace the scores of FILES by those of searches or of a network
  shuffle   write the positions of FILES in random order

datagen COMMAND -h lists the flags of a command. docs/data-format.md describes
the files.
`

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel) // a second signal ends the program at once
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "datagen:", err)
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
	case "play":
		err = play(ctx, rest, stderr)
	case "verify":
		err = verify(ctx, rest, stdout, stderr)
	case "stats":
		err = stats(ctx, rest, stdout, stderr)
	case "recover":
		err = recoverFile(rest, stdout, stderr)
	case "merge":
		err = merge(ctx, rest, stdout, stderr)
	case "split":
		err = split(ctx, rest, stdout, stderr)
	case "filter":
		err = filter(ctx, rest, stdout, stderr)
	case "label":
		err = label(ctx, rest, stdout, stderr)
	case "rescore":
		err = rescore(ctx, rest, stdout, stderr)
	case "convert":
		err = convert(ctx, rest, stdout, stderr)
	case "shuffle":
		err = shuffle(ctx, rest, stdout, stderr)
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
	flags := flag.NewFlagSet("datagen "+command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: datagen %s [FLAG...] %s\n", command, arguments)
		flags.PrintDefaults()
	}
	return flags
}
