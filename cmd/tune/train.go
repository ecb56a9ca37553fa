package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"skein/internal/cli"
	"skein/internal/input"
	"skein/internal/train"
)

// trainJob holds the settings of a run of train.
type trainJob struct {
	config          train.Config
	out             string // network file
	checkpointEvery time.Duration
	settings        string // the flags that affect the network, one per line
}

// beside returns the name of the network file with another extension.
func (j *trainJob) beside(extension string) string {
	return strings.TrimSuffix(j.out, filepath.Ext(j.out)) + extension
}

// trainNet implements the command train.
func trainNet(ctx context.Context, args []string, _, stderr io.Writer) error {
	j, err := parseTrain(ctx, args, stderr)
	if err == nil {
		err = j.run(ctx, stderr)
	}
	if err != nil {
		err = fmt.Errorf("train: %w", err)
	}
	return err
}

// parseTrain reads the flags of train.
func parseTrain(ctx context.Context, args []string, stderr io.Writer) (*trainJob, error) {
	j := &trainJob{config: train.DefaultConfig()}
	c := &j.config
	flags := cli.NewFlags("tune train", "-o NET DATA...", stderr)
	settings := flags.String("config", "",
		"`file` of lines \"flag value\" for flags not given on the command line, and lines \"data file\"")
	kingMap := flags.String("king-map", "",
		"bucket of each square of the own king: 32 of `0-9a-v`, rank by rank, files a to d; default is one bucket")
	layers := flags.String("layers", "", "neurons of the two layers of a head, as in `16,32`; default is no head")
	trainFlags(flags, j)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if *settings != "" {
		text, err := cli.Await(ctx, func() ([]byte, error) { return os.ReadFile(*settings) })
		if err != nil {
			return nil, err
		}
		if c.Data, err = applySettings(flags, *settings, text); err != nil {
			return nil, err
		}
	}
	if flags.NArg() > 0 {
		c.Data = flags.Args()
	}
	setFilterEnd(flags, c)
	if j.out == "" || len(c.Data) == 0 {
		return nil, errors.New("expected -o NET and files of training data")
	}
	if filepath.Ext(j.out) != ".nnue" {
		return nil, fmt.Errorf("%s: the extension is not .nnue", j.out)
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(j.out), ".nnue")
	}
	if err := setKingMap(c, *kingMap); err != nil {
		return nil, err
	}
	if err := setLayers(c, *layers); err != nil {
		return nil, err
	}
	if err := j.checkFiles(*settings); err != nil {
		return nil, err
	}
	if err := j.setSizes(); err != nil {
		return nil, err
	}
	j.settings = listSettings(flags, c.Data)
	return j, c.Validate()
}

// checkFiles returns an error if an output is also an input, or if the validation
// data or the initial network is not a regular file.
func (j *trainJob) checkFiles(settings string) error {
	c := &j.config
	inputs := append([]string{settings, c.Validation, c.From}, c.Data...)
	for _, extension := range []string{".nnue", ".checkpoint", ".csv", ".svg", ".lock"} {
		if err := checkOutput(j.beside(extension), inputs...); err != nil {
			return err
		}
	}
	for _, name := range []string{c.Validation, c.From} {
		if name == "" {
			continue
		}
		if _, err := input.Stat(name); err != nil {
			return err
		}
	}
	return nil
}

