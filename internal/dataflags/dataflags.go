// Package dataflags has the flags that commands of datagen and tune share: scores, and
// which positions of games to use.
package dataflags

import (
	"skein/chess"
	"skein/internal/cli"
	"skein/internal/record"
)

// filterNames are the names of the flags that Filter adds.
var filterNames = []string{"min-move", "max-score", "quiet"}

// Filter adds the flags that select positions of games. Their defaults are those of f.
func Filter(flags *cli.Flags, f *record.Filter) {
	cli.NaturalVar(flags, &f.MinMove, "min-move", "games: skip positions before this `move`")
	cli.NaturalVar(flags, (*int)(&f.MaxScore), "max-score",
		"games: skip positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet,
		"games: skip positions in check or in which a capture or promotion was played")
}

// GivenFilter returns the first flag of Filter that was given, "" if none was.
func GivenFilter(flags *cli.Flags) string {
	for _, name := range filterNames {
		if flags.Changed(name) {
			return name
		}
	}
	return ""
}

// ScoreVar adds a flag that sets p, whose value is the default.
func ScoreVar(flags *cli.Flags, p *chess.Score, name, usage string) {
	flags.IntVar((*int)(p), name, int(*p), usage)
}
