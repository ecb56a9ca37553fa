package console

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"skein/chess"
	"skein/internal/cli"
	"skein/movegen"
	"skein/notation"
	"skein/search"
)

const (
	perftArguments = "DEPTH [MOVE...] | --suite FILE..."
	perftHelp      = `Counts the leaf nodes of the tree of legal moves, below each move and in total.
With --suite it counts every depth of every row of perft suites, lines such as
"FEN ;D1 20 ;D2 400", and prints the rows whose counts differ; the exit status is
then 1. A row with a check that no move can have given is reported and counted as
refused; any other FEN that is not valid counts as wrong.
`
)

// perft counts leaves.
func perft(c *call) func([]string) error {
	c.flags.Group("Position")
	var fen string
	c.fenFlag(&fen, "start from the position `FEN`")
	chess960 := c.flags.Bool("chess960", false, "use the castling rules of Chess960")
	suites := c.suiteFlags()
	return func(args []string) error {
		if err := checkPerftFlags(c.flags, len(suites.names) > 0); err != nil {
			return err
		}
		if len(suites.names) > 0 {
			suites.names = append(suites.names, args...)
			return perftSuites(c, suites)
		}
		if len(args) == 0 {
			return usagef("missing depth")
		}
		depth, err := strconv.Atoi(args[0])
		if err != nil || depth < 1 || depth > movegen.MaxPerftDepth {
			return usagef("depth %q is not a number from 1 to %d", args[0], movegen.MaxPerftDepth)
		}
		game, _, err := setUp(fen, *chess960, args[1:])
		if err != nil {
			return &usageError{err.Error()}
		}
		start := time.Now()
		var failed error // to write
		stopped := func() bool { return failed != nil || c.ctx.Err() != nil }
		total, err := movegen.Divide(&game.Pos, depth, stopped, func(m chess.Move, leaves uint64) {
			_, failed = fmt.Fprintf(c.Out, "%-7s %d\n", notation.FormatSAN(&game.Pos, m), leaves)
		})
		if failed != nil {
			return failed
		}
		if err != nil {
			return context.Cause(c.ctx) // the depth is in range
		}
		elapsed := time.Since(start)
		speed := count(search.NodesPerSecond(total, elapsed))
		_, err = fmt.Fprintf(c.Out, "\n%d leaves in %s, %s/s\n", total, clock(elapsed), speed)
		return err
	}
}

// checkPerftFlags finds flags that do not go together: some are for suites, the
// others for one position.
func checkPerftFlags(flags *cli.Flags, suites bool) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "fen", "chess960":
			if suites {
				err = usagef("--%s does not go with --suite", f.Name)
			}
		case "threads", "nodes", "hash":
			if !suites {
				err = usagef("--%s goes with --suite only", f.Name)
			}
		}
	})
	return err
}
