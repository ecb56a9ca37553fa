package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"

	"skein/internal/dataset"
	"skein/internal/record"
)

// eachGame reads the games of the files one after another. Those of PGN are
// whole, or as far as they have scores.
func eachGame(ctx context.Context, names []string, whole bool, unit int, visit func(*record.Game) error) error {
	return dataset.UnitBatches(names, whole, unit)(ctx, func(b *dataset.GameBatch) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range b.Games {
			if err := visit(&b.Games[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// origin describes a file made from others.
func origin(how string, names []string) string {
	const most = 100 // names; the header has room for longer lists than anybody reads
	text := how + ":\n" + strings.Join(names[:min(len(names), most)], "\n") + "\n"
	if len(names) > most {
		text += fmt.Sprintf("and %d more\n", len(names)-most)
	}
	return text
}

// merge carries out the command of that name.
func merge(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("merge", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist")
	unit := flags.Int("unit", 0, "`units` of scores in a pawn of files that do not tell; 0: unknown")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" || *unit < 0 || *unit > math.MaxUint16 {
		return errors.New("merge: expected -o OUT and files, and a unit from 0 to 65535")
	}
	return copyGames(ctx, *out, "merged from", flags.Args(), false, *unit, stdout)
}

// copyGames copies the games of files to another.
func copyGames(ctx context.Context, out, how string, names []string, whole bool, unit int, stdout io.Writer) error {
	var games, positions int64
	err := produceGames(out, origin(how, names), func(w *record.Writer) error {
		if err := eachGame(ctx, names, whole, unit, w.Write); err != nil {
			return err
		}
		err := w.Flush()
		games, positions = w.Games(), w.Positions()
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d games, %d positions\n", out, games, positions)
	return nil
}

// split carries out the command of that name.
func split(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("split", "-o OUT -rest OUT2 FILE...", stderr)
	out := flags.String("o", "", "`file` for the games held out, which must not exist")
	rest := flags.String("rest", "", "`file` for the others, which must not exist")
	share := flags.Float64("share", 0.02, "share of the games to hold out, 0 to 1")
	seed := flags.Uint64("seed", 1, "the same seed holds the same games out")
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case flags.NArg() == 0 || *out == "" || *rest == "" || *out == *rest:
		return errors.New("split: expected -o OUT, -rest OUT2 and files")
	case !(*share >= 0 && *share <= 1):
		return fmt.Errorf("split: share %g is not 0 to 1", *share)
	}
	r := rand.New(rand.NewPCG(*seed, 0))
	var counts [2]int64
	err := produceGames(*out, origin("held out of", flags.Args()), func(held *record.Writer) error {
		return produceGames(*rest, origin("the rest of", flags.Args()), func(others *record.Writer) error {
			return eachGame(ctx, flags.Args(), false, 0, func(g *record.Game) error {
				if r.Float64() < *share {
					counts[0]++
					return held.Write(g)
				}
				counts[1]++
				return others.Write(g)
			})
		})
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d games\n%s: %d games\n", *out, counts[0], *rest, counts[1])
	return nil
}
