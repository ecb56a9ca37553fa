// Package label gives positions the scores that networks learn from: those of
// searches, of a network, or of endgame tables.
package label

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/internal/selfplay"
	"skein/movegen"
	"skein/nnue"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// Config tells which positions of games are labeled, and how.
type Config struct {
	Nodes   uint64        // of the search for a label
	PerGame int           // positions drawn from a game at random
	OffLine float64       // share of them, 0 to 1, from which the game is left by random moves first
	Seed    uint64        // the same seed draws the same positions
	Filter  record.Filter // of positions; MaxScore bounds the labels as well
	Hash    int           // MiB of each worker's transposition table
	Workers int           // goroutines; the result does not depend on it
}

// DefaultConfig returns settings that have made good data, but for the workers,
// of which there is one.
func DefaultConfig() Config {
	c := Config{Nodes: 1500, PerGame: 20, Seed: 1, Filter: record.DefaultFilter(), Hash: 1, Workers: 1}
	c.Filter.MaxScore = 5000
	return c
}

// Validate returns an error that names a setting out of range.
func (c *Config) Validate() error {
	switch {
	case c.Nodes < 1 || c.PerGame < 1 || c.Filter.MaxScore < 1 || c.Hash < 1 || c.Workers < 1:
		return errors.New("nodes, positions of a game, the largest score, hash and workers must be positive")
	case !(c.OffLine >= 0 && c.OffLine <= 1):
		return fmt.Errorf("a share of %v is not 0 to 1", c.OffLine)
	}
	return nil
}

// Progress is told what has been done since it was told last: a number of games,
// and the positions and nodes of the tally.
type Progress func(games int64, t selfplay.Tally)

// Games labels positions of the games in the files and hands them to write in the
// order of the games.
func Games(
	ctx context.Context, net *nnue.Network, c Config, names []string, write func(*record.Entry) error, told Progress,
) (err error) {
	if err := c.Validate(); err != nil {
		return err
	}
	l := &labeler{Config: c}
	if l.engines, err = newEngines(net, c.Hash, c.Workers); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.engines.close()) }()
	return l.run(ctx, names, write, told)
}

// labeler searches a few positions of each game. Those of a game share a table and what a search learns, from the
// last to the first, so that a search knows what came later. A search labels up to two quiet positions: the first on
// its principal variation, which is the one searched if no capture comes first, and one a little later, as the
// score of a search is that of all positions on its principal variation.
type labeler struct {
	Config
	engines engines
}

// run labels positions of the games in the files.
func (l *labeler) run(ctx context.Context, names []string, write func(*record.Entry) error, told Progress) error {
	work := func(worker int, b *dataset.GameBatch) (out scored, err error) {
		for i := range b.Games {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			var line []position.Position
			if err := b.Replay(i, func(p *position.Position, _ int) { line = append(line, *p) }); err != nil {
				return out, err
			}
			l.game(l.engines[worker], &b.Games[i], line, &out)
		}
		return out, nil
	}
	return dataset.Ordered(ctx, len(l.engines), dataset.GameBatches(names, false), work, func(out scored) error {
		for i := range out.entries {
			if err := write(&out.entries[i]); err != nil {
				return err
			}
		}
		told(int64(out.numGames), selfplay.Tally{Positions: int64(len(out.entries)), Nodes: out.nodes})
		return nil
	})
}

// game labels positions of g, in which the positions of line occurred. What is drawn depends on the game alone.
func (l *labeler) game(e *search.Engine, g *record.Game, line []position.Position, out *scored) {
	r := rand.New(rand.NewPCG(l.Seed, uint64(g.Start.Key())+uint64(len(line))))
	e.NewGame()
	for _, i := range l.draw(r, g, line) {
		if r.Float64() < l.OffLine {
			l.label(e, l.leave(e, r, line[i], &out.nodes), likely, out)
		} else {
			l.label(e, line[i], func(int) rules.Result { return g.Result }, out)
		}
	}
	out.numGames++
}

