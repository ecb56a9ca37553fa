package web

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"skein/chess"
	"skein/position"
	"skein/search"
)

// endless is a request for an analysis without an end.
func endless(fen string) analysisRequest {
	return analysisRequest{gameRequest: gameRequest{FEN: fen}, Lines: 2, Threads: 1, Hash: 1}
}

const endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"

// load returns how many requests have the engine and how many wait.
func (s *Server) load() [2]int {
	served, waiting := s.engine.state()
	return [2]int{served, waiting}
}

// TestAnalysis looks at the lines of an analysis that ends.
func TestAnalysis(t *testing.T) {
	s, h := newServer(t, nil)
	request := endless("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
	request.Depth = 6
	received, _ := events(t, h, "/api/analyze", request)
	var last analysisView
	for e := range received {
		if e.name == "analysis" {
			if err := json.Unmarshal([]byte(e.data), &last); err != nil {
				t.Fatal(err)
			}
		} else if e.name != "done" {
			t.Errorf("event %+v", e)
		}
	}
	if len(last.Lines) != 2 || last.Depth != 6 {
		t.Fatalf("analysis %+v", last)
	}
	best := last.Lines[0]
	if best.Score.Text != "#1" || best.Score.Chance != 1 || best.Moves[0].SAN != "Ra8#" || best.Moves[0].UCI != "a1a8" {
		t.Errorf("best line %+v", best)
	}
	if s.load() != [2]int{} {
		t.Errorf("load %v", s.load())
	}
}

// TestTabCloses closes tabs that search and that wait.
func TestTabCloses(t *testing.T) {
	s, h := newServer(t, nil)
	first, closeFirst := events(t, h, "/api/analyze", endless(""))
	next(t, first, "analysis")
	second, closeSecond := events(t, h, "/api/analyze", endless(endgame))
	await(t, "the second tab does not wait", func() bool { return s.load() == [2]int{1, 1} })
	next(t, second, "waiting")
	closeSecond()
	await(t, "the second tab still waits", func() bool { return s.load() == [2]int{1, 0} })
	closeFirst()
	await(t, "the search goes on", func() bool { return s.load() == [2]int{} })
}

// TestTurns lets turns grow until one gets deeper.
func TestTurns(t *testing.T) {
	turn, total := minTurn, time.Duration(0)
	for range 5 {
		turn = turnAfter(turn, false)
		total += turn
	}
	if want := 8*time.Second + 16*time.Second + 32*time.Second + 2*time.Minute; total != want {
		t.Errorf("turns of %v in all, want %v", total, want)
	}
	if turn = turnAfter(turn, true); turn != minTurn {
		t.Errorf("a turn of %v", turn)
	}
}

// TestTabsTakeTurns searches for two tabs, each of which gets results of its own
// position only.
func TestTabsTakeTurns(t *testing.T) {
	_, h := newServer(t, nil)
	first, closeFirst := events(t, h, "/api/analyze", endless(""))
	next(t, first, "analysis")
	second, closeSecond := events(t, h, "/api/analyze", endless(endgame))
	e := next(t, second, "analysis") // after the turn of the first
	next(t, first, "waiting")
	closeFirst()
	var view analysisView
	if err := json.Unmarshal([]byte(e.data), &view); err != nil {
		t.Fatal(err)
	}
	legal := map[string]bool{}
	for _, m := range post[positionView](t, h, "/api/position", gameRequest{FEN: endgame}).Legal {
		legal[m.UCI] = true
	}
	for _, l := range view.Lines {
		if !legal[l.Moves[0].UCI] {
			t.Errorf("%s is no move of the second tab", l.Moves[0].UCI)
		}
	}
	closeSecond()
}

// TestPlay lets the engine play while another tab analyzes.
func TestPlay(t *testing.T) {
	_, h := newServer(t, nil)
	analysis, _ := events(t, h, "/api/analyze", endless(""))
	next(t, analysis, "analysis")
	for _, clock := range []string{`"move_time_ms": 100`, `"white_ms": 5000, "black_ms": 5000`, `"elo": 1500`} {
		view := post[positionView](t, h, "/api/play", `{"fen": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", `+clock+`}`)
		if view.Last == nil || view.Last.SAN != "Ra8#" || view.Outcome == nil {
			t.Errorf("%s: played %+v", clock, view.Last)
		}
	}
}

// TestPlayLimits keeps some time of a clock for the way to the page, none of the time of a
// move, and the strength that the page asks for.
func TestPlayLimits(t *testing.T) {
	for _, tt := range []struct {
		request playRequest
		want    search.Limits
	}{
		{playRequest{MoveTimeMS: 1000}, search.Limits{MoveTime: time.Second}},
		{playRequest{Elo: 1500, Seed: 7, MoveTimeMS: 1000},
			search.Limits{MoveTime: time.Second, Strength: search.Strength{Elo: 1500, Seed: 7}}},
		{playRequest{MoveTimeMS: 1}, search.Limits{MoveTime: minMoveTime}},
		{playRequest{WhiteMS: 2000, BlackMS: 3000, IncrementMS: 1000}, search.Limits{Clock: true,
			Time: [2]time.Duration{2 * time.Second, 3 * time.Second}, Inc: [2]time.Duration{time.Second, time.Second},
			MoveOverhead: moveOverhead}},
	} {
		if got, err := tt.request.limits(); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%+v: %+v, %v; want %+v", tt.request, got, err, tt.want)
		}
	}
}

