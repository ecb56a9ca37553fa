package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"skein/chess"
	"skein/internal/review"
	"skein/position"
	"skein/search"
)

// Times of sharing the engine.
const (
	minTurn  = 4 * time.Second        // for which an analysis keeps the engine when others wait
	maxTurn  = time.Minute            // the same after turns that were too short for another iteration
	interval = 100 * time.Millisecond // between looks at what is found and who waits
)

// maxShown is the number of plies shown of a line.
const maxShown = 24

// analysisRequest asks for the best lines of a position, until the request ends.
type analysisRequest struct {
	gameRequest
	Lines   int `json:"lines"`
	Threads int `json:"threads"`
	Hash    int `json:"hash"`  // MiB
	Depth   int `json:"depth"` // 0 for no limit
}

// analysisView is the state of an analysis.
type analysisView struct {
	Depth    int        `json:"depth"`
	SelDepth int        `json:"seldepth"`
	Nodes    uint64     `json:"nodes"`
	NPS      uint64     `json:"nps"`
	TimeMS   int64      `json:"time_ms"`
	Hashfull int        `json:"hashfull"`
	TBHits   uint64     `json:"tbhits"`
	Lines    []lineView `json:"lines"` // best first
}

// lineView is one of the best lines.
type lineView struct {
	Score scoreView  `json:"score"`
	Bound string     `json:"bound,omitempty"` // "≥" or "≤" for scores that are not exact
	Moves []moveView `json:"moves"`
}

// between returns an error that names a number out of range.
func between(name string, n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%s: %d is not between %d and %d", name, n, low, high)
	}
	return nil
}

// check returns an error about what cannot be had.
func (r *analysisRequest) check(c *Config) error {
	for _, err := range []error{
		between("lines", r.Lines, 1, maxLines),
		between("threads", r.Threads, 1, c.Threads),
		between("hash", r.Hash, 1, c.Hash),
		between("depth", r.Depth, 0, chess.MaxPly-1),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// analyze answers with a stream of the events "waiting", with the number of requests
// that wait too, "analysis", and at the end "done".
func (s *Server) analyze(w http.ResponseWriter, r *http.Request) {
	var request analysisRequest
	if !read(w, r, maxRequest, &request) {
		return
	}
	g, err := request.replay()
	if err == nil {
		err = request.check(&s.Config)
	}
	if err != nil {
		answer(w, nil, err)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	a := &analysis{server: s, request: &request, game: g, stream: newStream(w), turn: minTurn}
	for ended := false; !ended; {
		if err := s.engine.await(ctx, a.stream, false); err != nil {
			return
		}
		ended, err = a.search(ctx)
		s.engine.release()
		if err != nil {
			a.stream.send("failed", map[string]string{"error": err.Error()})
			return
		}
	}
	if ctx.Err() == nil {
		a.stream.send("done", struct{}{})
	}
}

// analysis is an analysis in turns, in which the engine is lent to others.
type analysis struct {
	server  *Server
	request *analysisRequest
	game    *playedGame
	stream  *stream

	turn  time.Duration // that the next turn lasts at least
	spent time.Duration // in earlier turns
	nodes uint64        // of earlier turns
	shown int           // depth that the page has

	mu      sync.Mutex
	lines   []search.Line // the last one of each rank
	changed bool          // since it was sent
}

// search searches for a turn. It reports whether the analysis has ended: by itself, or
// because its request did.
func (a *analysis) search(ctx context.Context) (ended bool, err error) {
	engine := a.server.engine
	if err := engine.configure(a.request.Threads, a.request.Hash, 0); err != nil {
		return true, err
	}
	a.lines, a.changed = make([]search.Line, a.request.Lines), false
	before := a.shown
	control := search.NewControl(false)
	searched, watched := make(chan struct{}), make(chan bool)
	go func() { watched <- a.watch(ctx, control, searched) }()
	limits := search.Limits{Depth: a.request.Depth, MultiPV: a.request.Lines, Control: control}
	result := engine.Search(a.game.Game, limits, search.OnLine(a.note))
	close(searched)
	yielded := <-watched
	a.flush()
	a.spent += result.Elapsed
	a.nodes += result.Nodes
	a.turn = turnAfter(a.turn, !yielded || a.shown > before)
	return !yielded || ctx.Err() != nil, nil
}

// turnAfter returns how long the turn after another lasts at least: twice as long if
// that one did not get deeper, as each begins anew.
func turnAfter(turn time.Duration, deeper bool) time.Duration {
	if deeper {
		return minTurn
	}
	return min(2*turn, maxTurn)
}

// watch sends what the search finds, until it has ended, and stops it when the request
// ends or the engine is wanted elsewhere. It reports whether the latter is so.
func (a *analysis) watch(ctx context.Context, control *search.Control, searched <-chan struct{}) (yielded bool) {
	began := time.Now()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-searched:
			return yielded
		case <-ctx.Done():
			control.Stop()
			<-searched
			return false
		case <-tick.C:
		}
		if a.flush() != nil {
			control.Stop()
			<-searched
			return false
		}
		if waiting, urgent := a.server.engine.demand(); urgent || waiting > 0 && time.Since(began) >= a.turn {
			yielded = true
			control.Stop()
		}
	}
}

// note keeps a report of the search.
func (a *analysis) note(l *search.Line) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.MultiPV < 1 || l.MultiPV > len(a.lines) {
		return
	}
	kept := &a.lines[l.MultiPV-1]
	pv := append(kept.PV[:0], l.PV...)
	*kept = *l
	kept.PV = pv
	a.changed = true
}

