package main

import (
	"fmt"
	"io"
	"slices"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/dataflags"
	"skein/internal/dataset"
	"skein/internal/record"
)

// newEntries adds, as a group, the flags that select the positions to read.
func newEntries(flags *cli.Flags) *curate.Entries {
	flags.Group("Positions to read")
	e := &curate.Entries{Filter: record.DefaultFilter()}
	dataflags.Filter(flags, &e.Filter)
	flags.BoolVar(&e.Unlabeled, "unlabelled", false,
		"keep positions without a score or a result, with 0 or as draws, to rescore them later")
	return e
}

// What is skipped for lack of labels.
const (
	unlabeled  = "positions without a score or a result"
	noResults  = "positions without a result"
	unfinished = "games without a result"
	unscored   = "games without a result or scores"
)

// tellLeftOut tells how many of what were skipped, if any were.
func tellLeftOut(stdout io.Writer, number int, what string) {
	if number > 0 {
		fmt.Fprintf(stdout, "skipped %d %s\n", number, what)
	}
}

// checkFilter returns an error if a flag was given that selects positions of games,
// and an input has no games or the output is of whole games.
func checkFilter(flags *cli.Flags, inputs []string, output dataset.Kind) error {
	given := dataflags.GivenFilter(flags)
	if given == "" {
		return nil
	}
	if output == dataset.Games {
		return fmt.Errorf("--%s selects positions, but games are written whole", given)
	}
	if i := slices.IndexFunc(inputs, func(name string) bool { return !dataset.HasGames(name) }); i >= 0 {
		return fmt.Errorf("--%s selects positions of games, but %s is not a file of games", given, inputs[i])
	}
	return nil
}
