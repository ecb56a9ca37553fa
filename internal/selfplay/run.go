package selfplay

import (
	"context"
	"math"
	"sync"
	"time"

	"skein/internal/record"
	"skein/nnue"
)

// windowPerWorker, times the number of workers, bounds how many games may be
// ahead of the oldest unfinished one.
const windowPerWorker = 16

// finishing is how long Run waits for the games that are being played when its
// context is done.
const finishing = 5 * time.Second

// finished is a game that was played, or an error.
type finished struct {
	number uint64
	game   record.Game
	tally  Tally
	err    error
}

// Run plays games first, first+1, ... with the given number of workers and
// calls emit with them one at a time in this order, until emit returns false or
// an error, or ctx is done, which is not an error. It then begins no other games,
// and waits a few seconds for those being played; games that would leave a gap are
// discarded.
func Run(
	ctx context.Context, net *nnue.Network, config *Config, first uint64, workers int,
	emit func(*record.Game, Tally) (more bool, err error),
) error {
	c := *config
	c.Openings.Book = shuffled(c.Openings.Book, c.Seed)
	config = &c
	players := make([]*Player, max(workers, 1))
	for i := range players {
		p, err := NewPlayer(net, config)
		if err != nil {
			return err
		}
		defer p.Close()
		players[i] = p
	}
	playing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	defer wg.Wait() // before the players are closed
	defer cancel()

	window := windowPerWorker * len(players)
	numbers := make(chan uint64, window)
	results := make(chan finished, window)
	for i := range window {
		numbers <- first + uint64(i)
	}
	for _, p := range players {
		wg.Go(func() { work(playing, p, numbers, results) })
	}
	return collect(ctx, first, numbers, results, emit)
}

// collect calls emit with the results in the order of their numbers, from next on,
// and adds the number of another game to numbers for each. See Run.
func collect(
	ctx context.Context, next uint64, numbers chan uint64, results <-chan finished,
	emit func(*record.Game, Tally) (more bool, err error),
) error {
	window := uint64(cap(numbers))
	stop, stopping := ctx.Done(), false
	end := uint64(math.MaxUint64) // of the numbers of games begun
	var late <-chan time.Time
	waiting := make(map[uint64]finished, window)
	for next < end {
		f, ok := waiting[next]
		if !ok {
			select {
			case r := <-results:
				waiting[r.number] = r
			case <-stop:
				stop, stopping, late = nil, true, time.After(finishing)
				end = drain(numbers, next+window)
			case <-late:
				return nil
			}
			continue
		}
		delete(waiting, next)
		if f.err != nil {
			return f.err
		}
		if more, err := emit(&f.game, f.tally); err != nil || !more {
			return err
		}
		if !stopping {
			numbers <- next + window
		}
		next++
	}
	return nil
}

// drain empties the channel, whose numbers increase, and returns the first of them,
// or end if there is none.
func drain(numbers <-chan uint64, end uint64) uint64 {
	for {
		select {
		case n := <-numbers:
			end = min(end, n)
		default:
			return end
		}
	}
}

// work plays the games whose numbers it receives until ctx is done. The buffer
// of results has room for all of them.
func work(ctx context.Context, p *Player, numbers <-chan uint64, results chan<- finished) {
	for {
		select {
		case <-ctx.Done():
			return
		case number := <-numbers:
			game, tally, err := p.play(ctx, number)
			results <- finished{number, game, tally, err}
		}
	}
}
