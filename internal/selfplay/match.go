package selfplay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"skein/chess"
	"skein/internal/record"
	"skein/nnue"
	"skein/position"
)

// Contestant is one side of a match.
type Contestant struct {
	Net     *nnue.Network
	Prepare func() // called before each of its searches, if not nil
	Elo     int    // its playing strength, see search.Strength; 0 is full strength
}

// Match is a match between two contestants in pairs of games: both games of a
// pair start from the same position, with colors reversed.
type Match struct {
	// Config is the settings of games. Pair n starts from a random position that
	// depends on the seed and n, different from that of game n of self-play, or, if
	// there is a book, from the nth position of the book in random order.
	Config      Config
	Contestants [2]Contestant

	book []position.Position // that of Config in random order, once a run has needed it
}

// Pair is a finished pair of games.
type Pair struct {
	Number uint64         // in the match, from 0
	Games  [2]record.Game // the first contestant is White in the first
	Points int            // of the first contestant, in half points, 0 to 4
	Nodes  [2]uint64      // searched by each contestant
	Moves  [2]int64       // made by each contestant
}

// Run plays pairs first to first+n-1 with the given number of workers and calls
// emit with them one at a time, in the order of their numbers, until emit returns
// an error or ctx is done. A pair is a function of the match and its number. With
// more than one worker, Prepare is called concurrently. The book and the seed must not
// change after the first call.
func (m *Match) Run(ctx context.Context, first uint64, n, workers int, emit func(*Pair) error) error {
	if err := m.Config.Validate(); err != nil {
		return err
	}
	if starts, ok := m.Config.Openings.Starts(); ok && first+uint64(n) > uint64(starts) {
		return fmt.Errorf("%d pairs need as many openings, and there are only %d", first+uint64(n), starts)
	}
	if m.book == nil {
		m.book = shuffled(m.Config.Openings.Book, m.Config.Seed)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	numbers := make(chan uint64)
	pairs := make(chan *Pair)
	var wg sync.WaitGroup
	for range min(max(workers, 1), max(n, 1)) {
		wg.Go(func() {
			if err := m.work(ctx, numbers, pairs); err != nil {
				cancel(err)
			}
		})
	}
	go func() {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			select {
			case numbers <- first + uint64(i):
			case <-ctx.Done():
			}
		}
		close(numbers)
		wg.Wait()
		close(pairs)
	}()
	sequence := Sequence[*Pair]{Next: first}
	for pair := range pairs {
		if ctx.Err() != nil {
			continue
		}
		if err := sequence.Add(pair.Number, pair, emit); err != nil {
			cancel(err)
		}
	}
	return context.Cause(ctx)
}

// shuffled returns the book in an order that depends on the seed.
func shuffled(book []position.Position, seed uint64) []position.Position {
	book = slices.Clone(book)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(book), func(i, j int) { book[i], book[j] = book[j], book[i] })
	return book
}

// work plays the pairs whose numbers it receives until numbers is closed or ctx
// is done.
func (m *Match) work(ctx context.Context, numbers <-chan uint64, pairs chan<- *Pair) (err error) {
	p, err := newPlayer([2]*nnue.Network{m.Contestants[0].Net, m.Contestants[1].Net}, &m.Config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	p.prepare = [2]func(){m.Contestants[0].Prepare, m.Contestants[1].Prepare}
	p.elo = [2]int{m.Contestants[0].Elo, m.Contestants[1].Elo}
	for number := range numbers {
		var start position.Position
		if len(m.book) > 0 {
			start = m.book[number]
		} else if start, _, err = p.Start(ctx, matchStarts|number); err != nil {
			return err
		}
		pair, err := p.playPair(ctx, start)
		if err != nil {
			return err
		}
		pair.Number = number
		select {
		case pairs <- pair:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// matchStarts is set in the numbers of starts of matches, whose openings are thus
// others than those of games for training with the same seed.
const matchStarts = 1 << 63

// swap exchanges the colors of the two engines.
func (p *Player) swap() {
	p.engines[0], p.engines[1] = p.engines[1], p.engines[0]
	p.prepare[0], p.prepare[1] = p.prepare[1], p.prepare[0]
	p.elo[0], p.elo[1] = p.elo[1], p.elo[0]
}

// playPair plays two games from start, the second with colors reversed.
func (p *Player) playPair(ctx context.Context, start position.Position) (*Pair, error) {
	var pair Pair
	for i := range pair.Games {
		var t Tally
		g, err := p.playFrom(ctx, start, &t)
		if err != nil {
			return nil, err
		}
		pair.Games[i] = g
		points := g.Result.HalfPoints()
		if i == 1 {
			points = 2 - points
		}
		pair.Points += points
		for c := range chess.Color(2) {
			contestant := int(c) ^ i
			pair.Nodes[contestant] += t.NodesOf[c]
			moves := int64(len(g.Plies) / 2)
			if len(g.Plies)%2 == 1 && c == start.SideToMove() {
				moves++
			}
			pair.Moves[contestant] += moves
		}
		p.swap()
	}
	return &pair, nil
}
