package main

import (
	"flag"

	"skein/internal/curate"
	"skein/internal/record"
)

// newEntries adds the flags that decide which positions are read.
func newEntries(flags *flag.FlagSet) *curate.Entries {
	e := &curate.Entries{Filter: record.DefaultFilter()}
	f := &e.Filter
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore,
		"leave out positions of games with scores beyond as many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet,
		"leave out positions of games in check or whose move is a capture or promotion")
	flags.BoolVar(&e.Unlabeled, "unlabelled", false,
		"keep positions that have no score or no result, as 0 or a draw, to be rescored")
	return e
}