// flush sends what is new, unless an earlier turn got deeper. The error is about the
// connection.
func (a *analysis) flush() error {
	a.mu.Lock()
	first := a.lines[0]
	if !a.changed || first.Depth < a.shown {
		a.mu.Unlock()
		return a.stream.keep()
	}
	view := a.view(&first)
	a.changed, a.shown = false, first.Depth
	a.mu.Unlock()
	return a.stream.send("analysis", view)
}

// view describes the lines. The caller holds the mutex.
func (a *analysis) view(first *search.Line) *analysisView {
	elapsed, nodes := first.Elapsed, first.Nodes
	for i := range a.lines { // a report about a later line may be newer
		elapsed, nodes = max(elapsed, a.lines[i].Elapsed), max(nodes, a.lines[i].Nodes)
	}
	v := &analysisView{Depth: first.Depth, SelDepth: first.SelDepth, Nodes: a.nodes + nodes,
		TimeMS: (a.spent + elapsed).Milliseconds(), Hashfull: first.Hashfull, TBHits: first.TBHits, Lines: []lineView{}}
	v.NPS = search.NodesPerSecond(nodes, elapsed)
	for i := range a.lines {
		if l := &a.lines[i]; l.MultiPV > 0 {
			v.Lines = append(v.Lines, a.lineView(l))
		}
	}
	return v
}

// lineView describes one line.
func (a *analysis) lineView(l *search.Line) lineView {
	side := a.game.Pos.SideToMove()
	v := lineView{Score: newScoreView(l.Score, side, review.Lichess)}
	switch {
	case l.Bound == search.Exact:
	case (l.Bound == search.LowerBound) == (side == chess.White):
		v.Bound = "≥"
	default:
		v.Bound = "≤"
	}
	v.Moves = moveViews(a.game.Pos, l.PV[:min(len(l.PV), maxShown)], a.game.chess960)
	return v
}

// moveViews describes the moves of a line.
func moveViews(p position.Position, moves []chess.Move, chess960 bool) []moveView {
	views := make([]moveView, 0, len(moves))
	for _, m := range moves {
		views = append(views, newMoveView(&p, m, chess960))
		p = p.After(m)
	}
	return views
}
