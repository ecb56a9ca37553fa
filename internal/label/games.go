// Package label computes the scores of training data: those of searches, of a
// network, or of endgame tablebases.
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
	"skein/movegen"
	"skein/nnue"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// Config has the settings that determine which positions of games are labeled, and
// how.
type Config struct {
	Nodes   uint64        // node limit of the search for a label; 0: the labels are the scores of the games
	Soft    bool          // let a search finish its last iteration, within ten times the nodes
	PerGame int           // number of positions sampled from a game; 0: all that pass the filter
	OffLine float64       // share of them, 0 to 1, that are replaced by one reached from it by random moves
	Lambda  float64       // weight per ply, 0 to 1, of what follows in the game; see trace
	Seed    uint64        // of the random choices
	Filter  record.Filter // for sampled positions; MaxScore also limits the labels
	Hash    int           // MiB of each worker's transposition table
	Workers int           // number of goroutines; does not affect the result
}

// DefaultConfig returns settings for the first labels of a network, with one
// worker; docs/training.md tells what suits later ones.
func DefaultConfig() Config {
	c := Config{Nodes: 1500, PerGame: 20, Seed: 1, Filter: record.DefaultFilter(), Hash: 1, Workers: 1}
	c.Filter.MaxScore = 5000
	return c
}

// String describes what determines the labels, for files that say how they were made.
func (c Config) String() string {
	return fmt.Sprintf("nodes=%d soft=%t per-game=%d off-line=%g lambda=%g seed=%d hash=%d %v",
		c.Nodes, c.Soft, c.PerGame, c.OffLine, c.Lambda, c.Seed, c.Hash, c.Filter)
}

// Validate returns an error that names a setting out of range.
func (c *Config) Validate() error {
	switch {
	case c.PerGame < 0:
		return fmt.Errorf("%d positions per game are negative", c.PerGame)
	case c.Filter.MaxScore < 1:
		return fmt.Errorf("maximum score %d is not positive", c.Filter.MaxScore)
	case c.Hash < 1:
		return fmt.Errorf("a hash of %d MiB is not positive", c.Hash)
	case c.Workers < 1:
		return fmt.Errorf("%d workers are not positive", c.Workers)
	case c.Filter.MaxScore > chess.MaxEval:
		return fmt.Errorf("maximum score %d is more than %d", c.Filter.MaxScore, chess.MaxEval)
	case !(c.OffLine >= 0 && c.OffLine <= 1):
		return fmt.Errorf("share of positions off the line %v is not between 0 and 1", c.OffLine)
	case c.Nodes == 0 && (c.Soft || c.OffLine > 0):
		return errors.New("without nodes there are no searches: no soft limits, and no positions off the line")
	case !(c.Lambda >= 0 && c.Lambda <= 1):
		return fmt.Errorf("lambda %v is not between 0 and 1", c.Lambda)
	}
	return nil
}

// Batch is a batch of labeled positions in the order of the input.
type Batch struct {
	Entries []record.Entry
	Games   int64  // number of games that they come from
	LeftOut int64  // number of positions, or for Games of games, of the input that lack a label
	Beyond  int64  // number of labels that are left out because they are beyond the maximum score
	Nodes   uint64 // searched
}

// Games labels positions of the games in the files, except the first skip batches of
// games, and calls write for each batch in their order. The network may be nil if there
// are no searches.
func Games(
	ctx context.Context, net *nnue.Network, c Config, names []string, skip int, write func(*Batch) error,
) (err error) {
	if err := c.Validate(); err != nil {
		return err
	}
	l := &labeler{Config: c}
	if c.Nodes > 0 {
		if l.engines, err = newEngines(net, c.Hash, c.Workers); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.engines.close()) }()
	}
	return l.run(ctx, dataset.Skip(dataset.GameReader{}.Batches(names), skip), write)
}

// labeler labels positions of each game, from the last to the first, with the scores of
// the game or with those of searches. The transposition table and the histories are kept
// between the searches of a game, so that a search benefits from those of later positions.
// The score of a search is that of all positions on its principal variation, of which up
// to two quiet ones are labeled: the first one, which is the root unless the best move is
// a capture, and a later one.
type labeler struct {
	Config
	engines engines
}

