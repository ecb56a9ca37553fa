package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"skein/internal/record"
)

// eachGame reads the games of the files one after another.
func eachGame(ctx context.Context, names []string, visit func(*record.Game) error) error {
	for _, name := range names {
		if err := gamesOf(ctx, name, visit); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func gamesOf(ctx context.Context, name string, visit func(*record.Game) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := record.NewReader(f)
	if err != nil {
		return err
	}
	var g record.Game
	for err == nil {
		if err = ctx.Err(); err == nil {
			err = r.Read(&g)
		}
		if err == nil {
			err = visit(&g)
		}
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
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
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" {
		return errors.New("merge: expected -o OUT and files")
	}
	var games, positions int64
	err := produceGames(*out, origin("merged from", flags.Args()), func(w *record.Writer) error {
		if err := eachGame(ctx, flags.Args(), w.Write); err != nil {
			return err
		}
		err := w.Flush()
		games, positions = w.Games(), w.Positions()
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d games, %d positions\n", *out, games, positions)
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
			return eachGame(ctx, flags.Args(), func(g *record.Game) error {
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
