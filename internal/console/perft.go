package console

import (
	"fmt"
	"strconv"
	"time"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
)

const (
	perftSynopsis = "[--fen FEN] [--chess960] DEPTH [MOVE...]"
	perftHelp     = `Counts the leaves of the tree of legal moves, below each move and altogether.
`
)

// perft counts leaves.
func perft(c *call) error {
	fen := c.flags.String("fen", "", "count from this `FEN`")
	chess960 := c.flags.Bool("chess960", false, "castling is that of Chess960")
	args, err := c.parse()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return usagef("the depth is missing")
	}
	depth, err := strconv.Atoi(args[0])
	if err != nil || depth < 1 || depth > movegen.MaxPerftDepth {
		return usagef("depth %q is not a number from 1 to %d", args[0], movegen.MaxPerftDepth)
	}
	game, _, err := setUp(*fen, *chess960, args[1:])
	if err != nil {
		return &usageError{err.Error()}
	}
	start := time.Now()
	stopped := func() bool { return c.ctx.Err() != nil }
	total, err := movegen.Divide(&game.Pos, depth, stopped, func(m chess.Move, leaves uint64) {
		fmt.Fprintf(c.Out, "%-7s %d\n", notation.FormatSAN(&game.Pos, m), leaves)
	})
	if err != nil {
		return errInterrupted // the depth is in range
	}
	elapsed := time.Since(start)
	_, err = fmt.Fprintf(c.Out, "\n%d leaves in %s, %s/s\n", total, clock(elapsed), count(perSecond(total, elapsed)))
	return err
}
