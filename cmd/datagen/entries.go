package main

import (
	"flag"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/record"
)

// newEntries adds the flags that select the positions to read.
func newEntries(flags *flag.FlagSet) *curate.Entries {
	e := &curate.Entries{Filter: record.DefaultFilter()}
	cli.FilterFlags(flags, &e.Filter)
	flags.BoolVar(&e.Unlabeled, "unlabelled", false,
		"keep positions without a score or a result, with a score of 0 or a draw, to rescore them later")
	return e
}
