// Command datagen makes training data: it plays games of the engine against
// itself, and inspects files of games.
package main

import "skein/internal/cli"

const usage = `usage: datagen COMMAND [FLAG...] [FILE...]

  play      play games of the engine against itself; continues FILE if it exists
  verify    replay every game of FILES and name the first bad byte
  stats     count games, positions, results, scores, men and lengths in FILES
  recover   copy the good blocks of a damaged FILE
  merge     join FILES of games
  split     hold a share of the games in FILES out
  filter    copy the games or positions of FILES that meet conditions
  convert   turn games into positions, and positions from one format into another;
            PGN into games
  label     label a few positions of each game in FILES by deep searches
  rescore   replace the scores of FILES by those of searches or of a network
  shuffle   write the positions of FILES in random order

datagen COMMAND -h lists the flags of a command. docs/data-format.md describes
the files.
`

var program = cli.Program{Name: "datagen", Usage: usage, Commands: map[string]cli.Command{
	"play": play, "verify": verify, "stats": stats, "recover": recoverFile, "merge": merge, "split": split,
	"filter": filter, "convert": convert, "label": labelGames, "rescore": rescore, "shuffle": shuffle,
}}

func main() { program.Main() }
