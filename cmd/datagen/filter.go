package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"math/rand/v2"
	"strings"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/rules"
)

// conditions choose games or positions.
type conditions struct {
	results            string // of which the result must be one; "" is any
	share              float64
	unique             bool
	minPlies, maxPlies int    // of games; 0 is no limit
	ends               string // of games; "" is any
	variant            string // of games: "standard", "chess960" or "" for both
	minMen, maxMen     int    // of positions
	checks             bool   // of positions: keep those in check

	random *rand.Rand
	hash   maphash.Seed
	seen   map[uint64]struct{} // what unique has seen, by 64 bits
}

// Flags that only games or only positions have.
var (
	gameConditions     = map[string]bool{"min-plies": true, "max-plies": true, "ends": true, "variant": true}
	positionConditions = map[string]bool{"min-men": true, "max-men": true, "checks": true, "min-move": true, "max-score": true, "quiet": true, "unlabelled": true}
)

func (c *conditions) flags(flags *flag.FlagSet) {
	flags.StringVar(&c.results, "results", "", "keep these `results`, as in 1-0,0-1")
	flags.Float64Var(&c.share, "share", 1, "keep this `share` of what meets the other conditions, chosen at random")
	flags.BoolVar(&c.unique, "unique", false, "keep the first of equal games or positions")
	flags.IntVar(&c.minPlies, "min-plies", 0, "games: of at least as many `plies`")
	flags.IntVar(&c.maxPlies, "max-plies", 0, "games: of at most as many `plies`; 0: any number")
	flags.StringVar(&c.ends, "ends", "", "games: that ended by one of these `reasons`, separated by commas, as stats calls them")
	flags.StringVar(&c.variant, "variant", "", "games: whose start is of this `variant`, standard or chess960")
	flags.IntVar(&c.minMen, "min-men", 0, "positions: of at least as many `men`")
	flags.IntVar(&c.maxMen, "max-men", 32, "positions: of at most as many `men`")
	flags.BoolVar(&c.checks, "checks", true, "positions: keep those in check")
}

// filter carries out the command of that name.
func filter(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := newFlags("filter", "-o OUT FILE...", stderr)
	out := flags.String("o", "", "`file` to write, which must not exist: .skr for games, .bin or .txt for positions")
	seed := flags.Uint64("seed", 1, "the same seed chooses the same share")
	var c conditions
	c.flags(flags)
	entries := newEntryFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || *out == "" {
		return errors.New("filter: expected -o OUT and files")
	}
	kind, err := dataset.KindOf(*out)
	if err == nil {
		err = c.prepare(flags, kind, *seed)
	}
	if err != nil {
		return fmt.Errorf("filter: %w", err)
	}
	read, kept := 0, 0
	if kind == dataset.Games {
		err = produceGames(*out, origin("filtered from", flags.Args()), func(w *record.Writer) error {
			return eachGame(ctx, flags.Args(), false, 0, func(g *record.Game) error {
				if read++; !c.game(g) {
					return nil
				}
				kept++
				return w.Write(g)
			})
		})
	} else {
		err = produceStream(*out, func(w io.Writer) error {
			return entries.each(ctx, flags.Args(), func(e *record.Entry) error {
				if read++; !c.entry(e) {
					return nil
				}
				kept++
				return writeEntry(w, e, kind)
			})
		})
	}
	if err == nil {
		fmt.Fprintf(stdout, "%s: %d of %d kept\n", *out, kept, read)
	}
	return err
}

// prepare checks the conditions for a file to write.
func (c *conditions) prepare(flags *flag.FlagSet, kind dataset.Kind, seed uint64) (err error) {
	if kind != dataset.Games && kind != dataset.Records && kind != dataset.Text {
		return errors.New("the output must be .skr, .bin or .txt")
	}
	flags.Visit(func(f *flag.Flag) {
		if kind == dataset.Games && positionConditions[f.Name] || kind != dataset.Games && gameConditions[f.Name] {
			err = fmt.Errorf("-%s is no condition for this kind of output", f.Name)
		}
	})
	switch {
	case err != nil:
		return err
	case !(c.share >= 0 && c.share <= 1):
		return fmt.Errorf("share %g is not 0 to 1", c.share)
	case c.variant != "" && c.variant != "standard" && c.variant != "chess960":
		return fmt.Errorf("unknown variant %q", c.variant)
	}
	result := func(i int) string { return (rules.BlackWins + rules.Result(i)).String() }
	if err := known("result", c.results, result, rules.WhiteWins.HalfPoints()+1); err != nil {
		return err
	}
	if err := known("end", c.ends, func(i int) string { return record.End(i).String() }, record.NumEnds); err != nil {
		return err
	}
	c.random, c.hash, c.seen = rand.New(rand.NewPCG(seed, 0)), maphash.MakeSeed(), map[uint64]struct{}{}
	return nil
}

// known checks that every item of a list is one of n names.
func known(what, list string, name func(int) string, n int) error {
	for item := range strings.SplitSeq(list, ",") {
		found := list == ""
		for i := range n {
			found = found || name(i) == item
		}
		if !found {
			return fmt.Errorf("unknown %s %q", what, item)
		}
	}
	return nil
}

// in reports whether the list is empty or has the item.
func in(list, item string) bool {
	return list == "" || strings.Contains(","+list+",", ","+item+",")
}

// game reports whether g meets the conditions.
func (c *conditions) game(g *record.Game) bool {
	variant := "standard"
	if !standard(g) {
		variant = "chess960"
	}
	return in(c.results, g.Result.String()) && in(c.ends, g.End.String()) && in(c.variant, variant) &&
		len(g.Plies) >= c.minPlies && (c.maxPlies == 0 || len(g.Plies) <= c.maxPlies) &&
		c.first(func() uint64 { return maphash.Comparable(c.hash, gameKey(g)) }) && c.chosen()
}

// gameKey returns what equal games have in common: start and moves.
func gameKey(g *record.Game) string {
	var b strings.Builder
	b.WriteString(g.Start.ShredderFEN())
	for _, ply := range g.Plies {
		b.WriteByte(byte(ply.Move))
		b.WriteByte(byte(ply.Move >> 8))
	}
	return b.String()
}

// standard reports whether the rooks that may castle at the start of g do so as in
// standard chess.
func standard(g *record.Game) bool {
	for color, corners := range [2]chess.Bitboard{1<<chess.A1 | 1<<chess.H1, 1<<chess.A8 | 1<<chess.H8} {
		c := chess.Color(color)
		rooks := g.Start.CastlingRooks(c)
		if rooks&^corners != 0 || rooks != 0 && g.Start.King(c) != chess.E1.Relative(c) {
			return false
		}
	}
	return true
}

// entry reports whether e meets the conditions.
func (c *conditions) entry(e *record.Entry) bool {
	men := e.Position.Occupied().Count()
	return in(c.results, e.Result.String()) && men >= c.minMen && men <= c.maxMen && (c.checks || !e.Position.InCheck()) &&
		c.first(func() uint64 { return uint64(e.Position.Key()) }) && c.chosen()
}

// first reports whether the key is new, if that is a condition.
func (c *conditions) first(key func() uint64) bool {
	if !c.unique {
		return true
	}
	k := key()
	_, old := c.seen[k]
	c.seen[k] = struct{}{}
	return !old
}

// chosen draws the share.
func (c *conditions) chosen() bool { return c.share >= 1 || c.random.Float64() < c.share }
