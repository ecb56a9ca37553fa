package main

import (
	"runtime"
	"time"

	"skein/internal/cli"
	"skein/internal/dataflags"
	"skein/internal/train"
)

// outputFlags adds the flags about the files of a run.
func outputFlags(flags *cli.Flags, j *trainJob) {
	flags.Group("Output")
	flags.StringVarP(&j.out, "output", "o", "",
		"network `file` to write, NAME.nnue; also writes NAME.checkpoint, NAME.csv and NAME.svg")
	flags.StringVar(&j.config.Name, "name", "", "name of the network; default is that of the file")
	flags.DurationVar(&j.checkpointEvery, "checkpoint-every", 2*time.Minute,
		"interval between checkpoints; there is also one after every superbatch")
}

// inputFlags adds the flags about the files to read. The training data are arguments.
func inputFlags(flags *cli.Flags, j *trainJob) {
	c := &j.config
	flags.Group("Input")
	flags.StringVar(&j.configFile, "config", "",
		"`file` of lines \"flag value\" for flags not given on the command line, and lines \"data file\"")
	flags.StringVar(&c.From, "from", "",
		"network `file` to take the initial weights from; one without --layers gives only those of the features")
	flags.StringVar(&c.Validation, "validation", "",
		"`file` of 32-byte records of games that are not in the training data")
	flags.Int64Var(&c.ValidationPositions, "validation-positions", 1000000,
		"number of validation positions to use, from the start of the file; 0: all")
}

// architectureFlags adds the flags about the shape of the network.
func architectureFlags(flags *cli.Flags, j *trainJob) {
	a := &j.config.Architecture
	flags.Group("Architecture")
	flags.IntVar(&a.Width, "width", a.Width, "neurons of each accumulator, a multiple of 16")
	flags.StringVar(&j.layers, "layers", "", "neurons of the two layers of a head, as in `16,32`; default is no head")
	flags.IntVar(&a.OutputBuckets, "output-buckets", a.OutputBuckets,
		"number of outputs, selected by the number of pieces: 1 to 8")
	flags.StringVar(&j.kingMap, "king-map", "",
		"bucket of each square of the own king: 32 of `0-9a-v`, rank by rank, files a to d; default is one bucket")
	flags.BoolVar(&a.Threats, "threats", false,
		"use different weights for pieces that hang or that a lesser piece attacks")
	flags.BoolVar(&a.Dangers, "dangers", false,
		"add weights for what threatens a whole side, which requires --threats")
	flags.IntVar(&a.Scale, "scale", a.Scale,
		"`units` of an output of 1; with --from, the default is that of the network")
}

// runFlags adds the flags about the length of the run and the work in it.
func runFlags(flags *cli.Flags, c *train.Config) {
	flags.Group("Run")
	flags.IntVar(&c.Superbatches, "superbatches", c.Superbatches, "length of the run in superbatches")
	flags.Int64Var(&c.Superbatch, "superbatch", 0,
		"`positions` between two reports, without those skipped; 0: as many as the data has, at most 100 million")
	flags.IntVar(&c.Batch, "batch", 0,
		"batch size in `positions`; 0: 4096 with less than 20 million positions of data, otherwise 16384")
	flags.BoolVar(&c.Factorizers, "factorizers", c.Factorizers,
		"let features share weights with those of the same piece, and of it on the same rank and file")
	flags.Uint64Var(&c.Seed, "seed", c.Seed,
		"random seed of the initial weights; the order of the data is that of the files")
	flags.IntVar(&c.Threads, "threads", runtime.GOMAXPROCS(0),
		"number of threads; another number changes the order of summation, and so the rounding")
}

// rateFlags adds the flags about the learning rate and the weight decay.
func rateFlags(flags *cli.Flags, c *train.Config) {
	r := &c.Rate
	flags.Group("Learning rate")
	flags.StringVar((*string)(&r.Kind), "schedule", string(r.Kind), "of the learning rate: constant, step or cosine")
	flags.Float64Var(&r.Start, "rate", r.Start, "initial learning rate")
	flags.Float64Var(&r.End, "rate-end", r.End, "final learning rate of the schedule cosine")
	flags.Float64Var(&r.Gamma, "rate-step", 0.3, "`factor` of the schedule step")
	flags.IntVar(&r.Every, "rate-every", 8, "`superbatches` between two steps of the schedule step")
	flags.Int64Var(&r.Warmup, "warmup", r.Warmup,
		"`batches` over which the learning rate rises from zero, but at most a tenth of the run")
	flags.Float64Var(&c.Decay, "decay", c.Decay,
		"weight decay of AdamW, as a multiple of the learning rate: to zero, or to the weights of --from")
}

// targetFlags adds the flags about the target of the loss.
func targetFlags(flags *cli.Flags, c *train.Config) {
	flags.Group("Target")
	flags.Float64Var(&c.ResultStart, "result", c.ResultStart,
		"`share` of the game result in the target, 0 to 1, at the start; the rest is the score")
	flags.Float64Var(&c.ResultEnd, "result-end", c.ResultEnd, "the same at the end; changes linearly")
	flags.Float64Var(&c.ScoreScale, "score-scale", c.ScoreScale,
		"scale in `units` of the expected points of a score, 1 / (1 + exp(-score/units))")
	flags.Float64Var(&c.Huber, "huber", c.Huber,
		"difference from the target, 0 to 1, beyond which the loss grows linearly; 0: squared throughout")
}

// filterFlags adds the flags that select positions of the data.
func filterFlags(flags *cli.Flags, c *train.Config) {
	flags.Group("Positions")
	dataflags.ScoreVar(flags, &c.Filter.MaxScore, "max-score",
		"skip positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.IntVar(&c.Filter.MinMove, "min-move", c.Filter.MinMove, "skip positions before this `move` of the game")
	flags.Float64Var(&c.Filter.MaxSurprise, "max-surprise", 0,
		"skip positions whose result differs by more than this, 0 to 1, from the expected points; 0: none")
	dataflags.ScoreVar(flags, &c.FilterEnd.MaxScore, "max-score-end",
		"--max-score at the end; changes linearly; default is that of the start")
	flags.Lookup("max-score-end").DefValue = "0" // which is not shown
	flags.IntVar(&c.FilterEnd.MinMove, "min-move-end", 0, "the same for --min-move")
	flags.Float64Var(&c.FilterEnd.MaxSurprise, "max-surprise-end", 0, "the same for --max-surprise")
}

// setFilterEnd sets what was not given of the filter at the end of the run to that
// at its start.
func setFilterEnd(flags *cli.Flags, c *train.Config) {
	given := c.FilterEnd
	c.FilterEnd = c.Filter
	if flags.Changed("max-score-end") {
		c.FilterEnd.MaxScore = given.MaxScore
	}
	if flags.Changed("min-move-end") {
		c.FilterEnd.MinMove = given.MinMove
	}
	if flags.Changed("max-surprise-end") {
		c.FilterEnd.MaxSurprise = given.MaxSurprise
	}
}
