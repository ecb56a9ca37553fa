// Command datagen generates training data by self-play, and converts, checks and
// describes files of games and positions.
package main

import "skein/internal/cli"

const usage = `usage: datagen COMMAND [FLAG...] [FILE...]

  play      generate games by self-play; continues FILE if it exists
  verify    replay every game of FILES and report the first bad byte
  stats     count games, positions, results, scores, pieces and lengths in FILES
  recover   copy the intact blocks of a damaged FILE
  merge     concatenate FILES of games
  split     divide the games of FILES at random into two files
  filter    copy the games or positions of FILES that meet conditions
  convert   convert games to positions, positions to another format, PGN to games
  label     label a few positions of each game in FILES with scores of deep searches
  rescore   replace the scores in FILES with those of searches or of a network
  shuffle   write the positions of FILES in random order

datagen COMMAND -h lists the flags of a command. docs/data-format.md describes
the file formats.
`

var program = cli.Program{Name: "datagen", Usage: usage, Commands: map[string]cli.Command{
	"play": play, "verify": verify, "stats": stats, "recover": recoverFile, "merge": merge, "split": split,
	"filter": filter, "convert": convert, "label": labelGames, "rescore": rescore, "shuffle": shuffle,
}}

func main() { program.Main() }
