package console

import (
	"fmt"
	"strconv"
	"time"

	"skein/movegen"
	"skein/notation"
	"skein/position"
)

const (
	perftSynopsis = "[--fen FEN] [--chess960] DEPTH [MOVE...]"
	perftHelp     = `Counts the leaf nodes of the tree of legal moves, below each move and in total.
`
	maxPerftDepth = 20
)

// perft counts leaves.
func perft(c *call) error {
	fen := c.flags.String("fen", "", "start from the position `FEN`")
	chess960 := c.flags.Bool("chess960", false, "use the castling rules of Chess960")
	args, err := c.parse()
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return usagef("missing depth")
	}
	depth, err := strconv.Atoi(args[0])
	if err != nil || depth < 1 || depth > maxPerftDepth {
		return usagef("depth %q is not a number from 1 to %d", args[0], maxPerftDepth)
	}
	game, _, err := setUp(*fen, *chess960, args[1:])
	if err != nil {
		return &usageError{err.Error()}
	}
	start := time.Now()
	var total uint64
	for _, m := range movegen.Legal(&game.Pos) {
		var next position.Position
		game.Pos.Do(m, &next, new(position.Delta))
		n := perftBelow(c, &next, depth-1)
		if c.ctx.Err() != nil {
			return errInterrupted
		}
		total += n
		fmt.Fprintf(c.Out, "%-7s %d\n", notation.FormatSAN(&game.Pos, m), n)
	}
	elapsed := time.Since(start)
	_, err = fmt.Fprintf(c.Out, "\n%d leaves in %s, %s/s\n", total, clock(elapsed), count(perSecond(total, elapsed)))
	return err
}

// perftBelow counts as movegen.Perft does, but stops soon when interrupted.
func perftBelow(c *call, p *position.Position, depth int) uint64 {
	const uninterrupted = 4 // plies counted within milliseconds
	if depth <= uninterrupted || c.ctx.Err() != nil {
		return movegen.Perft(p, min(depth, uninterrupted))
	}
	var n uint64
	for _, m := range movegen.Legal(p) {
		var next position.Position
		p.Do(m, &next, new(position.Delta))
		n += perftBelow(c, &next, depth-1)
	}
	return n
}
