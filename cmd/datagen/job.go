package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/dataflags"
	"skein/internal/dataset"
	"skein/internal/label"
	"skein/internal/selfplay"
	"skein/nets"
	"skein/nnue"
	"skein/syzygy"
)

// job holds the settings of a run of play.
type job struct {
	config    selfplay.Config
	file      string
	book, net string // file names; "" means no book and the embedded network
	syzygy    string // folders of endgame tablebases; "" means none
	tables    *syzygy.Tables
	games     int64 // in the file at the end of the run; 0 means no limit
	positions int64 // in the file at the end of the run; 0 means no limit
	workers   int
}

// newJob adds the flags of play.
func newJob(flags *cli.Flags) *job {
	j := &job{config: selfplay.DefaultConfig()}
	flags.Group("Output")
	flags.StringVarP(&j.file, "output", "o", "", "`file` of games to write, or to continue if it exists")
	flags.Group("Length")
	flags.Int64Var(&j.games, "games", 0, "stop when the file has this many `games`; 0: no limit")
	flags.Int64Var(&j.positions, "positions", 0, "stop when the file has this many `positions`; 0: no limit")
	searchFlags(flags, j)
	openingFlags(flags, j)
	adjudicationFlags(flags, j)
	return j
}

// check returns an error about the arguments, of which there must be none, or the
// settings of the run. Those of the games are validated by load.
func (j *job) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("unexpected argument %q", args[0])
	case j.file == "":
		return errors.New("-o FILE is missing")
	case dataset.Compressed(j.file):
		return fmt.Errorf("cannot append to %s, which is compressed; compress with merge afterwards", j.file)
	case j.workers < 1:
		return fmt.Errorf("%d workers; expected at least 1", j.workers)
	case j.games < 0 || j.positions < 0:
		return errors.New("--games and --positions must not be negative")
	}
	return dataset.CheckGames(j.file)
}

// checkOpenings returns an error if a setting of the openings has no effect.
func (j *job) checkOpenings(flags *cli.Flags) error {
	o := &j.config.Openings
	if o.VerifyNodes == 0 {
		if err := cli.Useless(flags, "with --start-nodes 0", "start-score"); err != nil {
			return err
		}
	}
	switch {
	case j.book == "":
		return cli.Useless(flags, "without --book", "book-plies")
	case o.FRC+o.DFRC == 0:
		return cli.Useless(flags, "with --book, which has --book-plies", "random-plies")
	case o.FRC+o.DFRC == 1:
		return cli.Useless(flags, "where --frc and --dfrc take all games", "book")
	}
	return nil
}

// checkAdjudication returns an error if the limit of a score has no effect.
func (j *job) checkAdjudication(flags *cli.Flags) error {
	a := &j.config.Adjudication
	if a.WinPlies == 0 {
		if err := cli.Useless(flags, "with --win-plies 0", "win-score"); err != nil {
			return err
		}
	}
	if a.DrawPlies == 0 {
		return cli.Useless(flags, "with --draw-plies 0", "draw-score", "draw-move")
	}
	return nil
}

// searchFlags adds the flags about the players and their searches.
func searchFlags(flags *cli.Flags, j *job) {
	c := &j.config
	flags.Group("Search")
	flags.StringVar(&j.net, "net", "", "network `file`; default is the embedded one")
	flags.IntVar(&j.workers, "workers", runtime.GOMAXPROCS(0), "number of games played at the same time")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "random seed; the same seed and settings give the same games")
	flags.IntVar(&c.Hash, "hash", c.Hash, "`MiB` of each transposition table; every worker has two")
	flags.Uint64Var(&c.SoftNodes, "nodes", c.SoftNodes, "start no new iteration after this many nodes; 0: no limit")
	flags.Uint64Var(&c.HardNodes, "hard", c.HardNodes, "stop a search after this many nodes; 0: no limit")
}

