package web

import (
	"context"
	"net/http"
	"slices"
	"time"

	"skein/search"
)

// sharedEngine is the engine that all requests share. Whoever uses it must hold its
// queue.
type sharedEngine struct {
	*search.Engine
	queue
	threads, hash int         // current settings
	elo           int         // of the last search, 0 for full strength
	timed         gameRequest // the last game in which the engine moved with a clock
}

// follow has the engine forget the clock of another game than that of a request, in which
// it moves with a clock. The holder of the queue calls it.
func (e *sharedEngine) follow(r *gameRequest) {
	n := len(e.timed.Moves)
	if r.FEN != e.timed.FEN || r.Chess960 != e.timed.Chess960 || len(r.Moves) != n+2 ||
		!slices.Equal(r.Moves[:n], e.timed.Moves) {
		e.ForgetClock()
	}
	e.timed = *r
}

// configure sets threads and hash in MiB for searches of a strength in Elo, 0 for
// full strength. A weak player must not use what a stronger one has found. The holder
// of the queue calls it.
func (e *sharedEngine) configure(threads, hash, elo int) error {
	if threads != e.threads {
		if err := e.SetThreads(threads); err != nil {
			return err
		}
		e.threads = threads
	}
	if hash != e.hash {
		if err := e.SetHash(hash); err != nil {
			return err
		}
		e.hash = hash
	}
	if elo != 0 && elo != e.elo {
		e.NewGame()
	}
	e.elo = elo
	return nil
}

// await acquires the engine, and says so in the stream while it waits. The error is
// that of ctx or of the connection.
func (e *sharedEngine) await(ctx context.Context, out *stream, urgent bool) error {
	t := e.enter(urgent)
	tick := time.NewTicker(2 * interval)
	defer tick.Stop()
	told := 0
	for {
		select {
		case <-t.turn:
			err := context.Cause(ctx)
			if err != nil {
				e.release()
			}
			return err
		case <-ctx.Done():
			e.leave(t)
			return context.Cause(ctx)
		case <-tick.C:
		}
		err := out.keep()
		if waiting, _ := e.demand(); err == nil && waiting != told {
			told = waiting
			err = out.send("waiting", map[string]int{"waiting": waiting})
		}
		if err != nil {
			e.leave(t)
			return err
		}
	}
}

// maxLines is the largest number of best lines that a page can ask for.
const maxLines = 10

// describe answers with what the page can ask of the engine, and how busy it is.
func (s *Server) describe(w http.ResponseWriter, _ *http.Request) {
	served, waiting := s.engine.state()
	respond(w, http.StatusOK, struct {
		Name    string `json:"name"`
		Threads int    `json:"threads"` // at most
		Hash    int    `json:"hash"`    // at most, in MiB
		Lines   int    `json:"lines"`   // at most
		MinElo  int    `json:"min_elo"`
		MaxElo  int    `json:"max_elo"`
		Men     int    `json:"men"` // of the largest tablebase, 0 if there is none
		Served  int    `json:"served"`
		Waiting int    `json:"waiting"`
	}{s.Name, s.Threads, s.Hash, maxLines, search.MinElo, search.MaxElo, s.Tables.Largest(), served, waiting})
}
