package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/spsa"
)

// spsaJob holds the settings of spsa.
type spsaJob struct {
	out        string // name of the run
	printOnly  bool
	file, only string  // which parameters to tune
	rate       float64 // learning rate of the last iteration; 0: that of each parameter
	iterations int
	pairs      int // of games per iteration
	contestFlags
}

// tuneSearch implements the command spsa.
func tuneSearch(flags *cli.Flags) cli.Run {
	j := &spsaJob{}
	flags.Group("Output")
	flags.StringVarP(&j.out, "output", "o", "",
		"`name` of the run, which is stored in, and continued from, NAME.json; values are in NAME.csv and NAME.svg")
	flags.BoolVar(&j.printOnly, "print", false, "only print the parameters in the format of OpenBench")
	flags.Group("Parameters")
	flags.StringVar(&j.file, "parameters", "",
		"`file` of the parameters to tune, in the format of --print; default is all parameters")
	flags.StringVar(&j.only, "only", "",
		"tune only the parameters with these `names`, separated by commas; * matches any characters")
	flags.Float64Var(&j.rate, "r-end", 0,
		"learning `rate` of the last iteration for all parameters; 0: that of each, by default 0.002")
	flags.Group("Run")
	flags.IntVar(&j.iterations, "iterations", 5000, "number of `iterations`")
	flags.IntVar(&j.pairs, "pairs", 8, "`pairs` of games per iteration")
	j.defineWorkers(flags)
	j.defineGames(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		parameters, err := j.parameters(ctx)
		if err != nil {
			return err
		}
		if j.printOnly {
			return printParameters(stdout, parameters)
		}
		if err := j.check(flags, args); err != nil {
			return err
		}
		if j.contest.Config.Clock.Time == 0 {
			if parameters = spsa.Untimed(parameters); len(parameters) == 0 {
				return errors.New("parameters of time management need --clock")
			}
		}
		return j.tune(ctx, parameters, stdout, stderr)
	}
}

// parameters returns the parameters to tune.
func (j *spsaJob) parameters(ctx context.Context) ([]spsa.Parameter, error) {
	parameters, err := spsa.Tunables()
	if err == nil && j.file != "" {
		parameters, err = cli.Await(ctx, func() ([]spsa.Parameter, error) {
			return spsa.ReadParameters(j.file, parameters)
		})
	}
	if err == nil && j.only != "" {
		parameters, err = spsa.Select(strings.Split(j.only, ","), parameters)
	}
	if err == nil && !(j.rate >= 0 && j.rate <= spsa.MaxGain) {
		err = fmt.Errorf("a learning rate of %g is not 0 to %g", j.rate, spsa.MaxGain)
	}
	if err != nil {
		return nil, err
	}
	for i := range parameters {
		if j.rate > 0 {
			parameters[i].REnd = j.rate
		}
	}
	return parameters, nil
}

// check returns an error about the arguments, of which there must be none, or the
// settings of the run.
func (j *spsaJob) check(flags *cli.Flags, args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("unexpected argument %q", args[0])
	case j.out == "":
		return errors.New("-o NAME is missing")
	case j.iterations < 1 || j.pairs < 1:
		return errors.New("iterations and pairs must be positive")
	}
	return j.contestFlags.check(flags)
}

// tune plays the run and prints the tuned parameters.
func (j *spsaJob) tune(ctx context.Context, parameters []spsa.Parameter, stdout, stderr io.Writer) (err error) {
	for _, p := range parameters {
		j.contest.Names = append(j.contest.Names, p.Name)
	}
	lock, err := atomicfile.NewLock(j.out + ".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	r, err := spsa.Open(j.out, j.contest, j.pairs, spsa.NewTuner(parameters, j.iterations, j.contest.Config.Seed))
	if err != nil {
		return err
	}
	if j.workers > j.pairs {
		fmt.Fprintf(stderr, "%d of %d workers play at a time, as many as --pairs\n", j.pairs, j.workers)
	}
	err = r.Play(ctx, j.workers, stderr)
	if r.Tuner.Done < r.Tuner.Iterations {
		if err != nil {
			return err
		}
		err = ctx.Err()
	}
	fmt.Fprintf(stderr, "%d of %d iterations\n", r.Tuner.Done, r.Tuner.Iterations)
	return errors.Join(err, printParameters(stdout, r.Tuner.Tuned()))
}

// printParameters prints the parameters in the format of OpenBench.
func printParameters(out io.Writer, parameters []spsa.Parameter) error {
	for i := range parameters {
		if _, err := fmt.Fprintln(out, parameters[i].String()); err != nil {
			return err
		}
	}
	return nil
}

// spsaWorker implements the command spsa-worker.
func spsaWorker(*cli.Flags) cli.Run {
	return func(ctx context.Context, _ []string, stdout, _ io.Writer) error {
		// An interrupt also reaches the parent, which ends the worker.
		return spsa.Worker(context.WithoutCancel(ctx), os.Stdin, stdout)
	}
}
