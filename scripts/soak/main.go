//go:build linux

// Command soak uses one engine for hours, as games, analysis and changes of options
// would, and shows whether it grows: it samples goroutines, open descriptors, heap,
// memory mappings and resident memory of the process, always after a new game with
// default options. All output of the engine is checked by package internal/ucicheck.
//
//	go run ./scripts/soak -time 6h -o soak.csv -svg soak.svg
//
// It runs in the root of the repository, on Linux, and uses about one core. What is
// done is drawn at random; -seed draws the same again. SIGINT ends it early. The exit
// status is 1 if anything grew, if the engine wrote what it must not, or if it did
// not answer.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"text/tabwriter"
	"time"
)

// config is the command line.
type config struct {
	duration, every time.Duration
	seed            uint64
	csv, svg        string
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("soak: ")
	var c config
	flag.DurationVar(&c.duration, "time", 10*time.Minute, "run for so long")
	flag.DurationVar(&c.every, "every", 30*time.Second, "time between samples")
	flag.Uint64Var(&c.seed, "seed", 1, "draw the same again")
	flag.StringVar(&c.csv, "o", "soak.csv", "`file` of samples to write")
	flag.StringVar(&c.svg, "svg", "soak.svg", "`file` of the chart to write")
	flag.Parse()
	if flag.NArg() > 0 || c.duration <= 0 || c.every <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run plays rounds until the time is over or ctx ends, and writes the samples, the
// chart and, to out, a summary. Faults in the output are logged; they do not end the run.
// The error says what the engine did wrong and what grew.
func run(ctx context.Context, c config, out io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, c.duration)
	defer cancel()
	file, err := os.Create(c.csv)
	if err != nil {
		return err
	}
	defer file.Close()
	p, err := newPlayer(rand.New(rand.NewPCG(c.seed, 0)))
	if err != nil {
		return err
	}
	defer p.close()
	samples, err := p.soak(ctx, c.every, file)
	p.summarize(out)
	err = errors.Join(err, judge(samples, out), file.Close(), os.WriteFile(c.svg, chart(samples).SVG(), 0o644))
	if p.faults > 0 {
		err = errors.Join(err, fmt.Errorf("%d faults in the output", p.faults))
	}
	return err
}

// soak plays rounds until ctx ends or one fails, and takes samples in between, which
// it also writes to file as they are taken.
func (p *player) soak(ctx context.Context, every time.Duration, file io.Writer) ([]sample, error) {
	if _, err := fmt.Fprintln(file, header()); err != nil {
		return nil, err
	}
	var samples []sample
	start := time.Now()
	for next := start; ; {
		if now := time.Now(); !now.Before(next) || ctx.Err() != nil {
			if err := p.rest(); err != nil {
				return samples, err
			}
			s, err := takeSample()
			if err != nil {
				return samples, err
			}
			s.seconds, s.rounds = now.Sub(start).Seconds(), p.total()
			samples = append(samples, s)
			if _, err := fmt.Fprintln(file, s); err != nil {
				return samples, err
			}
			next = now.Add(every)
		}
		if ctx.Err() != nil {
			return samples, nil
		}
		begin := time.Now()
		if err := p.round(); err != nil {
			return samples, err
		}
		// Rounds with several threads are followed by a pause, so that about one
		// core is used.
		idle := time.Since(begin) * time.Duration(min(p.threads, runtime.NumCPU())-1)
		select {
		case <-ctx.Done():
		case <-time.After(idle):
		}
	}
}

// summarize writes how many rounds of each kind were played.
func (p *player) summarize(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "round\tplayed")
	for i, k := range kinds {
		fmt.Fprintf(w, "%s\t%d\n", k.name, p.played[i])
	}
	w.Flush() // to a terminal or a log
}
