// Command datagen generates training data by self-play, and converts, checks and
// describes files of games and positions.
package main

import "skein/internal/cli"

var program = cli.Program{
	Name:    "datagen",
	Purpose: "Generates training data by self-play, and converts, checks and describes files of games and positions.",
	Note:    "docs/data-format.md describes the file formats.",
	Commands: []cli.Command{
		{Name: "play", Arguments: "-o FILE", Define: play,
			Summary: "generate games by self-play; continues FILE if it exists"},
		{Name: "verify", Arguments: "FILE...", Define: verify,
			Summary: "replay every game of FILES and report the first bad byte"},
		{Name: "stats", Arguments: "FILE...", Define: stats,
			Summary: "count games, positions, results, scores, pieces and lengths in FILES"},
		{Name: "recover", Arguments: "-o OUT FILE", Define: recoverFile,
			Summary: "copy the intact blocks of a damaged FILE, or the valid games of PGN"},
		{Name: "merge", Arguments: "-o OUT FILE...", Define: merge,
			Summary: "concatenate FILES of games"},
		{Name: "split", Arguments: "-o OUT --rest OUT2 FILE...", Define: split,
			Summary: "divide the games of FILES at random into two files"},
		{Name: "filter", Arguments: "-o OUT FILE...", Define: filter,
			Summary: "copy the games or positions of FILES that meet conditions"},
		{Name: "convert", Arguments: "-o OUT FILE...", Define: convert,
			Summary: "convert games to positions, positions to another format, PGN to games"},
		{Name: "label", Arguments: "-o OUT FILE...", Define: labelGames,
			Summary: "label positions of the games in FILES with scores of deep searches or of the games"},
		{Name: "rescore", Arguments: "-o OUT FILE...", Define: rescore,
			Summary: "replace the scores in FILES with those of searches or of a network"},
		{Name: "shuffle", Arguments: "-o OUT FILE...", Define: shuffle,
			Summary: "write the positions of FILES in random order"},
	},
}

func main() { program.Main() }
