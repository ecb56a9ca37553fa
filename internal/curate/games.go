// Package curate makes files of training data of others: it copies, splits, filters
// and shuffles, checks what games say, and counts what is in them. Every file it
// writes must not exist before; it appears once it is complete, and not at all
// after an error.
package curate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"

	"skein/internal/dataset"
	"skein/internal/record"
)

// Games are games of files, in their order.
type Games struct {
	Names []string
	Whole bool // games of PGN from start to end, not only as far as they have scores
	Unit  int  // of scores in a pawn, for files that do not tell; 0 is unknown
}

// each hands the games to visit.
func (g *Games) each(ctx context.Context, visit func(*record.Game) error) error {
	return dataset.UnitBatches(g.Names, g.Whole, g.Unit)(ctx, func(b *dataset.GameBatch) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range b.Games {
			if err := visit(&b.Games[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Origin describes a file made from others: how, and their names.
func Origin(how string, names []string) string {
	const most = 100 // names; the header has room for longer lists than anybody reads
	text := how + ":\n" + strings.Join(names[:min(len(names), most)], "\n") + "\n"
	if len(names) > most {
		text += fmt.Sprintf("and %d more\n", len(names)-most)
	}
	return text
}

// Copy writes the games to the file out, whose header says how it was made. It
// returns how many games and positions there are.
func (g *Games) Copy(ctx context.Context, out, how string) (games, positions int64, err error) {
	err = dataset.CreateGames(out, Origin(how, g.Names), func(w *record.Writer) error {
		if err := g.each(ctx, w.Write); err != nil {
			return err
		}
		err := w.Flush()
		games, positions = w.Games(), w.Positions()
		return err
	})
	return games, positions, err
}

// Split writes a share of the games, 0 to 1, to the file held and the others to
// the file rest. The same seed holds the same games out. It returns how many games
// are in each file.
func (g *Games) Split(ctx context.Context, held, rest string, share float64, seed uint64) (counts [2]int64, err error) {
	random := rand.New(rand.NewPCG(seed, 0))
	err = dataset.CreateGames(held, Origin("held out of", g.Names), func(a *record.Writer) error {
		return dataset.CreateGames(rest, Origin("the rest of", g.Names), func(b *record.Writer) error {
			return g.each(ctx, func(game *record.Game) error {
				if random.Float64() < share {
					counts[0]++
					return a.Write(game)
				}
				counts[1]++
				return b.Write(game)
			})
		})
	})
	return counts, err
}

// Filter writes the games that meet the conditions to the file out. It returns how
// many it read and kept.
func (g *Games) Filter(ctx context.Context, out string, s *Selector) (read, kept int, err error) {
	err = dataset.CreateGames(out, Origin("filtered from", g.Names), func(w *record.Writer) error {
		return g.each(ctx, func(game *record.Game) error {
			if read++; !s.game(game) {
				return nil
			}
			kept++
			return w.Write(game)
		})
	})
	return read, kept, err
}

// replayed is what the good games at the start of a batch come to, and what is
// wrong with the next one.
type replayed struct {
	games, positions int64
	err              error
}

// Verify replays the games of a file. It stops at the first that is bad and
// returns how many good games and positions there are before it.
func Verify(ctx context.Context, name string) (games, positions int64, err error) {
	work := func(_ int, b *dataset.GameBatch) (r replayed, _ error) {
		for i := range b.Games {
			if r.err = b.Replay(i, nil); r.err != nil {
				break
			}
			r.games++
			r.positions += int64(len(b.Games[i].Plies))
		}
		return r, nil
	}
	batches := dataset.GameBatches([]string{name}, false)
	err = dataset.Ordered(ctx, runtime.NumCPU(), batches, work, func(r replayed) error {
		games += r.games
		positions += r.positions
		return r.err
	})
	return games, positions, err
}
