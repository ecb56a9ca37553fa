package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"skein/internal/cli"
	"skein/internal/train"
)

// trainJob is what the flags of train ask for.
type trainJob struct {
	config          train.Config
	out             string // network file
	checkpointEvery time.Duration
	settings        string // the flags that decide what is learnt, a line each
}

// beside returns the name of a file that goes with the network.
func (j *trainJob) beside(extension string) string {
	return strings.TrimSuffix(j.out, filepath.Ext(j.out)) + extension
}

// trainNet carries out the command train.
func trainNet(ctx context.Context, args []string, _, stderr io.Writer) error {
	j, err := parseTrain(args, stderr)
	if err == nil {
		err = j.run(ctx, stderr)
	}
	if err != nil {
		err = fmt.Errorf("train: %w", err)
	}
	return err
}

// parseTrain reads the flags of train.
func parseTrain(args []string, stderr io.Writer) (*trainJob, error) {
	j := &trainJob{config: train.DefaultConfig()}
	c := &j.config
	flags := cli.NewFlags("tune train", "-o NET DATA...", stderr)
	settings := flags.String("config", "",
		"`file` of lines \"flag value\" for flags that are not given here, and \"data file\"")
	kingMap := flags.String("king-map", "",
		"bucket of each own king square: 32 of `0-9a-v`, rank by rank, files a to d; default is one bucket for all")
	layers := flags.String("layers", "", "neurons of the layers between accumulators and output, `16,32`; default is none")
	trainFlags(flags, j)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if *settings != "" {
		var err error
		if c.Data, err = readSettings(flags, *settings); err != nil {
			return nil, err
		}
	}
	if flags.NArg() > 0 {
		c.Data = flags.Args()
	}
	endAsStarted(flags, c)
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
	if err := j.setSizes(); err != nil {
		return nil, err
	}
	j.settings = listSettings(flags, c.Data)
	return j, c.Validate()
}

// trainFlags adds the flags that need no second look.
func trainFlags(flags *flag.FlagSet, j *trainJob) {
	c := &j.config
	a, r := &c.Architecture, &c.Rate
	flags.StringVar(&j.out, "o", "", "network `file` to write; beside it go a .checkpoint, a .csv and an .svg")
	flags.DurationVar(&j.checkpointEvery, "checkpoint-every", 2*time.Minute,
		"write a checkpoint as often, and after every superbatch")
	flags.StringVar(&c.Name, "name", "", "name of the network; default is that of the file")
	flags.StringVar(&c.Validation, "validation", "",
		"`file` of 32-byte records of games that are not in the training data")
	flags.Int64Var(&c.ValidationPositions, "validation-positions", 1000000,
		"look at as many of them, from the start of the file; 0: all")
	flags.IntVar(&a.Width, "width", a.Width, "neurons of each accumulator, a multiple of 16")
	flags.IntVar(&a.OutputBuckets, "output-buckets", a.OutputBuckets, "outputs, chosen by the number of men: 1 to 8")
	flags.IntVar(&a.Scale, "scale", a.Scale, "`units` of an output of 1")
	flags.IntVar(&c.Batch, "batch", 0,
		"`positions` between two updates of the weights; 0: 4096 below 20 million positions of data, 16384 above")
	flags.Int64Var(&c.Superbatch, "superbatch", 0,
		"`positions` between two reports; 0: all of the data, 100 million at most")
	flags.IntVar(&c.Superbatches, "superbatches", c.Superbatches, "end after as many superbatches")
	flags.StringVar((*string)(&r.Kind), "schedule", string(r.Kind), "of the learning rate: constant, step or cosine")
	flags.Float64Var(&r.Start, "rate", r.Start, "first learning rate")
	flags.Float64Var(&r.End, "rate-end", r.End, "last learning rate of the schedule cosine")
	flags.Float64Var(&r.Gamma, "rate-step", 0.3, "`factor` of the schedule step")
	flags.IntVar(&r.Every, "rate-every", 8, "`superbatches` between two steps of the schedule step")
	flags.Int64Var(&r.Warmup, "warmup", r.Warmup, "`batches` in which the learning rate rises from zero")
	flags.Float64Var(&c.Decay, "decay", c.Decay, "weight decay of AdamW, as a multiple of the learning rate: to zero, or to the weights of -from")
	flags.Float64Var(&c.ResultStart, "result", c.ResultStart,
		"`share` of the game's result in what is learnt, 0 to 1, at the start; the rest is the score")
	flags.Float64Var(&c.ResultEnd, "result-end", c.ResultEnd, "the same at the end; it changes linearly")
	flags.Float64Var(&c.ScoreScale, "score-scale", c.ScoreScale,
		"`units` by which expected points 1/(1+exp(-score/units)) are told")
	flags.IntVar(&c.Filter.MaxScore, "max-score", c.Filter.MaxScore,
		"leave out positions with scores beyond as many `cp`; 0: none")
	flags.IntVar(&c.Filter.MinMove, "min-move", c.Filter.MinMove, "leave out positions of games before this `move`")
	flags.Float64Var(&c.Filter.MaxSurprise, "max-surprise", 0,
		"leave out positions whose game ended farther from the points expected of the score, 0 to 1; 0: none")
	flags.IntVar(&c.FilterEnd.MaxScore, "max-score-end", 0,
		"-max-score at the end; it changes linearly; default is that of the start")
	flags.IntVar(&c.FilterEnd.MinMove, "min-move-end", 0, "-min-move likewise")
	flags.Float64Var(&c.FilterEnd.MaxSurprise, "max-surprise-end", 0, "-max-surprise likewise")
	flags.StringVar(&c.From, "from", "",
		"network `file` whose weights to begin with; one without further layers gives those of the features alone")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "of the weights at the start")
	flags.IntVar(&c.Threads, "threads", runtime.NumCPU(), "threads; another number rounds sums in another order")
}

// endAsStarted gives the filter the end that it has if nothing is said about it.
func endAsStarted(flags *flag.FlagSet, c *train.Config) {
	said := c.FilterEnd
	c.FilterEnd = c.Filter
	flags.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "max-score-end":
			c.FilterEnd.MaxScore = said.MaxScore
		case "min-move-end":
			c.FilterEnd.MinMove = said.MinMove
		case "max-surprise-end":
			c.FilterEnd.MaxSurprise = said.MaxSurprise
		}
	})
}
