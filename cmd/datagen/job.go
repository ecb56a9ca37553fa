package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/dataset"
	"skein/internal/label"
	"skein/internal/selfplay"
	"skein/nets"
	"skein/nnue"
	"skein/syzygy"
)

// job is what the flags of play ask for.
type job struct {
	config    selfplay.Config
	file      string
	book, net string // file names; "" is none, or the embedded network
	syzygy    string // folders of endgame tables; "" is none
	tables    *syzygy.Tables
	games     int64 // in the file at the end; 0 is no limit
	positions int64 // likewise
	workers   int
}

// parseJob reads the flags of play.
func parseJob(args []string, stderr io.Writer) (*job, error) {
	j := &job{config: selfplay.DefaultConfig()}
	flags := cli.NewFlags("datagen play", "-o FILE", stderr)
	flags.StringVar(&j.file, "o", "", "`file` of games to write, or to continue if it exists")
	flags.Int64Var(&j.games, "games", 0, "end with as many `games` in the file; 0: any number")
	flags.Int64Var(&j.positions, "positions", 0, "end with as many `positions` in the file; 0: any number")
	flags.IntVar(&j.workers, "workers", runtime.NumCPU(), "games played at the same time")
	flags.StringVar(&j.net, "net", "", "network `file`; default is the embedded one")
	flags.StringVar(&j.book, "book", "", "EPD or FEN `file` of openings, instead of random moves from the initial array")
	flags.StringVar(&j.syzygy, "syzygy", "", "`folders` of endgame tables that end games")
	playFlags(flags, &j.config)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("play: unexpected argument %q", flags.Arg(0))
	case j.file == "":
		return nil, errors.New("play: -o FILE is missing")
	case dataset.Compressed(j.file):
		return nil, fmt.Errorf("play: %s would be compressed; "+
			"play appends to its file, so compress it afterwards by merge", j.file)
	case j.workers < 1 || j.games < 0 || j.positions < 0:
		return nil, errors.New("play: workers, games and positions must be positive")
	}
	return j, nil
}

// playFlags adds the flags that decide how games go.
func playFlags(flags *flag.FlagSet, c *selfplay.Config) {
	o, a := &c.Openings, &c.Adjudication
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "the same seed and settings make the same games")
	flags.IntVar(&c.Hash, "hash", c.Hash, "`MiB` of each transposition table, of which a worker has two")
	flags.Uint64Var(&c.SoftNodes, "nodes", c.SoftNodes, "begin no iteration of a search after as many nodes; 0: no limit")
	flags.Uint64Var(&c.HardNodes, "hard", c.HardNodes, "end a search after as many nodes; 0: no limit")
	flags.IntVar(&c.MaxPlies, "max-plies", c.MaxPlies, "call a game of as many plies a draw; 0: never")
	flags.IntVar(&o.RandomPlies, "random-plies", o.RandomPlies, "begin with as many random plies or one more")
	flags.IntVar(&o.BookPlies, "book-plies", o.BookPlies,
		"follow a position of the book by as many random plies or one more; 0: by none")
	flags.Float64Var(&o.FRC, "frc", 0, "`share` of games, 0 to 1, that begin in Chess960")
	flags.Float64Var(&o.DFRC, "dfrc", 0, "`share` of games, 0 to 1, that begin in double Fischer random")
	flags.IntVar(&o.MaxScore, "start-score", o.MaxScore,
		"refuse starts beyond as many `units` of 1/256 pawn for either side; 0: none")
	flags.Uint64Var(&o.VerifyNodes, "start-nodes", o.VerifyNodes, "`nodes` of the search that tells; 0: refuse none")
	flags.IntVar(&a.WinScore, "win-score", a.WinScore, "adjudicate a win at as many `units` of 1/256 pawn")
	flags.IntVar(&a.WinPlies, "win-plies", a.WinPlies, "for as many `plies` in a row; 0: never")
	flags.IntVar(&a.DrawScore, "draw-score", a.DrawScore, "adjudicate a draw within as many `units` of 0")
	flags.IntVar(&a.DrawPlies, "draw-plies", a.DrawPlies, "for as many `plies` in a row; 0: never")
	flags.IntVar(&a.DrawMove, "draw-move", a.DrawMove, "from this `move` of the game on")
}

// load reads the files that the job names and checks its settings.
func (j *job) load(stderr io.Writer) (*nnue.Network, error) {
	if j.book != "" {
		var err error
		if j.config.Openings.Book, err = selfplay.LoadBook(j.book); err != nil {
			return nil, err
		}
	}
	if err := j.config.Validate(); err != nil {
		return nil, err
	}
	if j.syzygy != "" {
		var err error
		if j.tables, err = label.OpenTables(j.syzygy, stderr); err != nil {
			return nil, err
		}
		j.config.Adjudication.Tablebase = label.TableResult(j.tables)
	}
	return nets.Load(j.net)
}

// describe returns the text for the file's header: all that decides how games
// go.
func (j *job) describe(net *nnue.Network) string {
	c := &j.config
	o, a := &c.Openings, &c.Adjudication
	text := fmt.Sprintf("net=%s %s\nseed=%d hash=%d nodes=%d hard=%d max-plies=%d\n"+
		"book=%q random-plies=%d frc=%g dfrc=%g start-score=%d start-nodes=%d\n"+
		"win-score=%d win-plies=%d draw-score=%d draw-plies=%d draw-move=%d\n",
		net.Name(), net.Hash(), c.Seed, c.Hash, c.SoftNodes, c.HardNodes, c.MaxPlies,
		j.book, o.RandomPlies, o.FRC, o.DFRC, o.MaxScore, o.VerifyNodes,
		a.WinScore, a.WinPlies, a.DrawScore, a.DrawPlies, a.DrawMove)
	if o.BookPlies > 0 { // files of before there was this setting are without
		text += fmt.Sprintf("book-plies=%d\n", o.BookPlies)
	}
	if j.tables != nil {
		text += "syzygy=" + label.DescribeTables(j.tables) + "\n"
	}
	return text
}
