package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"skein/internal/cli"
	"skein/internal/selfplay"
)

// spsa carries out the command of that name.
func spsa(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	flags := cli.NewFlags("tune spsa", "", stderr)
	out := flags.String("o", "", "`name` of the run: NAME.json, NAME.csv and NAME.svg keep it, and it goes on from them")
	printOnly := flags.Bool("print", false, "print the parameters as OpenBench reads them, and do nothing else")
	file := flags.String("parameters", "", "`file` of the parameters to tune, in the format that -print writes; default is all of them")
	only := flags.String("only", "", "tune only the parameters of these `names`, separated by commas; * stands for any letters")
	rate := flags.Float64("r-end", 0, "learning `rate` of the last iteration for all parameters; 0: their own, 0.002 unless a file says otherwise")
	iterations := flags.Int("iterations", 5000, "`iterations`")
	pairs := flags.Int("pairs", 8, "`pairs` of games of an iteration")
	workers := flags.Int("workers", runtime.NumCPU(), "processes; the result does not depend on it")
	c := contest{Config: selfplay.DefaultConfig()}
	flags.StringVar(&c.Net, "net", "", "network `file`; default is the embedded one")
	flags.StringVar(&c.Book, "book", "", "EPD or FEN `file` of openings, instead of random moves from the initial array")
	flags.Uint64Var(&c.Config.HardNodes, "nodes", 20000, "end a search after as many `nodes`; 0: no limit")
	flags.Uint64Var(&c.Config.SoftNodes, "soft", 0, "begin no iteration of a search after as many `nodes`; 0: no limit")
	flags.IntVar(&c.Config.Hash, "hash", 8, "`MiB` of each side's transposition table")
	flags.Uint64Var(&c.Config.Seed, "seed", 1, "the same seed makes the same run")
	if err := flags.Parse(args); err != nil {
		return err
	}
	parameters, err := tunables()
	if err == nil && *file != "" {
		parameters, err = readParameters(*file, parameters)
	}
	if err == nil && *only != "" {
		parameters, err = selectParameters(strings.Split(*only, ","), parameters)
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
	case flags.NArg() > 0:
		return fmt.Errorf("spsa: unexpected argument %q", flags.Arg(0))
	case *out == "":
		return errors.New("spsa: -o NAME is missing")
	case *iterations < 1 || *pairs < 1 || *workers < 1:
		return errors.New("spsa: iterations, pairs and workers must be positive")
	}
	for _, name := range []*string{&c.Net, &c.Book} {
		if *name != "" {
			if *name, err = filepath.Abs(*name); err != nil {
				return err
			}
		}
	}
	for _, p := range parameters {
		c.Names = append(c.Names, p.Name)
	}
	r := &tuningRun{Contest: c, Pairs: *pairs, Tuner: newTuner(parameters, *iterations, c.Config.Seed), name: *out}
	if err := r.check(); err != nil {
		return fmt.Errorf("spsa: %w", err)
	}
	if err := r.open(); err != nil {
		return fmt.Errorf("spsa: %w", err)
	}
	if err := r.start(ctx, *workers, stderr); err != nil {
		return fmt.Errorf("spsa: %w", err)
	}
	fmt.Fprintf(stderr, "%d of %d iterations\n", r.Tuner.Done, r.Tuner.Iterations)
	return printParameters(stdout, r.Tuner.tuned())
}

// check finds before the first game what would go wrong in it.
func (r *tuningRun) check() error {
	if err := r.Contest.Config.Validate(); err != nil {
		return err
	}
	m, err := r.Contest.match(func(int) {})
	if err != nil {
		return err
	}
	if n, book := r.Tuner.Iterations*r.Pairs, len(m.Config.Openings.Book); book > 0 && n > book {
		return fmt.Errorf("%d pairs need as many openings, and the book has %d", n, book)
	}
	return nil
}

// start runs with workers that it starts and stops.
func (r *tuningRun) start(ctx context.Context, workers int, stderr io.Writer) (err error) {
	var list []*process
	defer func() {
		for _, p := range list {
			if stopErr := p.stop(); err == nil && ctx.Err() == nil {
				err = stopErr
			}
		}
	}()
	for range min(workers, r.Pairs) {
		p, err := startWorker(ctx, &r.Contest, stderr)
		if err != nil {
			return err
		}
		list = append(list, p)
	}
	return r.run(ctx, list, stderr)
}

func printParameters(out io.Writer, parameters []parameter) error {
	for i := range parameters {
		if _, err := fmt.Fprintln(out, parameters[i].String()); err != nil {
			return err
		}
	}
	return nil
}

// selectParameters returns those of the list that a pattern names, each once, in
// their order. Every pattern must name one.
func selectParameters(patterns []string, list []parameter) (chosen []parameter, err error) {
	used := make([]bool, len(patterns))
	for _, p := range list {
		found := false
		for i, pattern := range patterns {
			match, err := path.Match(strings.TrimSpace(pattern), p.Name)
			if err != nil {
				return nil, fmt.Errorf("%q: %w", pattern, err)
			}
			found, used[i] = found || match, used[i] || match
		}
		if found {
			chosen = append(chosen, p)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("there is no parameter %q", patterns[i])
	}
	return chosen, nil
}

// readParameters reads parameters in the format of OpenBench. Each must be one of
// all.
func readParameters(name string, all []parameter) ([]parameter, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []parameter
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		p, err := parseParameter(text)
		if err == nil && !slices.ContainsFunc(all, func(q parameter) bool { return q.Name == p.Name }) {
			err = fmt.Errorf("there is no parameter %q", p.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		list = append(list, p)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no parameters", name)
	}
	return list, nil
}

// parseParameter is the inverse of String.
func parseParameter(line string) (p parameter, err error) {
	fields := strings.Split(line, ",")
	if len(fields) != 7 {
		return p, fmt.Errorf("expected name, int, value, minimum, maximum, C_end, R_end, found %d fields", len(fields))
	}
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	p.Name = fields[0]
	if fields[1] != "int" {
		return p, fmt.Errorf("type %q is not int", fields[1])
	}
	for i, v := range []*int{&p.Start, &p.Min, &p.Max} {
		if *v, err = strconv.Atoi(fields[2+i]); err != nil {
			return p, fmt.Errorf("%q is no whole number", fields[2+i])
		}
	}
	for i, v := range []*float64{&p.CEnd, &p.REnd} {
		if *v, err = strconv.ParseFloat(fields[5+i], 64); err != nil || !(*v > 0) {
			return p, fmt.Errorf("%q is no positive number", fields[5+i])
		}
	}
	if p.Min > p.Start || p.Start > p.Max {
		return p, fmt.Errorf("%d is not %d to %d", p.Start, p.Min, p.Max)
	}
	return p, nil
}