// TestWeakPlay asks a weak player for a move after an analysis at full strength of the
// same position, which it must not know of.
func TestWeakPlay(t *testing.T) {
	s, _ := newServer(t, nil)
	g := position.NewGame(position.Start())
	weak := search.Limits{Strength: search.Strength{Elo: 2600, Seed: 1}}
	var results [2]search.Result
	for i := range results {
		if i > 0 {
			if err := s.engine.configure(1, 16, 0); err != nil {
				t.Fatal(err)
			}
			s.engine.Search(g, search.Limits{Depth: 12}, nil)
		}
		if err := s.engine.configure(1, 16, 2600); err != nil {
			t.Fatal(err)
		}
		results[i] = s.engine.Search(g, weak, nil)
		results[i].Elapsed = 0
	}
	if results[0] != results[1] {
		t.Errorf("without an analysis %+v, after one %+v", results[0], results[1])
	}
}

// TestPlayStops closes the tab while the engine thinks about its move.
func TestPlayStops(t *testing.T) {
	s, h := newServer(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		response, err := h.Client().Do(request(ctx, t, h, "/api/play", `{"move_time_ms": 3600000}`))
		if err == nil {
			err = errors.Join(errors.New("the engine played"), response.Body.Close())
		}
		ended <- err
	}()
	await(t, "nothing searches", func() bool { return s.load() == [2]int{1, 0} })
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	await(t, "the search goes on", func() bool { return s.load() == [2]int{} })
}

// TestReview reviews a short game while another tab analyzes.
func TestReview(t *testing.T) {
	s, h := newServer(t, nil)
	game := post[importView](t, h, "/api/import", map[string]any{"text": "1. f3 e5 2. g4 Qh4# 0-1"}).Tree
	received, _ := events(t, h, "/api/review", reviewRequest{Game: *game, TimeMS: 50, Threads: 1})
	e := next(t, received, "progress")
	if e.data != `{"done":1,"total":5}` {
		t.Errorf("progress %s", e.data)
	}
	other, closeOther := events(t, h, "/api/analyze", endless(endgame))
	next(t, other, "analysis")
	closeOther()
	var tree gameTree
	if err := json.Unmarshal([]byte(next(t, received, "reviewed").data), &tree); err != nil {
		t.Fatal(err)
	}
	if tree.Review == nil || tree.Review.White.Blunders != 1 || tree.Moves[2].Review.Verdict != "blunder" {
		t.Errorf("review %+v", tree.Review)
	}
	if tree.Moves[3].Review.After.Text != "#0" || tree.Moves[3].Review.After.Chance != 0 {
		t.Errorf("after the mate: %+v", tree.Moves[3].Review.After)
	}
	if len(tree.Moves[2].Variations) != 1 || tree.Moves[2].Comment == "" {
		t.Errorf("the blunder: %+v", tree.Moves[2])
	}
	await(t, "the engine is not free", func() bool { return s.load() == [2]int{} })
}

