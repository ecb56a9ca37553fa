// Command agreement compares reviews by the engine with the glyphs that are in a
// PGN file, those of lichess for example: how many of the marked moves a review
// marks, how many of the others, and what it praises.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"skein/internal/review"
	"skein/nets"
	"skein/notation"
	"skein/search"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "agreement:", err)
		os.Exit(1)
	}
}

// faults are the verdicts that the comparison knows, None first.
var faults = []review.Verdict{review.None, review.Inaccuracy, review.Mistake, review.Blunder}

// comparison counts moves by the glyph in the file and the verdict of the review.
type comparison struct {
	out    io.Writer
	counts [review.OnlyMove + 1][review.OnlyMove + 1]int
	moves  int
	short  int // best lines of faults with fewer than three moves
	lines  int // best lines of faults
}

// run is main between the streams.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("agreement", flag.ContinueOnError)
	name := flags.String("pgn", "internal/review/testdata/lichess.pgn", "`file` with games and glyphs")
	nodes := flags.Uint64("nodes", 300_000, "`nodes` a move")
	sites := flags.String("sites", "", "review games with one of these `texts`, separated by commas, in the tag Site")
	praise := flags.Bool("praise", false, "praise moves")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	file, err := os.Open(*name)
	if err != nil {
		return err
	}
	defer file.Close()
	net, err := nets.Load("")
	if err != nil {
		return err
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 64})
	if err != nil {
		return err
	}
	defer engine.Close()
	c := comparison{out: out}
	o := review.Options{Limits: search.Limits{Nodes: *nodes}, Praise: *praise}
	for g, err := range notation.NewReader(file).All() {
		if err != nil {
			return err
		}
		site := g.Tags.Get("Site")
		if !slices.ContainsFunc(strings.Split(*sites, ","), func(s string) bool { return strings.Contains(site, s) }) {
			continue
		}
		reviewed, err := review.Review(context.Background(), engine, g, o)
		if err != nil {
			return err
		}
		c.add(g, reviewed)
	}
	c.print()
	return nil
}

// add compares a game, and lists the moves that differ by much.
func (c *comparison) add(g *notation.Game, reviewed *review.Game) {
	for i := range reviewed.Plies {
		p := &reviewed.Plies[i]
		given := review.None
		for _, v := range faults[1:] {
			if slices.Contains(g.Main.Moves[i].Notes.Value().NAGs, v.NAG()) {
				given = v
			}
		}
		c.moves++
		c.counts[given][p.Verdict]++
		if p.Verdict.Fault() {
			c.lines++
			if len(p.Best) < 3 {
				c.short++
			}
		}
		severe := given == review.Blunder && p.Verdict < review.Mistake ||
			given == review.None && p.Verdict.Fault() && p.Verdict > review.Inaccuracy || p.Verdict > review.Blunder
		if severe {
			fmt.Fprintf(c.out, "%s, ply %d, %s (%v to %v): %q, in the file %q; %s\n", g.Tags.Get("Site"), p.Number,
				p.SAN, p.Before, p.After, p.Verdict.Glyph(), given.Glyph(), p.BestSAN)
		}
	}
}

// print prints the table: a line for each glyph in the file, a column for each
// verdict.
func (c *comparison) print() {
	fmt.Fprintf(c.out, "%d moves\n%-6s", c.moves, "file")
	for v := review.None; v <= review.OnlyMove; v++ {
		fmt.Fprintf(c.out, "%6s", v.Glyph())
	}
	for _, given := range faults {
		fmt.Fprintf(c.out, "\n%-6s", given.Glyph())
		for v := review.None; v <= review.OnlyMove; v++ {
			fmt.Fprintf(c.out, "%6d", c.counts[given][v])
		}
	}
	fmt.Fprintf(c.out, "\n%d of %d best lines of faults have fewer than three moves\n", c.short, c.lines)
}
