package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"skein/internal/cli"
	"skein/internal/dataflags"
	"skein/internal/dataset"
	"skein/internal/fit"
	"skein/internal/record"
	"skein/internal/status"
	"skein/internal/terminal"
)

// evalJob holds the settings of eval.
type evalJob struct {
	config fit.Config
	files  []string
}

// eval implements the command eval.
func eval(flags *cli.Flags) cli.Run {
	j := newEval(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		if err := j.check(flags); err != nil {
			return err
		}
		if err := j.load(ctx, args); err != nil {
			return err
		}
		for _, name := range j.files {
			if given := dataflags.GivenFilter(flags); given != "" && !dataset.HasGames(name) {
				return fmt.Errorf("--%s selects positions of games, but %s is not a file of games", given, name)
			}
		}
		return j.compare(ctx, stdout, stderr)
	}
}

// check returns an error if a flag has no effect.
func (j *evalJob) check(flags *cli.Flags) error {
	if len(j.config.Nodes) == 0 {
		if err := cli.Useless(flags, "without --nodes", "soft", "hash"); err != nil {
			return err
		}
	}
	if j.config.Sample == 0 {
		return cli.Useless(flags, "without --sample", "seed")
	}
	return nil
}

// compare compares the networks with the positions of each file.
func (j *evalJob) compare(ctx context.Context, stdout, stderr io.Writer) (err error) {
	e, err := fit.NewEvaluation(j.config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	if err := dataset.CheckInputs(j.files); err != nil {
		return err
	}
	stdout = terminal.PrintableWriter{W: stdout} // names of networks come from their files
	for _, net := range j.config.Nets {
		fmt.Fprintf(stdout, "%s %s %s, k %g\n", net.Name(), net.Architecture(), net.Hash(), j.config.K)
	}
	for _, name := range j.files {
		r, err := e.File(ctx, name, status.New(stderr))
		if err != nil {
			return err
		}
		if err := r.Write(stdout); err != nil {
			return err
		}
	}
	return nil
}

// newEval adds the flags of eval.
func newEval(flags *cli.Flags) *evalJob {
	j := &evalJob{config: fit.Config{Filter: record.DefaultFilter()}}
	c := &j.config
	flags.Group("Input")
	flags.StringArrayVar(&j.files, "data", nil,
		"`file` of positions: .skr, .bin, .txt, .epd, .fen or .pgn, also followed by .gz or .zst; may be repeated")
	flags.Group("Comparison")
	flags.Float64VarP(&c.K, "sigmoid-scale", "k", record.ScoreScale,
		"compare scores and values after the sigmoid 1 / (1 + exp(-score/`k`))")
	flags.Float64Var(&c.ResultShare, "wdl", 0, "`share` of the game result in the blended loss, 0 to 1")
	flags.IntVar(&c.Clip, "clip", 8000, "clip scores and values to this many `units` for the correlation and the fit")
	flags.Float64Var(&c.ScoreScale, "score-scale", record.ScoreScale,
		"scale of the sigmoid of scores in the fit, in `units`; 80 if the scores of the file are centipawns")
	flags.BoolVar(&c.Scaled, "scaled", false,
		"scale values and scores of searches as the search does")
	flags.BoolVar(&c.Paired, "paired", false,
		"also compare each value with the first, position by position; keeps all in memory")
	flags.Group("Searches")
	flags.Var((*nodeList)(&c.Nodes), "nodes",
		"also fit the scores of searches of this many `nodes`; may be a list, as in 150,1500")
	flags.BoolVar(&c.Soft, "soft", false, "let a search finish its last iteration, within ten times the nodes")
	flags.IntVar(&c.Hash, "hash", 2, "`MiB` of the transposition table of each search")
	flags.IntVar(&c.Workers, "workers", runtime.GOMAXPROCS(0), "number of goroutines; does not affect the result")
	flags.Group("Positions")
	flags.IntVar(&c.Sample, "sample", 0, "use this many random `positions` of each file; 0: all")
	flags.Uint64Var(&c.Seed, "seed", 1, "random seed of --sample")
	dataflags.Filter(flags, &c.Filter)
	return j
}

// load loads the networks. The first argument is a network, as are later ones that
// are empty or end in .nnue; the others are files of positions.
func (j *evalJob) load(ctx context.Context, args []string) error {
	var networks []string
	for i, name := range args {
		if i == 0 || name == "" || filepath.Ext(name) == ".nnue" {
			networks = append(networks, name)
		} else {
			j.files = append(j.files, name)
		}
	}
	if len(j.files) == 0 || len(networks) == 0 {
		return errors.New("expected a network and files of positions")
	}
	for _, name := range networks {
		net, err := loadNet(ctx, name)
		if err != nil {
			return err
		}
		j.config.Nets = append(j.config.Nets, net)
	}
	return nil
}

// nodeList is a flag that is a list of positive numbers separated by commas.
type nodeList []uint64

// String implements pflag.Value.
func (l *nodeList) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(*l), " ", ","), "[]&")
}

// Type implements pflag.Value.
func (l *nodeList) Type() string { return "nodes" }

// Set implements pflag.Value.
func (l *nodeList) Set(s string) error {
	*l = nil
	for text := range strings.SplitSeq(s, ",") {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n == 0 {
			return fmt.Errorf("%q is not a positive number of nodes", text)
		}
		*l = append(*l, n)
	}
	return nil
}