// TestReviewStops closes the tab of a review while another one has the engine.
func TestReviewStops(t *testing.T) {
	s, h := newServer(t, nil)
	game := gameTree{lineTree: lineTree{Moves: []moveTree{{moveView: moveView{UCI: "e2e4"}}}}}
	received, closeTab := events(t, h, "/api/review", reviewRequest{Game: game, TimeMS: 2000, Threads: 1})
	other, closeOther := events(t, h, "/api/analyze", endless(endgame))
	next(t, received, "progress")
	next(t, other, "analysis")
	closeTab()
	await(t, "the review goes on", func() bool { return s.load() == [2]int{1, 0} })
	closeOther()
	await(t, "the analysis goes on", func() bool { return s.load() == [2]int{} })
}

// TestQueue checks the order of tickets.
func TestQueue(t *testing.T) {
	var q queue
	holder := q.enter(false)
	<-holder.turn
	first, second, urgent, given := q.enter(false), q.enter(false), q.enter(true), q.enter(true)
	q.leave(given)
	for _, want := range []*ticket{urgent, first, second} {
		if waiting, hurry := q.demand(); waiting == 0 || hurry != want.urgent {
			t.Errorf("demand %d, %v", waiting, hurry)
		}
		q.release()
		select {
		case <-want.turn:
		default:
			t.Fatal("the wrong ticket is next")
		}
	}
	q.release()
	if served, waiting := q.state(); served+waiting != 0 {
		t.Errorf("%d served, %d waiting", served, waiting)
	}
}

// TestQueueConcurrently lends to many at once, some of which give up.
func TestQueueConcurrently(t *testing.T) {
	var q queue
	var group sync.WaitGroup
	holders := 0
	for i := range 50 {
		group.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%3 == 0 {
				cancel()
			}
			defer cancel()
			if q.acquire(ctx, i%2 == 0) != nil {
				return
			}
			holders++ // a race unless only one holds
			q.release()
		})
	}
	group.Wait()
	if served, waiting := q.state(); served+waiting != 0 || holders == 0 {
		t.Errorf("%d served, %d waiting, %d holders", served, waiting, holders)
	}
}

// TestBlackToMove expects scores and bounds from White's point of view.
func TestBlackToMove(t *testing.T) {
	game, err := (&gameRequest{FEN: "q3k3/8/8/8/8/8/8/4K3 b - - 0 1"}).replay()
	if err != nil {
		t.Fatal(err)
	}
	a := &analysis{game: game}
	v := a.lineView(&search.Line{Score: chess.Centipawns(900).Score(), Bound: search.LowerBound})
	if v.Score.Text != "-9.00" || v.Bound != "≤" || v.Score.Chance > 0.1 || v.Score.WDL[0] > v.Score.WDL[2] {
		t.Errorf("%+v", v)
	}
}

// TestEnding expects a move for which the engine has no time before the server ends to be
// refused.
func TestEnding(t *testing.T) {
	s, _ := newServer(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	turn := s.engine.enter(false)
	defer s.engine.leave(turn)
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/play", strings.NewReader(`{"move_time_ms": 100}`))
	r.Header.Set("Content-Type", "application/json")
	s.routes.ServeHTTP(w, r)
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), ending) {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}

