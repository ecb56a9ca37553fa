package label

import (
	"cmp"
	"context"
	"slices"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/nnue"
	"skein/position"
	"skein/search"
	"skein/syzygy"
)

// Rescorer replaces scores. It has an engine or a stack of accumulators for each
// worker.
type Rescorer struct {
	Tables *syzygy.Tables // tablebases, whose results take precedence; nil means none

	limits  search.Limits
	engines engines
	stacks  []*nnue.Stack
}

// NewRescorer returns a rescorer with searches limited in nodes and depth, and hash
// MiB for each worker. Without limits, both 0, scores are values of the network. It
// is an error if memory cannot be allocated.
func NewRescorer(net *nnue.Network, limits search.Limits, hash, workers int) (r *Rescorer, err error) {
	r = &Rescorer{limits: limits}
	if limits.Nodes == 0 && limits.Depth == 0 {
		for range workers {
			r.stacks = append(r.stacks, nnue.NewStack(net, 0))
		}
		return r, nil
	}
	r.engines, err = newEngines(net, hash, workers)
	return r, err
}

// Close frees the memory of the engines.
func (r *Rescorer) Close() error { return r.engines.close() }

// workers returns the number of workers.
func (r *Rescorer) workers() int { return len(r.engines) + len(r.stacks) }

// reset makes the next scores of a worker independent of earlier ones.
func (r *Rescorer) reset(worker int) {
	if r.engines != nil {
		r.engines[worker].NewGame()
	}
}

// score returns a score from White's point of view, and the nodes searched. The
// error is that of a tablebase or of ctx.
func (r *Rescorer) score(
	ctx context.Context, worker int, g *position.Game,
) (score chess.Score, nodes uint64, err error) {
	score, known, err := tableScore(r.Tables, &g.Pos)
	switch {
	case known || err != nil:
	case r.engines == nil:
		s := r.stacks[worker]
		s.Reset(&g.Pos)
		score = s.Evaluate(&g.Pos)
	default:
		found := r.engines[worker].SearchContext(ctx, g, r.limits, nil)
		score, nodes = search.Unscaled(found.Score, &g.Pos), found.Nodes
	}
	if g.Pos.SideToMove() == chess.Black {
		score = -score
	}
	return score, nodes, cmp.Or(err, ctx.Err())
}

// scored is a game with new scores.
type scored struct {
	game  record.Game
	nodes uint64
}

// Progress is called with the numbers of games, positions and nodes since the last call.
type Progress func(games, positions int64, nodes uint64)

// Games rescores the games of files except the first skip, each from its first position
// to its last, and calls write for them in the order of the files. Searches know the
// history of the game. leftOut is the number of games of PGN without a result, which
// are left out.
func (r *Rescorer) Games(
	ctx context.Context, names []string, skip int64, write func(*record.Game) error, progress Progress,
) (leftOut int, err error) {
	single := func(ctx context.Context, put func(*dataset.GameBatch) error) error {
		return dataset.GameReader{Whole: true}.Batches(names)(ctx, func(b *dataset.GameBatch) error {
			leftOut += b.LeftOut
			for i := range b.Games {
				if err := put(b.Only(i)); err != nil { // so that an interruption loses little
					return err
				}
			}
			return nil
		})
	}
	work := func(ctx context.Context, worker int, b *dataset.GameBatch) (out scored, err error) {
		if err := b.Replay(0, nil); err != nil {
			return out, err
		}
		out.game = b.Games[0]
		out.game.Plies = slices.Clone(out.game.Plies)
		r.reset(worker)
		game := position.NewGame(out.game.Start)
		for i := range out.game.Plies {
			ply := &out.game.Plies[i]
			var nodes uint64
			if ply.Score, nodes, err = r.score(ctx, worker, game); err != nil {
				return out, err
			}
			out.nodes += nodes
			game.Play(ply.Move)
		}
		return out, nil
	}
	err = dataset.Ordered(ctx, r.workers(), dataset.Skip(single, int(skip)), work, func(out scored) error {
		if err := write(&out.game); err != nil {
			return err
		}
		progress(1, int64(len(out.game.Plies)), out.nodes)
		return nil
	})
	return leftOut, err
}

// SearchedTogether is the number of positions in a batch of those that Entries searches.
const SearchedTogether = 32

// Entries rescores the positions of files independently of each other, except the
// first skip batches, and calls write for each batch in the order of the files. The
// filter applies to games. Positions without a result count as draws if unlabeled is
// true, and are left out otherwise.
func (r *Rescorer) Entries(
	ctx context.Context, names []string, filter record.Filter, unlabeled bool, skip int, write func(*Batch) error,
) error {
	work := func(ctx context.Context, worker int, b dataset.Batch) (*Batch, error) {
		out := &Batch{}
		err := b.Each(func(e *dataset.Entry) error {
			if e.NoResult && !unlabeled {
				out.LeftOut++
				return nil
			}
			r.reset(worker)
			score, nodes, err := r.score(ctx, worker, position.NewGame(e.Position))
			out.Nodes += nodes
			e.Score = score
			out.Entries = append(out.Entries, e.Entry)
			return err
		})
		return out, err
	}
	source := dataset.Batches(names, filter)
	if r.engines != nil {
		source = dataset.Split(source, SearchedTogether)
	}
	return dataset.Ordered(ctx, r.workers(), dataset.Skip(source, skip), work, write)
}