// draw returns plies of g that pass the filter, the last first. The more undecided the game was there, the likelier
// they are drawn: that is where a label teaches most.
func (l *labeler) draw(r *rand.Rand, g *record.Game, line []position.Position) []int {
	type ply struct {
		number int
		rank   float64 // the least are drawn
	}
	var plies []ply
	for i := range line {
		if l.Filter.Keep(&line[i], g.Plies[i]) {
			plies = append(plies, ply{i, r.ExpFloat64() / drawWeight(&line[i], int(g.Plies[i].Score))})
		}
	}
	slices.SortFunc(plies, func(a, b ply) int { return cmp.Compare(a.rank, b.rank) })
	plies = plies[:min(len(plies), l.PerGame)]
	slices.SortFunc(plies, func(a, b ply) int { return b.number - a.number })
	numbers := make([]int, len(plies))
	for i, p := range plies {
		numbers[i] = p.number
	}
	return numbers
}

// drawWeight is how readily a position with a score is drawn: by the slope of the sigmoid there, a tenth of the most
// at least, and seldom with five men or fewer, of which endgame tables know better.
func drawWeight(p *position.Position, score int) float64 {
	points := 1 / (1 + math.Exp(-float64(score)/400))
	weight := 0.1 + 0.9*4*points*(1-points)
	if p.Occupied().Count() <= 5 {
		weight /= 4
	}
	return weight
}

// later is how many plies a second labelled position is behind the first, at least.
const later = 2

// label searches p and labels positions on the principal variation, not beyond half of its depth. result tells the
// result by the score.
func (l *labeler) label(
	e *search.Engine, p position.Position, result func(score int) rules.Result, out *scored,
) {
	var pv []chess.Move
	depth := 0
	found := e.Search(position.NewGame(p), search.Limits{Nodes: l.Nodes}, search.OnLine(func(i *search.Line) {
		if i.Bound == search.Exact && len(i.PV) > 0 {
			pv, depth = append(pv[:0], i.PV...), i.Depth
		}
	}))
	out.nodes += found.Nodes
	if found.Best == chess.NoMove {
		return
	}
	if len(pv) == 0 || pv[0] != found.Best {
		pv = []chess.Move{found.Best} // an iteration that was not finished found another move
	}
	score, kept, next := found.Score, 0, 0
	for ply := 0; ply < len(pv) && ply <= depth/2 && kept < 2; ply++ {
		if ply >= next && !p.InCheck() && !p.IsNoisy(pv[ply]) {
			l.keep(&p, score, result, out)
			kept, next = kept+1, ply+later
		}
		var child position.Position
		var d position.Delta
		p.Do(pv[ply], &child, &d)
		p, score = child, -score
	}
}

// keep keeps a position with the score for the side to move, unless that is too large.
func (l *labeler) keep(p *position.Position, score chess.Score, result func(int) rules.Result, out *scored) {
	value := int(search.Unscaled(score, p))
	if p.SideToMove() == chess.Black {
		value = -value
	}
	if max(value, -value) <= l.Filter.MaxScore {
		out.entries = append(out.entries, record.Entry{Position: *p, Score: int16(value), Result: result(value)})
	}
}

// leaveNodes are searched for a move that follows random ones.
const leaveNodes = 100

// leave plays one or two random moves from p, and whatever has to be captured then: to a position as search trees have
// them and games do not.
func (l *labeler) leave(e *search.Engine, r *rand.Rand, p position.Position, nodes *uint64) position.Position {
	play := func(m chess.Move) {
		var next position.Position
		var d position.Delta
		p.Do(m, &next, &d)
		p = next
	}
	for range 1 + r.IntN(2) {
		moves := movegen.Legal(&p)
		if len(moves) == 0 {
			return p
		}
		play(moves[r.IntN(len(moves))])
	}
	for range 6 {
		found := e.Search(position.NewGame(p), search.Limits{Nodes: leaveNodes}, nil)
		*nodes += found.Nodes
		if found.Best == chess.NoMove || !p.InCheck() && !p.IsNoisy(found.Best) {
			break
		}
		play(found.Best)
	}
	return p
}

// likely returns the likeliest result at a score from White's view.
func likely(score int) rules.Result {
	switch {
	case score > nnue.Pawn:
		return rules.WhiteWins
	case score < -nnue.Pawn:
		return rules.BlackWins
	}
	return rules.Draw
}