// TestFollow expects what a move lost to count in its own game, and that of another game
// in between to change nothing.
func TestFollow(t *testing.T) {
	hard := func(other bool) time.Duration {
		s, _ := newServer(t, nil)
		search := func(left time.Duration, moves ...string) time.Duration {
			request := &gameRequest{Moves: moves}
			g, err := request.replay()
			if err != nil {
				t.Fatal(err)
			}
			s.engine.follow(request)
			lim := search.Limits{Depth: 1, Clock: true}
			lim.Time[chess.White] = left
			return s.engine.Search(g.Game, lim, nil).Budget.Hard
		}
		if other {
			search(time.Hour, "d2d4", "d7d5")
		}
		return search(20*time.Second, "e2e4", "e7e5", "g1f3", "b8c6")
	}
	if alone, after := hard(false), hard(true); after < alone*9/10 {
		t.Errorf("after a move in another game %v instead of %v", after, alone)
	}
}

// failingListener fails once a channel is closed.
type failingListener struct {
	net.Listener
	fail chan struct{}
}

var errListener = errors.New("accepting failed")

func (l failingListener) Accept() (net.Conn, error) {
	type accepted struct {
		conn net.Conn
		err  error
	}
	done := make(chan accepted, 1)
	go func() {
		conn, err := l.Listener.Accept()
		done <- accepted{conn, err}
	}()
	select {
	case a := <-done:
		return a.conn, a.err
	case <-l.fail:
		l.Listener.Close()
		return nil, errListener
	}
}

// TestListenerFails expects a server that can accept no more to end its searches first.
func TestListenerFails(t *testing.T) {
	s, _ := newServer(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fail, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), failingListener{listener, fail}) }()
	analyzeAt(t, listener.Addr().String())
	close(fail)
	if err := <-ended; !errors.Is(err, errListener) {
		t.Errorf("error %v, want %v", err, errListener)
	}
	if served, waiting := s.engine.state(); served+waiting > 0 {
		t.Errorf("%d requests have the engine and %d wait", served, waiting)
	}
}

// TestSettings expects the threads, hash and strength that the page asks for.
func TestSettings(t *testing.T) {
	s, h := newServer(t, nil)
	used := func() [2]int { // threads and MiB
		if err := s.engine.acquire(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		defer s.engine.release()
		threads, control := 0, search.NewControl(false)
		limits := search.Limits{Infinite: true, Control: control, CurrLines: 1}
		s.engine.Search(position.NewGame(position.Start()), limits, func(info search.Info) {
			if l, ok := info.(*search.CurrentLines); ok {
				threads = len(l.Lines)
				control.Stop()
			}
		})
		return [2]int{threads, s.engine.hash}
	}
	game := gameTree{lineTree: lineTree{Moves: []moveTree{{moveView: moveView{UCI: "e2e4"}}}}}
	for _, want := range [][2]int{{1, 1}, {2, 2}, {1, 1}} {
		request := endless(endgame)
		request.Threads, request.Hash, request.Depth = want[0], want[1], 2
		received, _ := events(t, h, "/api/analyze", request)
		next(t, received, "done")
		if got := used(); got != want {
			t.Errorf("analysis with %v, want %v", got, want)
		}
		received, _ = events(t, h, "/api/review", reviewRequest{Game: game, TimeMS: 10, Threads: 3 - want[0]})
		next(t, received, "reviewed")
		if got := used(); got != [2]int{3 - want[0], 2} {
			t.Errorf("review with %v", got)
		}
	}
	post[positionView](t, h, "/api/play", `{"elo": 1500}`)
	if err := s.engine.acquire(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	defer s.engine.release()
	if s.engine.elo != 1500 {
		t.Errorf("the strength is %d", s.engine.elo)
	}
	if s.engine.configure(1, 32<<20, 0) == nil {
		t.Error("a hash of 32 TiB")
	}
}
