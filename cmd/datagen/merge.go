package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"skein/internal/cli"
	"skein/internal/curate"
)

// merge implements the command merge.
func merge(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` to write")
	flags.Group("Input")
	unit := flags.Int("unit", 0, "`units` of scores per pawn in files whose header does not say; 0: unknown")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *out == "" || *unit < 0 || *unit > math.MaxUint16 {
			return errors.New("expected -o OUT and files, and a unit from 0 to 65535")
		}
		return copyGames(ctx, &curate.Games{Names: args, Unit: *unit}, *out, "merged from", stdout)
	}
}

// copyGames copies games to a new file and prints how many.
func copyGames(ctx context.Context, g *curate.Games, out, how string, stdout io.Writer) error {
	games, positions, err := g.Copy(ctx, out, how)
	if err == nil {
		fmt.Fprintf(stdout, "%s: %d games, %d positions\n", out, games, positions)
		tellGamesLeftOut(stdout, g)
	}
	return err
}

// tellGamesLeftOut tells how many games of PGN were skipped, if any were.
func tellGamesLeftOut(stdout io.Writer, g *curate.Games) {
	what := unscored
	if g.Whole {
		what = unfinished
	}
	tellLeftOut(stdout, g.LeftOut, what)
}

// split implements the command split.
func split(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` for the games held out")
	rest := flags.String("rest", "", "new `file` for the other games")
	flags.Group("Games")
	share := flags.Float64("share", 0.02, "share of the games to hold out, 0 to 1")
	seed := flags.Uint64("seed", 1, "random seed; the same seed holds out the same games")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		switch {
		case len(args) == 0 || *out == "" || *rest == "":
			return errors.New("expected -o OUT, --rest OUT2 and files")
		case !(*share >= 0 && *share <= 1):
			return fmt.Errorf("share %g is not between 0 and 1", *share)
		}
		games := curate.Games{Names: args}
		counts, err := games.Split(ctx, *out, *rest, *share, *seed)
		if err == nil {
			fmt.Fprintf(stdout, "%s: %d games\n%s: %d games\n", *out, counts[0], *rest, counts[1])
			tellGamesLeftOut(stdout, &games)
		}
		return err
	}
}
