// Package curate processes files of training data: it copies, splits, filters,
// shuffles and verifies them, and summarizes their contents. A file that it writes
// must not exist before, and gets its name when it is complete.
package curate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"

	"skein/internal/atomicfile"
	"skein/internal/dataset"
	"skein/internal/record"
)

// Games are the games of files, in the order of the files.
type Games struct {
	Names   []string
	Whole   bool // keep plies without scores of games from PGN
	Unit    int  // units of scores per pawn in files whose header does not say; 0: unknown
	LeftOut int  // number of games of PGN left out so far, without a result or, unless Whole, scores

	Invalid func(error) // called for each invalid game of PGN, which is skipped; nil: it is an error
}

// each calls visit for every game. The game is valid during the call. Games with
// scores in an unknown unit are an error, as files that are written state theirs.
func (g *Games) each(ctx context.Context, visit func(*record.Game) error) error {
	reader := dataset.GameReader{Whole: g.Whole, Unit: g.Unit, Invalid: g.Invalid}
	return reader.Batches(g.Names)(ctx, func(b *dataset.GameBatch) error {
		if err := b.CheckUnit(); err != nil {
			return err
		}
		g.LeftOut += b.LeftOut
		for i := range b.Games {
			if err := visit(&b.Games[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Origin returns the description of a file made from others: how it was made, and
// their names, of which it lists at most 100.
func Origin(how string, names []string) string {
	const most = 100
	text := how + ":\n" + strings.Join(names[:min(len(names), most)], "\n") + "\n"
	if len(names) > most {
		text += fmt.Sprintf("and %d more\n", len(names)-most)
	}
	return text
}

// Copy writes the games to the new file out, whose description says how it was
// made. It returns the numbers of games and positions.
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

// Split writes a random share of the games, 0 to 1, to the new file held and the
// others to the new file rest. It returns the number of games in each file. It is
// an error if both names denote the same file.
func (g *Games) Split(ctx context.Context, held, rest string, share float64, seed uint64) (counts [2]int64, err error) {
	if atomicfile.Same(held, rest) {
		return counts, fmt.Errorf("%s and %s are the same file", held, rest)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	made := false // the file held; that of the rest comes last and completes the pair
	err = dataset.CreateGames(rest, Origin("not held out of", g.Names), func(b *record.Writer) error {
		err := dataset.CreateGames(held, Origin("held out of", g.Names), func(a *record.Writer) error {
			return g.each(ctx, func(game *record.Game) error {
				if random.Float64() < share {
					counts[0]++
					return a.Write(game)
				}
				counts[1]++
				return b.Write(game)
			})
		})
		made = err == nil
		return err
	})
	if err != nil && made {
		err = errors.Join(err, os.Remove(held))
	}
	return counts, err
}

// Filter writes the games that meet the conditions to the new file out. It returns
// the numbers of games read and kept.
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

// replayed has the numbers of legal games and their positions at the start of a
// batch, and the error of the next game if there is one.
type replayed struct {
	games, positions int64
	leftOut          int
	err              error
}

// Verify replays the games of a file up to the first error. It returns the numbers
// of games and positions before it, and of the games of PGN without a result, which are
// left out.
func Verify(ctx context.Context, name string) (games, positions int64, leftOut int, err error) {
	work := func(_ context.Context, _ int, b *dataset.GameBatch) (r replayed, _ error) {
		r.leftOut = b.LeftOut
		for i := range b.Games {
			if r.err = b.Replay(i, nil); r.err != nil {
				break
			}
			r.games++
			r.positions += int64(len(b.Games[i].Plies))
		}
		return r, nil
	}
	batches := dataset.GameReader{Whole: true}.Batches([]string{name})
	err = dataset.Ordered(ctx, runtime.GOMAXPROCS(0), batches, work, func(r replayed) error {
		games += r.games
		positions += r.positions
		leftOut += r.leftOut
		return r.err
	})
	return games, positions, leftOut, err
}
