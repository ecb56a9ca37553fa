package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strings"

	"skein/internal/cli"
	"skein/internal/dataflags"
	"skein/internal/selfplay"
	"skein/internal/spsa"
	"skein/internal/terminal"
)

// matchJob is the settings of a match.
type matchJob struct {
	nets, sets     [2]string // network files and values of parameters
	pairs, workers int
	book           string
	sprt           bounds
	clock          clock
	config         selfplay.Config
}

// match implements the command match.
func match(flags *cli.Flags) cli.Run {
	j := &matchJob{config: selfplay.DefaultConfig()}
	c := &j.config
	flags.Group("Sides")
	flags.StringVarP(&j.nets[0], "first", "a", "", "`file` of the first network; default is the embedded one")
	flags.StringVarP(&j.nets[1], "second", "b", "", "`file` of the second network; default is the embedded one")
	flags.StringVar(&j.sets[0], "set-a", "", "search parameters `NAME=VALUE,...` of the first side (with -tags tune)")
	flags.StringVar(&j.sets[1], "set-b", "", "search parameters `NAME=VALUE,...` of the second side")
	flags.Group("Match")
	flags.IntVar(&j.pairs, "pairs", 250, "number of `pairs` of games with the same opening and colors reversed")
	flags.IntVar(&j.workers, "workers", runtime.GOMAXPROCS(0),
		"number of simultaneous games; does not affect the result")
	flags.Var(&j.sprt, "sprt", "end when one of the differences `LOW,HIGH` in Elo is rejected (errors of 5 %)")
	least := flags.Float64("least", math.Inf(-1), "fail unless the first side is at least this many `Elo` stronger")
	flags.Lookup("least").DefValue = "0" // which is not shown
	adjudicate := flags.Bool("adjudicate", true, "adjudicate games by the scores of both sides")
	flags.Group("Searches")
	flags.Uint64Var(&c.HardNodes, "nodes", 10000, "stop a search after this many `nodes`; 0: no limit")
	flags.Uint64Var(&c.SoftNodes, "soft", 0, "start no new iteration after this many `nodes`; 0: no limit")
	j.clock.define(flags)
	flags.IntVar(&c.Hash, "hash", 16, "`MiB` of the transposition table of each side")
	flags.Group("Openings")
	flags.StringVar(&j.book, "book", "", "EPD or FEN `file` of openings; default is random moves")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "random seed of the openings, or of the order of --book, of which "+
		"other seeds take many of the same positions")
	flags.IntVar(&c.Openings.RandomPlies, "random-plies", c.Openings.RandomPlies,
		"start with this many random plies or one more; fewer than 5 repeat openings, and make the interval too narrow")
	dataflags.ScoreVar(flags, &c.Openings.MaxScore, "start-score",
		"reject random openings with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.Float64Var(&c.Openings.FRC, "frc", 0, "`share` of openings, 0 to 1, that are Chess960")
	flags.Float64Var(&c.Openings.DFRC, "dfrc", 0, "`share` of openings, 0 to 1, that are double Fischer random")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		switch {
		case len(args) > 0:
			return fmt.Errorf("unexpected argument %q", args[0])
		case j.pairs < 1 || j.workers < 1:
			return errors.New("pairs and workers must be positive")
		case math.IsNaN(*least):
			return errors.New("--least is not a number")
		}
		if !*adjudicate {
			c.Adjudication = selfplay.Adjudication{}
		}
		err := j.clock.set(c, flags)
		if err == nil && j.book != "" {
			err = cli.Useless(flags, "with --book", "random-plies", "start-score", "frc", "dfrc")
		}
		if err != nil {
			return err
		}
		s, err := j.play(ctx, stdout, stderr)
		if err != nil {
			return err
		}
		if elo, _ := s.Elo(); elo < *least {
			return fmt.Errorf("a difference of %+.1f Elo is less than %+.1f", elo, *least)
		}
		return nil
	}
}

// play plays the match in this process or, as parameters belong to a process, in
// several if the sides differ in them. It prints the result, for an interrupted
// match that of the games played.
func (j *matchJob) play(ctx context.Context, stdout, stderr io.Writer) (selfplay.Standing, error) {
	if j.sets != [2]string{} {
		return j.playSets(ctx, stdout, stderr)
	}
	m := selfplay.Match{Config: j.config}
	var err error
	for i, name := range j.nets {
		if m.Contestants[i].Net, err = loadNet(ctx, name); err != nil {
			if errors.Is(err, fs.ErrNotExist) && strings.Contains(name, "=") {
				err = fmt.Errorf("%w; for parameters of the search there are --set-a and --set-b", err)
			}
			return selfplay.Standing{}, err
		}
	}
	if j.book != "" {
		if m.Config.Openings.Book, err = loadBook(ctx, j.book); err != nil {
			return selfplay.Standing{}, err
		}
	}
	return j.playNets(ctx, &m, stdout, stderr)
}

// playNets plays a match of networks.
func (j *matchJob) playNets(
	ctx context.Context, m *selfplay.Match, stdout, stderr io.Writer,
) (selfplay.Standing, error) {
	var nodes [2]uint64
	var moves [2]int64
	r := newReferee(j.pairs, j.sprt, stderr)
	err := r.close(ctx, m.Run(ctx, 0, j.pairs, j.workers, func(p *selfplay.Pair) error {
		for i := range nodes {
			nodes[i] += p.Nodes[i]
			moves[i] += p.Moves[i]
		}
		var s selfplay.Standing
		s.Add(p)
		return r.count(&s)
	}))
	if err != nil && r.Games() == 0 {
		return r.Standing, err
	}
	r.print(stdout)
	for i, c := range m.Contestants {
		perMove := nodes[i] / uint64(max(moves[i], 1))
		fmt.Fprintf(terminal.PrintableWriter{W: stdout}, "%-12s %s %s %s, %d nodes per move\n",
			string("ab"[i]), c.Net.Name(), c.Net.Architecture(), c.Net.Hash(), perMove)
	}
	return r.Standing, err
}

// playSets plays a match of values of parameters.
func (j *matchJob) playSets(ctx context.Context, stdout, stderr io.Writer) (selfplay.Standing, error) {
	if j.nets[0] != j.nets[1] {
		return selfplay.Standing{}, errors.New("sides with other parameters need the same network")
	}
	list, err := spsa.Tunables()
	if err != nil {
		return selfplay.Standing{}, err
	}
	names, values, err := spsa.Sides(j.sets, list)
	if err != nil {
		return selfplay.Standing{}, err
	}
	c := spsa.Contest{Config: j.config, Net: j.nets[0], Book: j.book, Names: names}
	r := newReferee(j.pairs, j.sprt, stderr)
	err = r.close(ctx, c.Play(ctx, values, j.pairs, j.workers, stderr, r.count))
	if err != nil && r.Games() == 0 {
		return r.Standing, err
	}
	r.print(stdout)
	for i, side := range values {
		fmt.Fprintf(stdout, "%-12s", string("ab"[i]))
		for k, name := range names {
			fmt.Fprintf(stdout, " %s=%d", name, side[k])
		}
		fmt.Fprintln(stdout)
	}
	return r.Standing, err
}
