package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"skein/chess"
	"skein/internal/record"
	"skein/nnue"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// maxDraws is the number of start positions that are drawn to find a balanced
// one.
const maxDraws = 1000

// Tally is the statistics of games.
type Tally struct {
	Positions   int64
	Nodes       uint64    // of searches for moves
	NodesOf     [2]uint64 // the same by color
	VerifyNodes uint64    // of searches of start positions
	Rejected    int64     // start positions
}

// Add adds t2 to t.
func (t *Tally) Add(t2 Tally) {
	t.Positions += t2.Positions
	t.Nodes += t2.Nodes
	for c := range t.NodesOf {
		t.NodesOf[c] += t2.NodesOf[c]
	}
	t.VerifyNodes += t2.VerifyNodes
	t.Rejected += t2.Rejected
}

// Player plays one game at a time with an engine for each side, so that neither
// uses the searches of the other.
type Player struct {
	config  *Config
	engines [2]*search.Engine // by color
	prepare [2]func()         // by color; called before each search, if not nil
	elo     [2]int            // by color; playing strength, 0 is full strength
}

// NewPlayer returns a player. The error is that of Config.Validate or of
// allocating memory.
func NewPlayer(net *nnue.Network, config *Config) (*Player, error) {
	return newPlayer([2]*nnue.Network{net, net}, config)
}

// newPlayer returns a player with a network for each color.
func newPlayer(networks [2]*nnue.Network, config *Config) (*Player, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Player{config: config}
	for c := range p.engines {
		e, err := search.New(networks[c], search.Options{Threads: 1, Hash: config.Hash})
		if err != nil {
			return nil, errors.Join(err, p.Close())
		}
		p.engines[c] = e
	}
	return p, nil
}

// Close releases the memory of the engines.
func (p *Player) Close() error {
	var errs []error
	for _, e := range p.engines {
		if e != nil {
			errs = append(errs, e.Close())
		}
	}
	return errors.Join(errs...)
}

// play plays the game with the given number. If ctx is done, it stops between
// two moves and returns the error of ctx.
func (p *Player) play(ctx context.Context, number uint64) (record.Game, Tally, error) {
	start, t, err := p.Start(ctx, number)
	if err != nil {
		return record.Game{}, t, err
	}
	g, err := p.playFrom(ctx, start, &t)
	return g, t, err
}

// search searches with the engine of the side to move, until ctx is done.
func (p *Player) search(ctx context.Context, g *position.Game, limits search.Limits) search.Result {
	us := g.Pos.SideToMove()
	if p.prepare[us] != nil {
		p.prepare[us]()
	}
	return p.engines[us].SearchContext(ctx, g, limits, nil)
}

// Start returns the balanced position from which the game with the given number
// starts. If ctx is done, it returns the error of ctx.
func (p *Player) Start(ctx context.Context, number uint64) (position.Position, Tally, error) {
	var t Tally
	o := &p.config.Openings
	r := rand.New(rand.NewPCG(p.config.Seed, number))
	place := o.place(number)
	for range maxDraws {
		if err := ctx.Err(); err != nil {
			return position.Position{}, t, err
		}
		if start, ok := o.draw(r, place); ok && p.balanced(ctx, &start, &t) {
			return start, t, nil
		}
		place = -1
		t.Rejected++
	}
	err := fmt.Errorf("none of %d start positions is within ±%d of balance", maxDraws, o.MaxScore)
	return position.Position{}, t, err
}

// balanced reports whether a search finds a start position balanced.
func (p *Player) balanced(ctx context.Context, start *position.Position, t *Tally) bool {
	o := &p.config.Openings
	if o.VerifyNodes == 0 || o.MaxScore == 0 {
		return true
	}
	p.engines[start.SideToMove()].NewGame()
	result := p.search(ctx, position.NewGame(*start), search.Limits{Nodes: o.VerifyNodes})
	t.VerifyNodes += result.Nodes
	return -o.MaxScore <= result.Score && result.Score <= o.MaxScore
}

// recorded returns the score to record for p, from White's view: the target for the network, without the scaling of the
// search.
func recorded(score chess.Score, p *position.Position) chess.Score {
	score = search.Unscaled(score, p)
	if p.SideToMove() == chess.Black {
		score = -score
	}
	return score
}

// playFrom plays a game from start, with engines cleared of all earlier games.
func (p *Player) playFrom(ctx context.Context, start position.Position, t *Tally) (record.Game, error) {
	for _, e := range p.engines {
		e.NewGame()
	}
	c := p.config
	clock := &c.Clock
	limits := search.Limits{SoftNodes: c.SoftNodes, Nodes: c.HardNodes}
	if clock.Time > 0 {
		limits.Clock, limits.NodeTime = true, clock.NodeTime
		limits.Time, limits.Inc = [2]time.Duration{clock.Time, clock.Time}, [2]time.Duration{clock.Inc, clock.Inc}
	}
	adjudicator := adjudicator{Adjudication: &c.Adjudication}
	game := position.NewGame(start)
	g := record.Game{Start: start}
	for {
		us, move := game.Pos.SideToMove(), game.Pos.Fullmoves()
		limits.Strength = search.Strength{Elo: p.elo[us], Seed: c.Seed + uint64(start.Key())}
		found := p.search(ctx, game, limits)
		if err := ctx.Err(); err != nil {
			return g, err
		}
		g.Plies = append(g.Plies, record.Ply{Move: found.Best, Score: recorded(found.Score, &game.Pos)})
		score := found.Score // as the search sees it, from White's view
		if us == chess.Black {
			score = -score
		}
		t.Positions++
		t.Nodes += found.Nodes
		t.NodesOf[us] += found.Nodes
		limits.Time[us] = max(limits.Time[us]-time.Duration(found.Nodes)*clock.NodeTime, 0) + clock.Inc
		game.Play(found.Best)

		if outcome := rules.EndedOrClaimable(game); outcome.Over() {
			g.Result, g.End = outcome.Result, record.EndOf(outcome.Reason)
			return g, nil
		}
		var over bool
		if tablebase := c.Adjudication.Tablebase; tablebase != nil {
			if g.Result, over = tablebase(&game.Pos); over {
				g.End = record.TablebaseEnd
				return g, nil
			}
		}
		if g.Result, g.End, over = adjudicator.see(score, move); over {
			return g, nil
		}
		if c.MaxPlies > 0 && len(g.Plies) >= c.MaxPlies {
			g.Result, g.End = rules.Draw, record.Length
			return g, nil
		}
	}
}
