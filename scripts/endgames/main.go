// Command endgames plays games from tablebase positions: the engine, with the
// tables, against the best defense by the tables. A won position must stay won
// with every move and be won within the fifty-move rule; a drawn one must be held.
//
// With -elo the engine plays without the tables at limited strength, and the share
// of won positions that it wins is counted by ending and rating.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"skein/chess"
	"skein/movegen"
	"skein/nets"
	"skein/position"
	"skein/rules"
	"skein/search"
	"skein/syzygy"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "endgames:", err)
		os.Exit(1)
	}
}

// run is main between the streams.
func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("endgames", flag.ContinueOnError)
	path := flags.String("syzygy", "", "`folders` of tables")
	endings := flags.String("endings",
		"KBNvK,KQvKR,KPvK,KRvK,KQvK,KBBvK,KRvKB,KRvKN,KQPvK,KRPvK,KRvKP,KQvKP,KQvKQ,KRvKR",
		"`names` of endings, which take turns")
	won := flags.Int("won", 300, "won `positions` to play")
	drawn := flags.Int("drawn", 100, "drawn `positions` to play")
	nodes := flags.Uint64("nodes", 2000, "`nodes` a move")
	seed := flags.Uint64("seed", 1, "of the random positions")
	elos := flags.String("elo", "", "`ratings` at which to play won positions instead, such as 800,1200")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	names := strings.Split(*endings, ",")
	tables := syzygy.Open(*path, func(err error) { fmt.Fprintln(out, err) })
	defer tables.Close()
	a, err := newArena(tables, *nodes)
	if err != nil {
		return err
	}
	defer a.engine.Close()
	rng := rand.New(rand.NewPCG(*seed, 0))
	if *elos != "" {
		return a.limited(out, rng, names, *elos, *won)
	}
	failed := 0
	for _, task := range []struct {
		what string
		n    int
		want syzygy.WDL
	}{{"won", *won, syzygy.Win}, {"drawn", *drawn, syzygy.Draw}} {
		plies := 0
		for i := range task.n {
			p, err := a.draw(rng, names[i%len(names)], task.want)
			if err != nil {
				return err
			}
			n, err := a.play(p, task.want)
			plies += n
			if err != nil {
				failed++
				fmt.Fprintf(out, "%s: %v\n", p.FEN(), err)
			}
		}
		fmt.Fprintf(out, "%d %s positions, %d plies\n", task.n, task.what, plies)
	}
	if failed > 0 {
		return fmt.Errorf("%d positions failed", failed)
	}
	return nil
}

// limited plays n won positions of each ending at each of the ratings and writes
// how many were won, and the longest win.
func (a *arena) limited(out io.Writer, rng *rand.Rand, names []string, elos string, n int) error {
	for _, name := range names {
		starts := make([]position.Position, n)
		for i := range starts {
			p, err := a.draw(rng, name, syzygy.Win)
			if err != nil {
				return err
			}
			starts[i] = p
		}
		for text := range strings.SplitSeq(elos, ",") {
			elo, err := strconv.Atoi(text)
			if err != nil || elo < search.MinElo || elo >= search.MaxElo {
				return fmt.Errorf("%q is not a rating from %d to less than %d", text, search.MinElo, search.MaxElo)
			}
			won, longest := 0, 0
			for i, p := range starts {
				a.limits = search.Limits{Strength: search.Strength{Elo: elo, Seed: uint64(i)}}
				if plies, err := a.play(p, syzygy.Win); err == nil {
					won, longest = won+1, max(longest, plies)
				}
			}
			fmt.Fprintf(out, "%s at %d: %d of %d won, the longest in %d plies\n", name, elo, won, n, longest)
		}
	}
	return nil
}

// arena is where the engine plays against the tables.
type arena struct {
	tables *syzygy.Tables
	engine *search.Engine
	limits search.Limits
}

