package main

import (
	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/record"
)

// newEntries adds, as a group, the flags that select the positions to read.
func newEntries(flags *cli.Flags) *curate.Entries {
	flags.Group("Positions to read")
	e := &curate.Entries{Filter: record.DefaultFilter()}
	cli.FilterFlags(flags, &e.Filter)
	flags.BoolVar(&e.Unlabeled, "unlabelled", false,
		"keep positions without a score or a result, with a score of 0 or a draw, to rescore them later")
	return e
}
