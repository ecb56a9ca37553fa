package selfplay

import (
	"context"
	"sync"

	"skein/internal/record"
	"skein/nnue"
)

// windowPerWorker, times the number of workers, bounds how many games may be
// ahead of the oldest unfinished one.
const windowPerWorker = 16

// finished is a game that was played, or an error.
type finished struct {
	number uint64
	game   record.Game
	tally  Tally
	err    error
}

// Run plays games first, first+1, ... with the given number of workers and
// calls emit with them one at a time in this order, until emit returns false or
// an error, or ctx is done, which is not an error. Games not emitted by then
// are discarded.
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
	playing, cancel := context.WithCancel(ctx)
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

	waiting := make(map[uint64]finished, window)
	for next := first; ; next++ {
		f, ok := waiting[next]
		for ; !ok; f, ok = waiting[next] {
			select {
			case r := <-results:
				waiting[r.number] = r
			case <-ctx.Done():
				return nil
			}
		}
		delete(waiting, next)
		if f.err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return f.err
		}
		if more, err := emit(&f.game, f.tally); err != nil || !more {
			return err
		}
		numbers <- next + uint64(window)
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
			game, tally, err := p.Play(ctx, number)
			results <- finished{number, game, tally, err}
		}
	}
}