// trainFlags adds the flags whose values are used as they are.
func trainFlags(flags *flag.FlagSet, j *trainJob) {
	c := &j.config
	a, r := &c.Architecture, &c.Rate
	flags.StringVar(&j.out, "o", "",
		"network `file` to write, NAME.nnue; also writes NAME.checkpoint, NAME.csv and NAME.svg")
	flags.DurationVar(&j.checkpointEvery, "checkpoint-every", 2*time.Minute,
		"interval between checkpoints; there is also one after every superbatch")
	flags.StringVar(&c.Name, "name", "", "name of the network; default is that of the file")
	flags.StringVar(&c.Validation, "validation", "",
		"`file` of 32-byte records of games that are not in the training data")
	flags.Int64Var(&c.ValidationPositions, "validation-positions", 1000000,
		"number of validation positions to use, from the start of the file; 0: all")
	flags.IntVar(&a.Width, "width", a.Width, "neurons of each accumulator, a multiple of 16")
	flags.IntVar(&a.OutputBuckets, "output-buckets", a.OutputBuckets,
		"number of outputs, selected by the number of pieces: 1 to 8")
	flags.IntVar(&a.Scale, "scale", a.Scale, "`units` of an output of 1")
	flags.IntVar(&c.Batch, "batch", 0,
		"batch size in `positions`; 0: 4096 with less than 20 million positions of data, otherwise 16384")
	flags.Int64Var(&c.Superbatch, "superbatch", 0,
		"`positions` between two reports; 0: all of the data, at most 100 million")
	flags.IntVar(&c.Superbatches, "superbatches", c.Superbatches, "length of the run in superbatches")
	flags.StringVar((*string)(&r.Kind), "schedule", string(r.Kind), "of the learning rate: constant, step or cosine")
	flags.Float64Var(&r.Start, "rate", r.Start, "initial learning rate")
	flags.Float64Var(&r.End, "rate-end", r.End, "final learning rate of the schedule cosine")
	flags.Float64Var(&r.Gamma, "rate-step", 0.3, "`factor` of the schedule step")
	flags.IntVar(&r.Every, "rate-every", 8, "`superbatches` between two steps of the schedule step")
	flags.Int64Var(&r.Warmup, "warmup", r.Warmup, "`batches` over which the learning rate rises from zero")
	flags.Float64Var(&c.Decay, "decay", c.Decay,
		"weight decay of AdamW, as a multiple of the learning rate: to zero, or to the weights of -from")
	flags.Float64Var(&c.ResultStart, "result", c.ResultStart,
		"`share` of the game result in the target, 0 to 1, at the start; the rest is the score")
	flags.Float64Var(&c.ResultEnd, "result-end", c.ResultEnd, "the same at the end; changes linearly")
	flags.Float64Var(&c.ScoreScale, "score-scale", c.ScoreScale,
		"scale in `units` of the expected points of a score, 1 / (1 + exp(-score/units))")
	cli.ScoreVar(flags, &c.Filter.MaxScore, "max-score",
		"skip positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.IntVar(&c.Filter.MinMove, "min-move", c.Filter.MinMove, "skip positions before this `move` of the game")
	flags.Float64Var(&c.Filter.MaxSurprise, "max-surprise", 0,
		"skip positions whose result differs by more than this, 0 to 1, from the expected points; 0: none")
	cli.ScoreVar(flags, &c.FilterEnd.MaxScore, "max-score-end",
		"-max-score at the end; changes linearly; default is that of the start")
	flags.IntVar(&c.FilterEnd.MinMove, "min-move-end", 0, "the same for -min-move")
	flags.Float64Var(&c.FilterEnd.MaxSurprise, "max-surprise-end", 0, "the same for -max-surprise")
	flags.StringVar(&c.From, "from", "",
		"network `file` to take the initial weights from; one without -layers gives only those of the features")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "random seed of the initial weights")
	flags.IntVar(&c.Threads, "threads", runtime.NumCPU(),
		"number of threads; another number changes the order of summation, and so the rounding")
}

// setFilterEnd sets what was not given of the filter at the end of the run to that
// at its start.
func setFilterEnd(flags *flag.FlagSet, c *train.Config) {
	given := c.FilterEnd
	c.FilterEnd = c.Filter
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "max-score-end":
			c.FilterEnd.MaxScore = given.MaxScore
		case "min-move-end":
			c.FilterEnd.MinMove = given.MinMove
		case "max-surprise-end":
			c.FilterEnd.MaxSurprise = given.MaxSurprise
		}
	})
}