// run labels positions of the games.
func (l *labeler) run(ctx context.Context, games dataset.Source[*dataset.GameBatch], write func(*Batch) error) error {
	work := func(ctx context.Context, worker int, b *dataset.GameBatch) (*Batch, error) {
		out := &Batch{LeftOut: int64(b.LeftOut)}
		if err := b.CheckUnit(); err != nil { // scores also decide which positions are drawn
			return out, err
		}
		for i := range b.Games {
			var line []position.Position
			if err := b.Replay(i, func(p *position.Position, _ int) { line = append(line, *p) }); err != nil {
				return out, err
			}
			if l.Nodes == 0 {
				l.own(&b.Games[i], line, out)
			} else {
				l.game(ctx, l.engines[worker], &b.Games[i], line, out)
			}
			if err := ctx.Err(); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	return dataset.Ordered(ctx, l.Workers, games, work, write)
}

// random returns the source of the random choices in a game, which depend only on the
// game and the seed.
func (l *labeler) random(g *record.Game) *rand.Rand {
	return rand.New(rand.NewPCG(l.Seed, uint64(g.Start.Key())+uint64(len(g.Plies))))
}

// own labels positions of g, whose positions are line, with the scores of the game, each
// mixed with all that follow.
func (l *labeler) own(g *record.Game, line []position.Position, out *Batch) {
	drawn := l.draw(l.random(g), g, line)
	following := newTrace(l.Lambda, g.Result)
	for i := len(line) - 1; i >= 0; i-- {
		e := record.Entry{Position: line[i], Score: g.Plies[i].Score, Result: g.Result}
		following.mix(&e, i, l.Filter.MaxScore)
		if len(drawn) > 0 && drawn[0] == i {
			out.Entries, drawn = append(out.Entries, e), drawn[1:]
		}
	}
	out.Games++
}

// game labels positions of g, whose positions are line, with the scores of searches.
// They are meaningless if ctx is done.
func (l *labeler) game(ctx context.Context, e *search.Engine, g *record.Game, line []position.Position, out *Batch) {
	r := l.random(g)
	e.NewGame()
	following := newTrace(l.Lambda, g.Result)
	for _, i := range l.draw(r, g, line) {
		if r.Float64() < l.OffLine {
			l.label(ctx, e, l.deviate(ctx, e, r, line[i], &out.Nodes), likely, out)
			continue
		}
		next := len(out.Entries)
		l.label(ctx, e, line[i], func(chess.Score) rules.Result { return g.Result }, out)
		if next < len(out.Entries) && out.Entries[next].Position == line[i] {
			following.mix(&out.Entries[next], i, l.Filter.MaxScore)
		}
	}
	out.Games++
}

// trace mixes the labels of the line of a game, from its end to its start, with
// what follows them: n plies before the next label, that one has weight lambda^n in
// expected points. The result of the game follows the last label after one ply.
//
// Source: R. Sutton, "Learning to Predict by the Methods of Temporal Differences",
// 1988.
type trace struct {
	lambda float64
	points float64 // White's expected points by what follows
	ply    int     // its place in the game, -1 for the result
}

// newTrace returns a trace that mixes nothing if there is no result.
func newTrace(lambda float64, result rules.Result) trace {
	if result == rules.NoResult {
		lambda = 0
	}
	return trace{lambda, float64(result.HalfPoints()) / 2, -1}
}

// mix changes the score of e, which is within ±limit, the position at a ply.
func (t *trace) mix(e *record.Entry, ply int, limit chess.Score) {
	if t.lambda == 0 {
		return
	}
	weight := t.lambda
	if t.ply >= 0 {
		weight = math.Pow(t.lambda, float64(t.ply-ply))
	}
	t.points = weight*t.points + (1-weight)*record.ExpectedPoints(float64(e.Score), record.ScoreScale)
	t.ply = ply
	score := record.ScoreScale * math.Log(t.points/(1-t.points))
	e.Score = chess.Score(min(max(math.Round(score), -float64(limit)), float64(limit)))
}

// draw samples plies of g that pass the filter, without replacement, and returns
// them from the last to the first.
func (l *labeler) draw(r *rand.Rand, g *record.Game, line []position.Position) []int {
	type ply struct {
		number int
		rank   float64 // the plies with the least are the sample
	}
	var plies []ply
	for i := range line {
		if l.Filter.Keep(&line[i], g.Plies[i]) {
			plies = append(plies, ply{i, r.ExpFloat64() / drawWeight(&line[i], g.Plies[i].Score)})
		}
	}
	slices.SortFunc(plies, func(a, b ply) int { return cmp.Compare(a.rank, b.rank) })
	if l.PerGame > 0 {
		plies = plies[:min(len(plies), l.PerGame)]
	}
	slices.SortFunc(plies, func(a, b ply) int { return b.number - a.number })
	numbers := make([]int, len(plies))
	for i, p := range plies {
		numbers[i] = p.number
	}
	return numbers
}

// drawWeight returns the sampling weight of a position with a score. It grows with
// the slope of a sigmoid of the score, as what a label is worth in training does; the
// sigmoid is wider than that of training, so that more decided positions are kept. It is
// small with five pieces or fewer, for which there are tablebases.
func drawWeight(p *position.Position, score chess.Score) float64 {
	points := record.ExpectedPoints(float64(score), 400)
	weight := 0.1 + 0.9*4*points*(1-points)
	if p.Occupied().Count() <= 5 {
		weight /= 4
	}
	return weight
}

// labelDistance is the least number of plies between two labeled positions of a
// principal variation.
const labelDistance = 2

// label searches p and labels positions on the first half of the principal
// variation. result returns the result of a position with a score of a search, from
// White's point of view.
func (l *labeler) label(
	ctx context.Context, e *search.Engine, p position.Position,
	result func(score chess.Score) rules.Result, out *Batch,
) {
	var pv []chess.Move
	depth := 0
	found := e.SearchContext(ctx, position.NewGame(p), Limits(l.Nodes, l.Soft), search.OnLine(func(i *search.Line) {
		if i.Bound == search.Exact && len(i.PV) > 0 {
			pv, depth = append(pv[:0], i.PV...), i.Depth
		}
	}))
	out.Nodes += found.Nodes
	if found.Best == chess.NoMove {
		return
	}
	if len(pv) == 0 || pv[0] != found.Best {
		pv = []chess.Move{found.Best} // from an unfinished iteration
	}
	score, kept, next := found.Score, 0, 0
	for ply := 0; ply < len(pv) && ply <= depth/2 && kept < 2; ply++ {
		if ply >= next && !p.InCheck() && !p.IsNoisy(pv[ply]) {
			l.keep(&p, score, result, out)
			kept, next = kept+1, ply+labelDistance
		}
		p, score = p.After(pv[ply]), -score
	}
}

// keep labels a position with a score for the side to move, unless the score is
// above the maximum.
func (l *labeler) keep(p *position.Position, score chess.Score, result func(chess.Score) rules.Result, out *Batch) {
	value := search.Unscaled(score, p)
	if p.SideToMove() == chess.Black {
		value, score = -value, -score
	}
	if max(value, -value) > l.Filter.MaxScore {
		out.Beyond++
		return
	}
	out.Entries = append(out.Entries, record.Entry{Position: *p, Score: value, Result: result(score)})
}

// deviateNodes is the node limit of the searches for moves after random ones.
const deviateNodes = 100

// deviate plays one or two random moves from p, and then best moves until the
// position is quiet. Such positions occur in search trees but hardly in games.
func (l *labeler) deviate(
	ctx context.Context, e *search.Engine, r *rand.Rand, p position.Position, nodes *uint64,
) position.Position {
	for range 1 + r.IntN(2) {
		moves := movegen.Legal(&p)
		if len(moves) == 0 {
			return p
		}
		p = p.After(moves[r.IntN(len(moves))])
	}
	for range 6 {
		found := e.SearchContext(ctx, position.NewGame(p), search.Limits{Nodes: deviateNodes}, nil)
		*nodes += found.Nodes
		if found.Best == chess.NoMove || !p.InCheck() && !p.IsNoisy(found.Best) {
			break
		}
		p = p.After(found.Best)
	}
	return p
}

// likely returns the most likely result at the score of a search from White's point of view.
func likely(score chess.Score) rules.Result {
	switch {
	case score > chess.UnitsPerPawn:
		return rules.WhiteWins
	case score < -chess.UnitsPerPawn:
		return rules.BlackWins
	}
	return rules.Draw
}
