// Command calibrate rates the levels of limited playing strength. Its commands are
//
//	calibrate ladder   plays each level of the table against its neighbors, fits ratings
//	                   to the results, and prints the table with them
//	calibrate check    plays ratings, such as 600,800,1000, against their neighbors, and
//	                   compares the differences with what the ratings say
//	calibrate errors   compares the errors of players of given ratings with those of people
//	                   in a PGN file, as a table and charts
//
// With -anchors, ladder also plays against levels of Stockfish, whose ratings are
// known. docs/strength.md describes the measurements.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"skein/internal/selfplay"
	"skein/nets"
	"skein/nnue"
	"skein/position"
	"skein/search"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

// settings are the flags and what all commands need.
type settings struct {
	net     *nnue.Network
	games   int // of a pair of players
	workers int
	seed    uint64
	out     io.Writer

	first, last  int    // ratings of levels to play
	anchors      string // path of Stockfish
	anchorGames  int
	anchorNodes  int64
	ratings      string
	book         []position.Position
	clock        selfplay.Clock
	pgn, folder  string
	errorNodes   uint64
	ratingWindow int
}

// run is main between the streams.
func run(ctx context.Context, args []string, out io.Writer) error {
	commands := map[string]func(context.Context, *settings) error{
		"ladder": ladder, "check": check, "errors": compareErrors,
	}
	if len(args) == 0 || commands[args[0]] == nil {
		return errors.New("the first argument must be ladder, check or errors; each of them has -h")
	}
	s := settings{out: out}
	flags := flag.NewFlagSet("calibrate "+args[0], flag.ContinueOnError)
	flags.IntVar(&s.games, "games", 200, "`games` of each two neighbors, half of them from the same openings")
	flags.IntVar(&s.workers, "workers", 2, "games at a time")
	flags.Uint64Var(&s.seed, "seed", 1, "of openings and players")
	flags.IntVar(&s.first, "first", 0, "least `rating` of the levels that ladder plays")
	flags.IntVar(&s.last, "last", search.MaxElo, "greatest `rating` of the levels that ladder plays")
	flags.StringVar(&s.anchors, "anchors", "", "`path` of Stockfish, whose levels anchor the ladder; without a clock")
	flags.IntVar(&s.anchorGames, "anchor-games", 60, "`games` against each anchor")
	flags.Int64Var(&s.anchorNodes, "anchor-nodes", 30000, "`nodes` a move of the anchors")
	flags.StringVar(&s.ratings, "ratings", "800,1200,1600,2000", "`ratings` for check and errors")
	book := flags.String("book", "", "EPD `file` of openings; default is random moves")
	clock := flags.String("clock", "", "`TIME+INCREMENT`, such as 2s+20ms; default is no clock")
	nodeTime := flags.Duration("node-time", 1500*time.Nanosecond, "what a node takes off the clock")
	flags.StringVar(&s.pgn, "pgn", "", "`file` with games of people, for errors")
	flags.StringVar(&s.folder, "o", "", "`folder` for the charts of errors")
	flags.Uint64Var(&s.errorNodes, "nodes", 3000, "`nodes` with which errors are measured")
	flags.IntVar(&s.ratingWindow, "window", 200, "greatest `difference` of the ratings of people")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	var err error
	if *book != "" {
		if s.book, err = selfplay.LoadBook(*book); err != nil {
			return err
		}
	}
	if *clock != "" {
		if s.clock, err = selfplay.ParseClock(*clock, *nodeTime); err != nil {
			return err
		}
	}
	if s.net, err = nets.Load(""); err != nil {
		return err
	}
	return commands[args[0]](ctx, &s)
}

// list returns the ratings of the flag in its order.
func (s *settings) list() ([]int, error) {
	var ratings []int
	for text := range strings.SplitSeq(s.ratings, ",") {
		elo, err := strconv.Atoi(text)
		if err != nil || elo < search.MinElo || elo > search.MaxElo {
			return nil, fmt.Errorf("%q is not a rating from %d to %d", text, search.MinElo, search.MaxElo)
		}
		ratings = append(ratings, elo)
	}
	return ratings, nil
}

// match returns the match of two ratings, to the end.
func (s *settings) match(a, b int) *selfplay.Match {
	c := selfplay.DefaultConfig()
	c.Seed, c.Hash = s.seed, 16
	c.SoftNodes, c.HardNodes = 0, 1<<40
	if levels := search.Levels(); s.clock.Time == 0 { // full strength has no other limit
		c.HardNodes = uint64(levels[len(levels)-1].Nodes)
	}
	c.Clock = s.clock
	c.Openings = selfplay.Openings{RandomPlies: 6, VerifyNodes: 2000, MaxScore: 100, Book: s.book}
	c.Adjudication = selfplay.Adjudication{}
	c.MaxPlies = 400
	return &selfplay.Match{Config: c, Contestants: [2]selfplay.Contestant{{Net: s.net, Elo: a}, {Net: s.net, Elo: b}}}
}

// play plays the match of two ratings and returns the result from the view of a.
func (s *settings) play(ctx context.Context, a, b int) (standing selfplay.Standing, err error) {
	err = s.match(a, b).Run(ctx, 0, (s.games+1)/2, s.workers, func(p *selfplay.Pair) error {
		standing.Add(p)
		return nil
	})
	return standing, err
}
