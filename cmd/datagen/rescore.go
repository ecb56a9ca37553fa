package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"

	"skein/internal/cli"
	"skein/internal/curate"
	"skein/internal/dataset"
	"skein/internal/label"
	"skein/internal/record"
	"skein/nets"
	"skein/nnue"
	"skein/search"
)

// loadNet is nets.Load, until ctx is done.
func loadNet(ctx context.Context, name string) (*nnue.Network, error) {
	return cli.Await(ctx, func() (*nnue.Network, error) { return nets.Load(name) })
}

// rescore implements the command rescore.
func rescore(flags *cli.Flags) cli.Run {
	flags.Group("Output")
	out := flags.StringP("output", "o", "", "new `file` to write: .skr for games, .bin or .txt for positions")
	flags.Group("Search")
	netFile := flags.String("net", "", "network `file`; default is the embedded one")
	var limits search.Limits
	flags.Uint64Var(&limits.Nodes, "nodes", 0,
		"`nodes` of each search; without --nodes and --depth the score is the value of the network")
	flags.IntVar(&limits.Depth, "depth", 0, "`depth` of each search in plies")
	hash := flags.Int("hash", 2, "`MiB` of each worker's transposition table")
	path := flags.String("syzygy", "", "`folders` of endgame tablebases, whose results replace scores of searches")
	workers := flags.Int("workers", runtime.GOMAXPROCS(0), "number of goroutines; does not affect the result")
	entries := newEntries(flags)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
		if len(args) == 0 || *out == "" || *workers < 1 || *hash < 1 || limits.Depth < 0 {
			return errors.New("expected -o OUT and files, " +
				"--workers and --hash of at least 1, --depth of at least 0")
		}
		kind, err := dataset.KindOf(*out)
		if err == nil {
			err = checkFilter(flags, args, kind)
		}
		if err == nil && kind == dataset.Games {
			err = cli.Useless(flags, "where games are written whole", "unlabelled")
		}
		if err == nil && limits.Nodes == 0 && limits.Depth == 0 {
			err = cli.Useless(flags, "without --nodes or --depth", "hash")
		}
		if err != nil {
			return err
		}
		net, err := loadNet(ctx, *netFile)
		if err != nil {
			return err
		}
		r, err := label.NewRescorer(net, limits, *hash, *workers)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		how := fmt.Sprintf("rescored by %s %s, nodes=%d depth=%d hash=%d",
			net.Name(), net.Hash(), limits.Nodes, limits.Depth, *hash)
		if *path != "" {
			if r.Tables, err = label.OpenTables(*path, stderr); err != nil {
				return err
			}
			defer r.Tables.Close()
			how += " syzygy=" + label.DescribeTables(r.Tables)
		}
		if kind == dataset.Games {
			return rescoreGames(ctx, r, *out, how, args, stdout, stderr)
		}
		how += fmt.Sprintf(" unlabelled=%t %v", entries.Unlabeled, entries.Filter)
		if limits.Nodes > 0 || limits.Depth > 0 { // not of older files, whose batches had more
			how += fmt.Sprintf(" together=%d", label.SearchedTogether)
		}
		_, positions, err := dataset.Count(ctx, args)
		if err != nil {
			return err
		}
		return resume(*out, how, noResults, args, 0, positions, stdout, stderr,
			func(skip int, write func(*label.Batch) error) error {
				return r.Entries(ctx, args, entries.Filter, entries.Unlabeled, skip, write)
			})
	}
}

// rescoreGames writes the file out of the games of the inputs with new scores, or
// continues one that was begun in the same way. If the file is complete, it only says so.
func rescoreGames(
	ctx context.Context, r *label.Rescorer, out, how string, inputs []string, stdout, stderr io.Writer,
) error {
	sums, err := dataset.Inputs(inputs)
	if err != nil {
		return err
	}
	description := curate.Origin(how, inputs) + fmt.Sprintf("inputs %x\n", sha256.Sum256([]byte(sums)))
	positions, leftOut := int64(0), 0
	err = dataset.ResumeGames(ctx, out, description, func(w *record.Writer) error {
		if w.Games() > 0 {
			fmt.Fprintf(stderr, "%s: continuing after %d games\n", out, w.Games())
		}
		games, _, err := dataset.Count(ctx, inputs)
		if err != nil {
			return err
		}
		p := newProgress(stderr, w.Games(), w.Positions(), games, 0)
		defer p.stop()
		if leftOut, err = r.Games(ctx, inputs, w.Games(), w.Write, p.count); err != nil {
			return err
		}
		err = w.Flush()
		positions = w.Positions()
		return err
	})
	if errors.Is(err, dataset.ErrComplete) {
		fmt.Fprintf(stderr, "%s is complete\n", out)
		return nil
	} else if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d positions\n", out, positions)
	tellLeftOut(stdout, leftOut, unfinished)
	return nil
}
