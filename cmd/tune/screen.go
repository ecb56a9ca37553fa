package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"skein/internal/atomicfile"
	"skein/internal/cli"
	"skein/internal/spsa"
)

// screenJob holds the settings of screen.
type screenJob struct {
	out          string   // name of the run
	changes      []string // as given
	file         string   // of more changes
	pairs, block int
	contestFlags
}

// screen implements the command screen.
func screen(flags *cli.Flags) cli.Run {
	j := &screenJob{}
	flags.Group("Output")
	flags.StringVarP(&j.out, "output", "o", "",
		"`name` of the run, which is stored in, and continued from, NAME.json and NAME.csv")
	flags.Group("Changes")
	flags.StringArrayVar(&j.changes, "change", nil,
		"change one or more search parameters to `NAME=VALUE,...`; may be repeated")
	flags.StringVar(&j.file, "changes", "", "`file` with a change on each line; # begins a comment")
	flags.Group("Run")
	flags.IntVar(&j.pairs, "pairs", 1500, "`pairs` of games; the only setting that may grow when a run is continued")
	flags.IntVar(&j.block, "block", 3, "`pairs` of games between the same sides")
	j.defineWorkers(flags)
	j.defineGames(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		list, err := spsa.Tunables()
		if err != nil {
			return err
		}
		if err := j.check(flags, args); err != nil {
			return err
		}
		return j.play(ctx, list, stdout, stderr)
	}
}

// check returns an error about the arguments, of which there must be none, or the
// settings of the run.
func (j *screenJob) check(flags *cli.Flags, args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("unexpected argument %q", args[0])
	case j.out == "":
		return errors.New("-o NAME is missing")
	case len(j.changes) == 0 && j.file == "":
		return errors.New("--change NAME=VALUE is missing")
	}
	return j.contestFlags.check(flags)
}

// read returns the changes.
func (j *screenJob) read(ctx context.Context, list []spsa.Parameter) (spsa.Changes, error) {
	return cli.Await(ctx, func() (changes spsa.Changes, err error) {
		for _, text := range j.changes {
			if err := changes.Add(text, list); err != nil {
				return nil, fmt.Errorf("--change %q: %w", text, err)
			}
		}
		if j.file != "" {
			err = changes.Read(j.file, list)
		}
		return changes, err
	})
}

// play plays the games and prints what they tell about the changes.
func (j *screenJob) play(ctx context.Context, list []spsa.Parameter, stdout, stderr io.Writer) (err error) {
	changes, err := j.read(ctx, list)
	if err != nil {
		return err
	}
	lock, err := atomicfile.NewLock(j.out + ".lock")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	s, err := spsa.OpenScreen(j.out, j.contest, changes, list, j.block, j.pairs)
	if err != nil {
		return err
	}
	if err := s.Play(ctx, j.workers, stderr); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%d of %d pairs\n", s.Played(), j.pairs)
	err = printEstimates(stdout, s)
	if s.Played() < j.pairs {
		if err != nil {
			fmt.Fprintln(stderr, err)
		}
		return ctx.Err()
	}
	return err
}

// printEstimates prints the gains of the changes, the largest first.
func printEstimates(out io.Writer, s *spsa.Screen) error {
	list, spread, err := s.Estimates()
	if err != nil {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%7s   %5s  %s\n", "Elo", "95 %", "change")
	for _, e := range list {
		fmt.Fprintf(&text, "%+7.1f ± %5.1f  %v\n", e.Elo, e.Margin, e.Change)
	}
	fmt.Fprintf(&text, "%-12s %d\n", "games", 2*s.Played())
	fmt.Fprintf(&text, "%-12s %.2f, mean square of Elo / standard error; by chance 1 ± %.2f (95 %%)\n",
		"spread", spread, 1.96*math.Sqrt(2/float64(len(list))))
	_, err = io.WriteString(out, text.String())
	return err
}
