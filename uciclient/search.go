package uciclient

import (
	"context"
	"iter"
	"time"

	"skein/chess"
	"skein/position"
)

// Bounds of the infos that wait to be read; if there are more, the oldest are dropped.
const (
	maxInfos   = 1024
	maxWaiting = 16 << 20 // bytes of their lines
)

// Search is a search by an engine. Its methods may be called by several goroutines.
type Search struct {
	engine   *Engine
	root     position.Position
	chess960 bool
	over     chan struct{} // closed when result and err are set
	answered chan struct{} // closed by the bestmove
	more     chan struct{} // receives after infos has grown

	// What follows is guarded by engine.mu.
	infos     []waitingInfo
	waiting   int // bytes of their lines
	dropped   int
	last      Info // about the best line
	pondering bool
	stopped   bool
	timer     *time.Timer // runs from the stop on
	detach    func() bool // from the context
	result    Result
	err       error
}

// waitingInfo is an info that was not read yet.
type waitingInfo struct {
	Info
	size int // bytes of its line
}

// Result is the result of a search.
type Result struct {
	Best   chess.Move // NoMove if there is no legal move
	Ponder chess.Move // the expected reply, NoMove if the engine does not tell
	Info   Info       // the last one about the best line, else the last with a score, zero if there was none
}

// Search starts a search. It ends when the limits are reached, by Stop, or when ctx
// is done: then Result returns the cause at once and the engine is told to stop.
// Moves that are illegal and limits that make no sense are errors, as is a search
// that runs.
func (e *Engine) Search(ctx context.Context, game Game, limits Limits) (*Search, error) {
	if err := e.takeTurn(ctx); err != nil {
		return nil, err
	}
	defer e.endTurn()
	s := &Search{
		engine: e, pondering: limits.Ponder,
		over: make(chan struct{}), answered: make(chan struct{}), more: make(chan struct{}, 1),
	}
	e.mu.Lock()
	s.chess960 = e.chess960
	e.mu.Unlock()
	positionLine, root, err := game.command(s.chess960)
	if err != nil {
		return nil, err
	}
	goLine, err := limits.command(&root, s.chess960)
	if err != nil {
		return nil, err
	}
	s.root = root
	e.mu.Lock()
	e.search = s
	e.mu.Unlock()
	if err := e.send(ctx, positionLine, goLine); err != nil {
		s.end(Result{}, err)
		return nil, err
	}
	detach := context.AfterFunc(ctx, func() { s.abandon(context.Cause(ctx)) })
	e.mu.Lock()
	s.detach = detach
	e.mu.Unlock()
	if isClosed(s.over) {
		detach()
	}
	return s, nil
}

// Play searches and returns the result.
func (e *Engine) Play(ctx context.Context, game Game, limits Limits) (Result, error) {
	s, err := e.Search(ctx, game, limits)
	if err != nil {
		return Result{}, err
	}
	return s.Result()
}

// Analyze searches and iterates over what the engine reports. An error comes last,
// with a zero Info. The search ends with the loop.
func (e *Engine) Analyze(ctx context.Context, game Game, limits Limits) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		s, err := e.Search(ctx, game, limits)
		if err != nil {
			yield(Info{}, err)
			return
		}
		defer s.abandon(context.Canceled)
		for info := range s.Infos() {
			if !yield(info, nil) {
				return
			}
		}
		if _, err := s.Result(); err != nil {
			yield(Info{}, err)
		}
	}
}

// Infos iterates over what the engine reports of the search, in order, until it is
// over; Result tells why it is. Every info is returned once. If more than 1024 wait to
// be read, or more than 16 MiB, the oldest are dropped.
func (s *Search) Infos() iter.Seq[Info] {
	return func(yield func(Info) bool) {
		for {
			over := isClosed(s.over)
			info, ok := s.next()
			switch {
			case ok && !yield(info):
				return
			case ok:
			case over:
				return
			default:
				select {
				case <-s.more:
				case <-s.over:
				}
			}
		}
	}
}

// next removes the oldest info, if there is one.
func (s *Search) next() (info Info, ok bool) {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	if len(s.infos) == 0 {
		return Info{}, false
	}
	info = s.pop()
	if len(s.infos) > 0 {
		s.wake() // another reader may be waiting
	}
	return info, true
}

// pop removes the oldest info, of which there must be one. The caller holds engine.mu.
func (s *Search) pop() Info {
	first := s.infos[0]
	s.infos[0] = waitingInfo{} // holds no text
	s.infos = s.infos[1:]
	s.waiting -= first.size
	return first.Info
}

// Dropped returns how many infos were dropped because they were not read in time.
func (s *Search) Dropped() int {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	return s.dropped
}

// Result waits for the end of the search. The error is that of a bestmove that is
// malformed or illegal, an *ExitError if the engine ends, a *TimeoutError if it does
// not answer Stop, or the cause of the context of the search.
func (s *Search) Result() (Result, error) {
	<-s.over
	return s.result, s.err
}

// Stop tells the engine to end the search, which has a result then.
func (s *Search) Stop() {
	e := s.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.search != s || s.stopped {
		return
	}
	s.sendStop()
	s.timer = time.AfterFunc(e.config.Timeout, func() {
		s.end(Result{}, &TimeoutError{"stop", e.config.Timeout})
		s.stopAgain()
	})
}

// stopAgain repeats stop unless the engine has answered meanwhile: some engines miss one
// that comes just as the search begins.
func (s *Search) stopAgain() {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	if s.engine.search == s {
		s.sendStop()
	}
}

// sendStop sends stop. If the engine has ended, Result will tell. The caller holds
// engine.mu.
func (s *Search) sendStop() {
	s.stopped, s.engine.unsynced = true, true
	s.engine.tell("stop")
}

// PonderHit tells the engine that the move which it ponders on was played: the limits
// of the search apply from now on.
func (s *Search) PonderHit() {
	e := s.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.search == s && s.pondering && !s.stopped {
		s.pondering = false
		e.tell("ponderhit") // if it has ended, Result tells
	}
}

// abandon tells the engine to stop and ends the search with an error, unless it is
// over. The engine still owes its bestmove.
func (s *Search) abandon(err error) {
	s.engine.mu.Lock()
	if s.engine.search == s && !s.stopped {
		s.sendStop()
	}
	s.engine.mu.Unlock()
	s.end(Result{}, err)
}

// end sets the result, unless the search is over.
func (s *Search) end(r Result, err error) {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	if isClosed(s.over) {
		return
	}
	s.result, s.err = r, err
	close(s.over)
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.detach != nil {
		s.detach()
	}
}

// report queues an info from a line of a size in bytes.
func (s *Search) report(info Info, size int) {
	e := s.engine
	e.mu.Lock()
	defer e.mu.Unlock()
	if isClosed(s.over) {
		return
	}
	scoreOnly := info.Fields.Has(FieldScore) && !s.last.Fields.Has(FieldPV)
	if (info.Fields.Has(FieldPV) || scoreOnly) && info.MultiPV <= 1 {
		s.last = info
	}
	for len(s.infos) > 0 && (len(s.infos) == maxInfos || s.waiting+size > maxWaiting) {
		s.pop()
		s.dropped++
	}
	s.infos = append(s.infos, waitingInfo{info, size})
	s.waiting += size
	s.wake()
}

// wake wakes a reader of Infos, or the next one.
func (s *Search) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}