func newArena(tables *syzygy.Tables, nodes uint64) (*arena, error) {
	net, err := nets.Load("")
	if err != nil {
		return nil, err
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 4})
	if err != nil {
		return nil, err
	}
	engine.SetTablebase(search.Tablebase{Tables: tables, ProbeLimit: syzygy.MaxMen, ProbeDepth: 1, FiftyMoves: true})
	return &arena{tables, engine, search.Limits{Nodes: nodes}}, nil
}

// draw returns a random position of the ending with the result want for the
// side to move, and some moves to choose from.
func (a *arena) draw(rng *rand.Rand, name string, want syzygy.WDL) (position.Position, error) {
	for range 100_000 {
		p, err := position.Parse(randomFEN(rng, name), false)
		if err != nil || movegen.Count(&p) < 2 {
			continue
		}
		v, err := a.tables.ProbeWDL(&p)
		if err != nil {
			return p, fmt.Errorf("%s: %w", name, err)
		}
		if v == want {
			return p, nil
		}
	}
	return position.Position{}, fmt.Errorf("%s: found no %v", name, want)
}

// randomFEN puts the men of an ending on random squares, of which many make no
// position.
func randomFEN(rng *rand.Rand, name string) string {
	white, black, _ := strings.Cut(name, "v")
	if rng.IntN(2) == 0 {
		white, black = black, white
	}
	squares := rng.Perm(64)
	var board [64]byte
	for i, letter := range []byte(white + strings.ToLower(black)) {
		board[squares[i]] = letter
	}
	var ranks []string
	for rank := range 8 {
		text := string(bytes.ReplaceAll(board[8*rank:8*rank+8], []byte{0}, []byte("1")))
		for n := 8; n > 1; n-- {
			text = strings.ReplaceAll(text, strings.Repeat("1", n), fmt.Sprint(n))
		}
		ranks = append(ranks, text)
	}
	return strings.Join(ranks, "/") + " " + "wb"[rng.IntN(2):][:1] + " - - 0 1"
}

// play plays from start, with the engine as the side to move, until the game is
// over or a draw can be claimed, and returns the number of plies. The error says
// which move gave something away.
func (a *arena) play(start position.Position, want syzygy.WDL) (plies int, err error) {
	a.engine.NewGame()
	g := position.NewGame(start)
	us := start.SideToMove()
	for ; ; plies++ {
		p := &g.Pos
		switch outcome := rules.EndedOrClaimable(g); outcome.Result {
		case rules.NoResult:
		case rules.Draw:
			if want == syzygy.Win {
				return plies, fmt.Errorf("drawn after %d plies by %v: %s", plies, outcome.Reason, p.FEN())
			}
			return plies, nil
		case rules.WinFor(us):
			return plies, nil // better than it was
		default:
			return plies, errors.New("the engine is mated")
		}
		if p.SideToMove() != us {
			m, err := a.reply(g)
			if err != nil {
				return plies, err
			}
			g.Play(m)
			continue
		}
		m := a.engine.Search(g, a.limits, nil).Best
		if a.limits.Strength.Elo > 0 {
			g.Play(m)
			continue
		}
		r, err := a.tables.Rank(g, true)
		if err != nil {
			return plies, err
		}
		i := slices.IndexFunc(r.Moves, func(r syzygy.RootMove) bool { return r.Move == m })
		if i < 0 || r.Moves[i].WDL < want {
			return plies, fmt.Errorf("after %d plies %v loses the result: %s", plies, m, p.FEN())
		}
		g.Play(m)
	}
}

// reply returns the best move against the engine: of several that draw, the one
// that leaves the fewest moves to hold the draw.
func (a *arena) reply(g *position.Game) (chess.Move, error) {
	r, err := a.tables.Rank(g, true)
	if err != nil {
		return chess.NoMove, err
	}
	best, fewest := r.Moves[0].Move, chess.MaxMoves
	if r.Moves[0].WDL != syzygy.Draw {
		return best, nil // wins, or loses as late as it can
	}
	for _, m := range r.Best() {
		next := g.Clone()
		next.Play(m.Move)
		if after, err := a.tables.Rank(next, true); err == nil && len(after.Best()) < fewest && len(after.Moves) > 0 {
			best, fewest = m.Move, len(after.Best())
		}
	}
	return best, nil
}
