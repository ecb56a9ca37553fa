package web

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"skein/chess"
	"skein/position"
	"skein/search"
)

// playRequest asks for a move of an opponent.
type playRequest struct {
	gameRequest
	Elo         int    `json:"elo"` // 0 for full strength
	Seed        uint32 `json:"seed"`
	MoveTimeMS  int64  `json:"move_time_ms"` // without a clock
	WhiteMS     int64  `json:"white_ms"`     // left on the clocks; both are 0 without
	BlackMS     int64  `json:"black_ms"`
	IncrementMS int64  `json:"increment_ms"`
}

// Times of an opponent.
const (
	maxClock     = 10 * time.Hour         // on a clock, at most
	minMoveTime  = 100 * time.Millisecond // of a move without a clock
	moveOverhead = 100 * time.Millisecond // of a move with one, which runs on the page
)

// limits returns the limits of the search. The error names a number out of range.
func (r *playRequest) limits() (search.Limits, error) {
	const longest = int(maxClock / time.Millisecond)
	for _, err := range []error{
		between("white_ms", int(r.WhiteMS), 0, longest),
		between("black_ms", int(r.BlackMS), 0, longest),
		between("increment_ms", int(r.IncrementMS), 0, longest),
		between("move_time_ms", int(r.MoveTimeMS), 0, longest),
	} {
		if err != nil {
			return search.Limits{}, err
		}
	}
	if r.Elo != 0 {
		if err := between("elo", r.Elo, search.MinElo, search.MaxElo); err != nil {
			return search.Limits{}, err
		}
	}
	const ms = time.Millisecond
	lim := search.Limits{Strength: search.Strength{Elo: r.Elo, Seed: uint64(r.Seed)}}
	if r.WhiteMS == 0 && r.BlackMS == 0 {
		lim.MoveTime = max(time.Duration(r.MoveTimeMS)*ms, minMoveTime)
		return lim, nil
	}
	increment := time.Duration(r.IncrementMS) * ms
	lim.Clock, lim.MoveOverhead, lim.Inc = true, moveOverhead, [2]time.Duration{increment, increment}
	lim.Time = [2]time.Duration{time.Duration(r.WhiteMS) * ms, time.Duration(r.BlackMS) * ms}
	return lim, nil
}

// play answers with the position after the move that the engine plays.
func (s *Server) play(w http.ResponseWriter, r *http.Request) {
	var request playRequest
	if !read(w, r, maxRequest, &request) {
		return
	}
	g, err := request.replay()
	var limits search.Limits
	if err == nil {
		limits, err = request.limits()
	}
	if err != nil {
		answer(w, nil, err)
		return
	}
	takeTime(w)
	if limits.Clock {
		limits.Start = time.Now() // the clock runs while the engine is busy
	}
	if s.engine.acquire(r.Context(), true) != nil {
		refuse(w, http.StatusServiceUnavailable, ending)
		return
	}
	defer s.engine.release()
	if err := s.engine.configure(s.Threads, s.Hash, request.Elo); err != nil {
		answer(w, nil, err)
		return
	}
	if limits.Clock {
		s.engine.follow(&request.gameRequest)
	}
	result := s.engine.SearchContext(r.Context(), g.Game, limits, nil)
	if r.Context().Err() != nil { // it was cut short, and its move is not the one that was asked for
		refuse(w, http.StatusServiceUnavailable, ending)
		return
	}
	if result.Best == chess.NoMove {
		answer(w, nil, fmt.Errorf("the game is over: %s has no legal move", g.Pos.SideToMove()))
		return
	}
	g.play(result.Best)
	answer(w, s.view(g), nil)
}

// chess960 answers with a start position of Chess960: that of the number, or a random
// one if that is negative.
func (s *Server) chess960(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Number int `json:"number"`
	}
	if !read(w, r, maxRequest, &request) {
		return
	}
	n := request.Number
	if n < 0 {
		n = rand.IntN(position.Chess960Positions)
	}
	if err := between("number", n, 0, position.Chess960Positions-1); err != nil {
		answer(w, nil, err)
		return
	}
	start := position.Chess960(n, n)
	answer(w, map[string]any{"number": n, "fen": start.FEN()}, nil)
}