// openingFlags adds the flags about the first moves of games.
func openingFlags(flags *cli.Flags, j *job) {
	o := &j.config.Openings
	flags.Group("Openings")
	flags.StringVar(&j.book, "book", "", "EPD or FEN `file` of openings; default is random moves")
	flags.IntVar(&o.RandomPlies, "random-plies", o.RandomPlies,
		"start with this many random plies or one more, not from positions of a book")
	flags.IntVar(&o.BookPlies, "book-plies", o.BookPlies,
		"after a book position, play this many random plies or one more; 0: none")
	flags.Float64Var(&o.FRC, "frc", 0, "`share` of games, 0 to 1, that start from a Chess960 position")
	flags.Float64Var(&o.DFRC, "dfrc", 0, "`share` of games, 0 to 1, that start from a double Fischer random position")
	dataflags.ScoreVar(flags, &o.MaxScore, "start-score",
		"reject start positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.Uint64Var(&o.VerifyNodes, "start-nodes", o.VerifyNodes,
		"`nodes` of the search that scores a start position; 0: reject none")
}

// adjudicationFlags adds the flags about the ends of games.
func adjudicationFlags(flags *cli.Flags, j *job) {
	a := &j.config.Adjudication
	flags.Group("Adjudication")
	dataflags.ScoreVar(flags, &a.WinScore, "win-score", "adjudicate a win at this score in `units` of 1/256 pawn")
	flags.IntVar(&a.WinPlies, "win-plies", a.WinPlies, "for this many consecutive `plies`; 0: never")
	dataflags.ScoreVar(flags, &a.DrawScore, "draw-score", "adjudicate a draw at absolute scores up to these `units`")
	flags.IntVar(&a.DrawPlies, "draw-plies", a.DrawPlies, "for this many consecutive `plies`; 0: never")
	flags.IntVar(&a.DrawMove, "draw-move", a.DrawMove, "not before this `move` of the game")
	flags.IntVar(&j.config.MaxPlies, "max-plies", j.config.MaxPlies,
		"end a game after this many plies as a draw; 0: never")
	flags.StringVar(&j.syzygy, "syzygy", "", "`folders` of endgame tablebases used to adjudicate games")
}

// load reads the book, the tables and the network, and validates the settings.
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
	if n, ok := j.config.Openings.Starts(); ok && (j.games == 0 || j.games > n) {
		what := "these --random-plies lead to"
		if j.book != "" {
			what = j.book + " with these --book-plies has"
		}
		return nil, fmt.Errorf("%s only %d different games: set --games to that or less, or add random plies", what, n)
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

// describe returns the description in the file's header: all settings that
// determine the games.
func (j *job) describe(net *nnue.Network) string {
	c := &j.config
	o, a := &c.Openings, &c.Adjudication
	text := fmt.Sprintf("net=%s %s\nseed=%d hash=%d nodes=%d hard=%d max-plies=%d\n"+
		"book=%q random-plies=%d frc=%g dfrc=%g start-score=%d start-nodes=%d\n"+
		"win-score=%d win-plies=%d draw-score=%d draw-plies=%d draw-move=%d\n",
		net.Name(), net.Hash(), c.Seed, c.Hash, c.SoftNodes, c.HardNodes, c.MaxPlies,
		j.book, o.RandomPlies, o.FRC, o.DFRC, o.MaxScore, o.VerifyNodes,
		a.WinScore, a.WinPlies, a.DrawScore, a.DrawPlies, a.DrawMove)
	if j.book != "" { // older files lack this setting, and are not continued
		text += "book-hash=" + selfplay.BookHash(o.Book) + "\n"
	}
	if o.BookPlies > 0 { // older files lack this setting
		text += fmt.Sprintf("book-plies=%d\n", o.BookPlies)
	}
	if j.tables != nil {
		text += "syzygy=" + label.DescribeTables(j.tables) + "\n"
	}
	return text
}
