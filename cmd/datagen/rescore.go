package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/selfplay"
	"skein/nnue"
	"skein/position"
	"skein/search"
	"skein/syzygy"
)

// rescore carries out the command of that name.
func rescore(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("rescore", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist: .skr for games, .bin or .txt for positions")
	netFile := flags.String("net", "", "network `file`; default is the embedded one")
	var limits search.Limits
	flags.Uint64Var(&limits.Nodes, "nodes", 0, "search as many `nodes`; without limits the score is the value of the network itself")
	flags.IntVar(&limits.Depth, "depth", 0, "search to this `depth`")
	hash := flags.Int("hash", 2, "`MiB` of each worker's transposition table")
	path := flags.String("syzygy", "", "`folders` of endgame tables that know better than the search")
	workers := flags.Int("workers", runtime.NumCPU(), "goroutines; the result does not depend on it")
	entries := newEntryFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" || *workers < 1 || *hash < 1 || limits.Depth < 0 {
		return errors.New("rescore: expected -o OUT and files, and positive numbers")
	}
	entries.unlabelled = true
	kind, err := dataset.KindOf(*out)
	if err != nil {
		return err
	}
	net, err := loadNet(*netFile)
	if err != nil {
		return err
	}
	r, err := newRescorer(net, limits, *hash, *workers)
	if err != nil {
		return err
	}
	defer r.engines.close()
	how := fmt.Sprintf("rescored by %s %s, nodes=%d depth=%d", net.Name(), net.Hash(), limits.Nodes, limits.Depth)
	if *path != "" {
		if r.tables, err = openTables(*path, stderr); err != nil {
			return err
		}
		defer r.tables.Close()
		how += " syzygy=" + describeTables(r.tables)
	}
	r.progress = newProgress(stderr, 0, 0, 0, 0)
	switch kind {
	case dataset.Games:
		err = produceGames(*out, origin(how, flags.Args()), func(w *record.Writer) error { return r.games(ctx, flags.Args(), w) })
	case dataset.Records, dataset.Text:
		err = produceStream(*out, func(w io.Writer) error { return r.entries(ctx, flags.Args(), entries.filter, kind, w) })
	default:
		err = fmt.Errorf("rescore: cannot write %s", *out)
	}
	r.progress.stop()
	if err == nil {
		fmt.Fprintf(stdout, "%s: %d positions\n", *out, r.progress.tally.Positions)
	}
	return err
}

// rescorer has an engine or an accumulator for each worker.
type rescorer struct {
	limits   search.Limits
	engines  engines
	stacks   []*nnue.Stack
	tables   *syzygy.Tables // nil if none are to be asked
	progress *progress
}

func newRescorer(net *nnue.Network, limits search.Limits, hash, workers int) (r *rescorer, err error) {
	r = &rescorer{limits: limits}
	if limits.Nodes == 0 && limits.Depth == 0 {
		for range workers {
			r.stacks = append(r.stacks, nnue.NewStack(net, 0))
		}
		return r, nil
	}
	r.engines, err = newEngines(net, hash, workers)
	return r, err
}

// forget makes a worker's scores independent of those before.
func (r *rescorer) forget(worker int) {
	if r.engines != nil {
		r.engines[worker].NewGame()
	}
}

// score returns a score from White's view, and what it cost.
func (r *rescorer) score(worker int, g *position.Game) (score int16, nodes uint64) {
	value, known := tableScore(r.tables, &g.Pos)
	switch {
	case known:
	case r.engines == nil:
		s := r.stacks[worker]
		s.Reset(&g.Pos)
		value = int(s.Evaluate(&g.Pos))
	default:
		found := r.engines[worker].Search(g, r.limits, nil)
		value, nodes = int(search.Unscaled(found.Score, &g.Pos)), found.Nodes
	}
	if g.Pos.SideToMove() == chess.Black {
		value = -value
	}
	return int16(value), nodes
}

// scored are games or positions with new scores.
type scored struct {
	games    []record.Game
	entries  []record.Entry
	numGames int // that the entries come from
	nodes    uint64
}

// games rescores games, each from its start with the history of the game.
func (r *rescorer) games(ctx context.Context, names []string, w *record.Writer) error {
	work := func(worker int, b *dataset.GameBatch) (out scored, err error) {
		for i := range b.Games {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			if err := b.Replay(i, nil); err != nil {
				return out, err
			}
			g := b.Games[i]
			g.Plies = slices.Clone(g.Plies)
			r.forget(worker)
			game := position.NewGame(g.Start)
			for j := range g.Plies {
				var nodes uint64
				g.Plies[j].Score, nodes = r.score(worker, game)
				out.nodes += nodes
				game.Play(g.Plies[j].Move)
			}
			out.games = append(out.games, g)
		}
		return out, nil
	}
	return dataset.Ordered(ctx, len(r.engines)+len(r.stacks), dataset.GameBatches(names, true), work, func(out scored) error {
		positions := 0
		for i := range out.games {
			positions += len(out.games[i].Plies)
			if err := w.Write(&out.games[i]); err != nil {
				return err
			}
		}
		r.progress.count(int64(len(out.games)), selfplay.Tally{Positions: int64(positions), Nodes: out.nodes})
		return nil
	})
}

// entries rescores positions, each on its own.
func (r *rescorer) entries(ctx context.Context, names []string, filter record.Filter, kind dataset.Kind, w io.Writer) error {
	work := func(worker int, b dataset.Batch) (out scored, err error) {
		err = b.Each(func(e *dataset.Entry) error {
			r.forget(worker)
			score, nodes := r.score(worker, position.NewGame(e.Position))
			out.nodes += nodes
			e.Score = score
			out.entries = append(out.entries, e.Entry)
			return ctx.Err()
		})
		return out, err
	}
	return dataset.Ordered(ctx, len(r.engines)+len(r.stacks), dataset.Batches(names, filter), work, func(out scored) error {
		for i := range out.entries {
			if err := writeEntry(w, &out.entries[i], kind); err != nil {
				return err
			}
		}
		r.progress.count(0, selfplay.Tally{Positions: int64(len(out.entries)), Nodes: out.nodes})
		return nil
	})
}
