package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/dataset"
)

// Flags that apply only to games, and only to positions.
var (
	gameFlags     = []string{"min-plies", "max-plies", "ends", "variant"}
	positionFlags = []string{"min-men", "max-men", "checks", "min-move", "max-score", "quiet", "unlabelled"}
)

// conditionFlags adds the flags of the conditions for games and positions.
func conditionFlags(flags *cli.Flags) *curate.Conditions {
	c := new(curate.Conditions)
	flags.Group("Conditions for games and positions")
	flags.StringVar(&c.Results, "results", "", "keep these `results`, as in 1-0,0-1")
	flags.Float64Var(&c.Share, "share", 1, "keep a random `share`, 0 to 1, of what meets the other conditions")
	flags.Uint64Var(&c.Seed, "seed", 1, "random seed of --share")
	flags.BoolVar(&c.Unique, "unique", false,
		"keep only the first of equal games or positions; takes up to 20 bytes of memory for each")
	flags.Group("Conditions for games")
	flags.IntVar(&c.MinPlies, "min-plies", 0, "games: minimum length in `plies`")
	flags.IntVar(&c.MaxPlies, "max-plies", 0, "games: maximum length in `plies`; 0: none")
	flags.StringVar(&c.Ends, "ends", "",
		"games: keep those that ended for one of these `reasons`, named as by stats and separated by commas")
	flags.StringVar(&c.Variant, "variant", "", "games: keep those of this `variant`, standard or chess960")
	flags.Group("Conditions for positions")
	flags.IntVar(&c.MinMen, "min-men", 0, "positions: minimum number of `pieces`, kings and pawns included")
	flags.IntVar(&c.MaxMen, "max-men", 32, "positions: maximum number of `pieces`; 0: no limit")
	flags.BoolVar(&c.Checks, "checks", true, "positions: keep those in check")
	return c
}

// filter implements the command filter.
func filter(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` to write: .skr for games, .bin or .txt for positions")
	conditions := conditionFlags(flags)
	entries := newEntries(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if len(args) == 0 || *out == "" {
			return errors.New("expected -o OUT and files")
		}
		kind, err := dataset.KindOf(*out)
		if err != nil {
			return err
		}
		if err := checkConditions(flags, kind); err != nil {
			return err
		}
		if err := checkFilter(flags, args, kind); err != nil {
			return err
		}
		if !flags.Changed("share") {
			if err := cli.Useless(flags, "without --share", "seed"); err != nil {
				return err
			}
		}
		s, err := curate.NewSelector(*conditions)
		if err != nil {
			return err
		}
		var read, kept int
		games := curate.Games{Names: args}
		if kind == dataset.Games {
			read, kept, err = games.Filter(ctx, *out, s)
		} else {
			entries.Names = args
			read, kept, err = entries.Select(ctx, *out, s)
		}
		if err == nil {
			fmt.Fprintf(stdout, "%s: kept %d of %d\n", *out, kept, read)
			tellGamesLeftOut(stdout, &games)
			tellLeftOut(stdout, entries.LeftOut, unlabeled)
		}
		return err
	}
}

// checkConditions returns an error if a flag was given that does not apply to this
// kind of output.
func checkConditions(flags *cli.Flags, kind dataset.Kind) (err error) {
	var others []string
	switch kind {
	case dataset.Games:
		others = positionFlags
	case dataset.Records, dataset.Text:
		others = gameFlags
	default:
		return errors.New("the output must be .skr, .bin or .txt")
	}
	flags.Visit(func(f *pflag.Flag) {
		if slices.Contains(others, f.Name) {
			err = fmt.Errorf("--%s does not apply to this kind of output", f.Name)
		}
	})
	return err
}
