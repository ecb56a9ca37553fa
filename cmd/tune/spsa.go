package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/selfplay"
	"skein/internal/spsa"
)

// tuneSearch implements the command spsa.
func tuneSearch(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "",
		"`name` of the run, which is stored in, and continued from, NAME.json and NAME.csv")
	printOnly := flags.Bool("print", false, "only print the parameters in the format of OpenBench")
	flags.Group("Parameters")
	file := flags.String("parameters", "",
		"`file` of the parameters to tune, in the format of --print; default is all parameters")
	only := flags.String("only", "",
		"tune only the parameters with these `names`, separated by commas; * matches any characters")
	rate := flags.Float64("r-end", 0,
		"learning `rate` of the last iteration for all parameters; 0: that of each, by default 0.002")
	flags.Group("Run")
	iterations := flags.Int("iterations", 5000, "number of `iterations`")
	pairs := flags.Int("pairs", 8, "`pairs` of games per iteration")
	workers := flags.Int("workers", runtime.NumCPU(), "number of processes; does not affect the result")
	flags.Group("Games")
	c := spsa.Contest{Config: selfplay.DefaultConfig()}
	flags.StringVar(&c.Net, "net", "", "network `file`; default is the embedded one")
	flags.StringVar(&c.Book, "book", "", "EPD or FEN `file` of openings; default is random moves")
	flags.Uint64Var(&c.Config.HardNodes, "nodes", 20000, "stop a search after this many `nodes`; 0: no limit")
	flags.Uint64Var(&c.Config.SoftNodes, "soft", 0, "start no new iteration after this many `nodes`; 0: no limit")
	flags.IntVar(&c.Config.Hash, "hash", 8, "`MiB` of the transposition table of each side")
	flags.Uint64Var(&c.Config.Seed, "seed", 1, "random seed; the same seed gives the same run")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
		parameters, err := spsa.Tunables()
		if err == nil && *file != "" {
			parameters, err = cli.Await(ctx, func() ([]spsa.Parameter, error) {
				return spsa.ReadParameters(*file, parameters)
			})
		}
		if err == nil && *only != "" {
			parameters, err = spsa.Select(strings.Split(*only, ","), parameters)
		}
		if err == nil && !(*rate >= 0) {
			err = fmt.Errorf("a learning rate of %g is negative", *rate)
		}
		if err != nil {
			return fmt.Errorf("spsa: %w", err)
		}
		for i := range parameters {
			if *rate > 0 {
				parameters[i].REnd = *rate
			}
		}
		if *printOnly {
			return printParameters(stdout, parameters)
		}
		switch {
		case len(args) > 0:
			return fmt.Errorf("spsa: unexpected argument %q", args[0])
		case *out == "":
			return errors.New("spsa: -o NAME is missing")
		case *iterations < 1 || *pairs < 1 || *workers < 1:
			return errors.New("spsa: iterations, pairs and workers must be positive")
		}
		for _, name := range []*string{&c.Net, &c.Book} {
			if *name != "" {
				if _, err := regularSize(*name); err != nil {
					return fmt.Errorf("spsa: %w", err)
				}
				if *name, err = filepath.Abs(*name); err != nil {
					return err
				}
			}
		}
		for _, p := range parameters {
			c.Names = append(c.Names, p.Name)
		}
		lock, err := atomicfile.NewLock(*out + ".lock")
		if err != nil {
			return fmt.Errorf("spsa: %w", err)
		}
		defer func() { err = errors.Join(err, lock.Close()) }()
		r, err := spsa.Open(*out, c, *pairs, spsa.NewTuner(parameters, *iterations, c.Config.Seed))
		if err != nil {
			return fmt.Errorf("spsa: %w", err)
		}
		if err := r.Play(ctx, *workers, stderr); err != nil {
			return fmt.Errorf("spsa: %w", err)
		}
		fmt.Fprintf(stderr, "%d of %d iterations\n", r.Tuner.Done, r.Tuner.Iterations)
		return printParameters(stdout, r.Tuner.Tuned())
	}
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
		return spsa.Worker(ctx, os.Stdin, stdout)
	}
}
