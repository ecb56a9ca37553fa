package main

import (
	"flag"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/record"
)

// newEntries adds the flags that decide which positions are read.
func newEntries(flags *flag.FlagSet) *curate.Entries {
	e := &curate.Entries{Filter: record.DefaultFilter()}
	cli.FilterFlags(flags, &e.Filter)
	flags.BoolVar(&e.Unlabeled, "unlabelled", false,
		"keep positions that have no score or no result, as 0 or a draw, to be rescored")
	return e
}
