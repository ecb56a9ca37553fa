package uciclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

// move returns a legal move of the initial position.
func move(t *testing.T, text string) chess.Move {
	t.Helper()
	p := position.Start()
	m, err := notation.ParseUCI(&p, text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// isExit reports whether err tells of the fault that the fake engine dies of.
func isExit(err error) bool {
	var exit *ExitError
	return errors.As(err, &exit) && exit.State.ExitCode() == 3 && strings.HasSuffix(exit.Stderr, "a fatal fault\n") &&
		strings.Contains(err.Error(), "a fatal fault")
}

// isTimeout reports whether err says that there was no answer to the command.
func isTimeout(err error, command string) bool {
	var timeout *TimeoutError
	return errors.As(err, &timeout) && timeout.Command == command && timeout.Timeout()
}

func TestStartFails(t *testing.T) {
	if _, err := Start(limit(t), "no-such-engine"); err == nil || !strings.Contains(err.Error(), "no-such-engine") {
		t.Error(err)
	}
	if _, err := Start(limit(t), "fake", "dies at uci"); !isExit(err) {
		t.Error(err)
	}
	hurried := Config{Timeout: brief}
	if _, err := hurried.Start(limit(t), exec.Command("fake", "hangs at uci")); !isTimeout(err, "uci") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), brief)
	defer cancel()
	if _, err := Start(ctx, "fake", "hangs at uci"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	checkGoroutines(t)
}

// play searches for a move to depth 1.
func play(e *Engine, ctx context.Context) (Result, error) {
	return e.Play(ctx, Game{}, Limits{Depth: 1})
}

// stopped searches until the first info and returns the error of the result.
func stopped(e *Engine, ctx context.Context) error {
	s, err := e.Search(ctx, Game{}, Limits{Infinite: true})
	if err != nil {
		return err
	}
	for range s.Infos() {
		s.Stop()
	}
	_, err = s.Result()
	return err
}

// TestDeath lets the engine die at each command.
func TestDeath(t *testing.T) {
	for behavior, call := range map[string]func(*Engine, context.Context) error{
		"dies at isready":    (*Engine).Ready,
		"dies at ucinewgame": (*Engine).NewGame,
		"dies at quit":       (*Engine).Quit,
		"dies at stop":       stopped,
		"dies at setoption": func(e *Engine, ctx context.Context) error {
			return cmp.Or(e.SetOption(ctx, "Hash", "2"), e.Ready(ctx))
		},
		"dies at go": func(e *Engine, ctx context.Context) error {
			_, err := play(e, ctx)
			return err
		},
		"dies in a search": func(e *Engine, ctx context.Context) error {
			depth := 0
			for info, err := range e.Analyze(ctx, Game{}, Limits{Depth: 1}) {
				if err != nil && depth == 1 {
					return err
				}
				depth = info.Depth
			}
			return nil
		},
	} {
		t.Run(behavior, func(t *testing.T) {
			e := startFake(t, behavior)
			if err := call(e, limit(t)); !isExit(err) {
				t.Errorf("error %v", err)
			}
			if err := e.Ready(limit(t)); !isExit(err) {
				t.Errorf("error of Ready %v", err)
			}
			if _, err := play(e, limit(t)); !isExit(err) {
				t.Errorf("error of Play %v", err)
			}
			if err := e.Quit(limit(t)); !isExit(err) {
				t.Errorf("error of Quit %v", err)
			}
		})
	}
}

// TestExitErrorCut cuts a long text between characters.
func TestExitErrorCut(t *testing.T) {
	err := &ExitError{Stderr: strings.Repeat("é", 300) + "!"}
	if text := err.Error(); !utf8.ValidString(text) || !strings.HasSuffix(text, "éé!") || len(text) > 600 {
		t.Errorf("%q", text)
	}
}

// TestKilled lets the engine be killed from outside.
func TestKilled(t *testing.T) {
	e := startFake(t, "")
	s, err := e.Search(limit(t), Game{}, Limits{Infinite: true})
	if err != nil {
		t.Fatal(err)
	}
	e.process.Kill()
	var exit *ExitError
	if _, err := s.Result(); !errors.As(err, &exit) || exit.State.Success() {
		t.Error(err)
	}
	if err := e.Quit(limit(t)); !errors.As(err, &exit) {
		t.Error(err)
	}
}

// TestHang lets the engine hang at each command that it has to answer.
func TestHang(t *testing.T) {
	for command, call := range map[string]func(*Engine, context.Context) error{
		"isready": (*Engine).Ready,
		"stop":    stopped,
	} {
		t.Run(command, func(t *testing.T) {
			e := startFake(t, "hangs at "+command)
			e.config.Timeout = brief
			if err := call(e, limit(t)); !isTimeout(err, command) {
				t.Errorf("error %v", err)
			}
			e.config.Timeout = patience
			ctx, cancel := context.WithTimeout(context.Background(), brief)
			defer cancel()
			if err := call(e, ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want that of the context", err)
			}
		})
	}
}

// TestDroppedReady lets the engine ignore one isready and answer later ones.
func TestDroppedReady(t *testing.T) {
	t.Run("timeout", func(t *testing.T) {
		e := startFake(t, "drops one isready")
		e.config.Timeout = brief
		if err := e.Ready(limit(t)); !isTimeout(err, "isready") {
			t.Errorf("first call: %v", err)
		}
		e.config.Timeout = patience
		if err := e.Ready(limit(t)); err != nil {
			t.Errorf("second call: %v", err)
		}
	})
	t.Run("context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(limit(t))
		config := Config{Log: func(m Message) {
			if m.Line == "readyok" {
				cancel() // the second call, which takes this for a late answer to the first
			}
		}}
		e, err := config.Start(limit(t), exec.Command("fake", "drops one isready"))
		if err != nil {
			t.Fatal(err)
		}
		defer e.Kill()
		hurried, cancelFirst := context.WithTimeout(limit(t), brief)
		defer cancelFirst()
		if err := e.Ready(hurried); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("first call: %v", err)
		}
		if err := e.Ready(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("second call: %v", err)
		}
		if err := e.Ready(limit(t)); err != nil {
			t.Errorf("third call: %v", err)
		}
	})
}

// TestGivenUpReady gives up a call when the engine has just answered the one before, which
// nobody had given up. The engine answers it, too, and that is no answer to a later call.
func TestGivenUpReady(t *testing.T) {
	ctx, cancel := context.WithCancel(limit(t))
	sent, givenUp := make(chan struct{}, 10), make(chan struct{})
	config := Config{Log: func(m Message) {
		if m.Line == "isready" {
			sent <- struct{}{}
		}
		if m.Line == "readyok" && ctx.Err() == nil {
			cancel()
			<-givenUp
		}
	}}
	e, err := config.Start(limit(t), exec.Command("fake", "answers the first two isready at once"))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Kill()
	first := make(chan error, 1)
	go func() { first <- e.Ready(limit(t)) }()
	<-sent
	if err := e.Ready(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the call given up: %v", err)
	}
	close(givenUp)
	if err := errors.Join(<-first, e.Ready(limit(t)), e.Quit(limit(t))); err != nil {
		t.Error(err)
	}
	if n := e.Ignored(); n != 0 {
		t.Errorf("%d answers were not expected", n)
	}
}

// TestDroppedStop lets the engine ignore one stop: it is told again when a call that
// waits for the answer gives up.
func TestDroppedStop(t *testing.T) {
	for name, giveUp := range map[string]func(*testing.T, *Engine){
		"stop": func(t *testing.T, e *Engine) {
			e.config.Timeout = brief
			if err := stopped(e, limit(t)); !isTimeout(err, "stop") {
				t.Errorf("stop: %v", err)
			}
		},
		"next search": func(t *testing.T, e *Engine) {
			for range e.Analyze(limit(t), Game{}, Limits{Infinite: true}) {
				break
			}
			e.config.Timeout = brief
			if _, err := play(e, limit(t)); !isTimeout(err, "stop") {
				t.Errorf("next search: %v", err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := startFake(t, "drops one stop")
			giveUp(t, e)
			e.config.Timeout = patience
			if r, err := play(e, limit(t)); r.Best != move(t, "e2e4") || err != nil {
				t.Errorf("a later search: %v, %v", r.Best, err)
			}
		})
	}
}

// TestHangInSearch lets the engine never answer a go.
func TestHangInSearch(t *testing.T) {
	e := startFake(t, "hangs at go")
	cause := errors.New("no patience")
	ctx, cancel := context.WithTimeoutCause(context.Background(), brief, cause)
	defer cancel()
	if _, err := play(e, ctx); err != cause {
		t.Errorf("first search: %v", err)
	}
	e.config.Timeout = brief
	for name, err := range map[string]error{
		"next search": second(play(e, limit(t))),
		"SetOption":   e.SetOption(limit(t), "Hash", "2"),
		"NewGame":     e.NewGame(limit(t)),
	} {
		if !isTimeout(err, "stop") {
			t.Errorf("%s: %v", name, err)
		}
	}
	e.config.Timeout = patience
	if err := e.Ready(limit(t)); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

func second(_ Result, err error) error { return err }

func TestHangAtQuit(t *testing.T) {
	e := startFake(t, "hangs at quit")
	e.config.Grace = brief
	if err := e.Quit(limit(t)); !isTimeout(err, "quit") || !strings.Contains(err.Error(), "killed") {
		t.Error(err)
	}
	e = startFake(t, "hangs at quit")
	ctx, cancel := context.WithCancel(limit(t))
	cancel()
	if err := e.Quit(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "killed") {
		t.Error(err)
	}
}

// TestAfterQuit checks that a call while another waits for the end of the engine ends
// with its context.
func TestAfterQuit(t *testing.T) {
	e := startFake(t, "hangs at quit")
	var quitting sync.WaitGroup
	defer quitting.Wait()
	quit, kill := context.WithCancel(limit(t))
	defer kill()
	quitting.Go(func() { e.Quit(quit) })
	for e.process.Send("d") == nil { // until Quit has closed the input
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(limit(t), brief)
	defer cancel()
	if err := e.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestClosedOutput(t *testing.T) {
	e := startFake(t, "closes its output")
	e.config.Grace = brief
	var exit *ExitError
	if _, err := play(e, limit(t)); !errors.As(err, &exit) {
		t.Error(err)
	}
}

// TestLateAnswer checks that the answer to a search that was given up, which comes
// late, is not taken for that of the next one.
func TestLateAnswer(t *testing.T) {
	for name, giveUp := range map[string]func(*testing.T, *Engine){
		"context": func(t *testing.T, e *Engine) {
			ctx, cancel := context.WithTimeout(context.Background(), brief)
			defer cancel()
			if _, err := e.Play(ctx, Game{}, Limits{Infinite: true}); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		},
		"loop": func(t *testing.T, e *Engine) {
			for _, err := range e.Analyze(limit(t), Game{}, Limits{Infinite: true}) {
				if err != nil {
					t.Error(err)
				}
				break
			}
		},
		"timeout": func(t *testing.T, e *Engine) {
			e.config.Timeout = brief
			if err := stopped(e, limit(t)); !isTimeout(err, "stop") {
				t.Error(err)
			}
			e.config.Timeout = patience
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := startFake(t, "answers late")
			for range 2 {
				giveUp(t, e)
				ready := make(chan error)
				go func() { ready <- e.Ready(limit(t)) }()
				s, err := e.Search(limit(t), Game{}, Limits{Depth: 1})
				if err := errors.Join(err, <-ready); err != nil {
					t.Fatal(err)
				}
				for info := range s.Infos() {
					if info.Depth != 1 {
						t.Errorf("an info of the search before: %+v", info)
					}
				}
				if r, err := s.Result(); r.Best != move(t, "e2e4") || err != nil {
					t.Errorf("%v, %v", r.Best, err)
				}
			}
			if n := e.Ignored(); n > 0 {
				t.Errorf("%d lines were ignored", n)
			}
		})
	}
}

// TestTurns searches and sets options at the same time: what must not come during a
// search is refused or waits.
func TestTurns(t *testing.T) {
	e := startFake(t, "dies if disturbed")
	ctx := limit(t)
	calls := []func() error{
		func() error { return stopped(e, ctx) },
		func() error { return e.SetOption(ctx, "Hash", "2") },
		func() error { return e.NewGame(ctx) },
	}
	var done [3]atomic.Int64
	var group sync.WaitGroup
	for n := range 12 {
		group.Go(func() {
			for done[n%3].Load() < 100 {
				err := calls[n%3]()
				if err == nil {
					done[n%3].Add(1)
				} else if err != ErrSearching {
					t.Error(err)
					return
				}
				time.Sleep(time.Microsecond) // lets the engine run on a busy machine
			}
		})
	}
	group.Wait()
}

// TestSecondAnswer checks that a second answer to stop is not taken for that of the
// next search.
func TestSecondAnswer(t *testing.T) {
	e := startFake(t, "answers twice")
	for n := range 3 {
		if err := stopped(e, limit(t)); err != nil {
			t.Fatal(err)
		}
		if r, err := play(e, limit(t)); r.Best != move(t, "e2e4") || err != nil {
			t.Errorf("%v, %v", r.Best, err)
		}
		if e.Ignored() != n+1 {
			t.Errorf("%d lines were ignored after %d searches", e.Ignored(), n+1)
		}
	}
}

// TestScoreWithoutLine checks that a result has the score of a search that reports no
// line, as some do where the game is over.
func TestScoreWithoutLine(t *testing.T) {
	r, err := play(startFake(t, "reports no line"), limit(t))
	if err != nil || r.Info.Score.Value != 20 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestGarbage checks that what an engine should not write is ignored and reported.
func TestGarbage(t *testing.T) {
	var reasons []string // read after the end of the engine
	config := Config{Log: func(m Message) {
		if m.Err != nil {
			reasons = append(reasons, fmt.Sprintf("%.15q: %v", m.Line, m.Err))
		}
	}}
	e, err := config.Start(limit(t), exec.Command("fake", "prints garbage"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := play(e, limit(t))
	if err != nil || r.Best != move(t, "e2e4") || r.Ponder != chess.NoMove {
		t.Errorf("%v, %v", r, err)
	}
	want := Info{Fields: FieldPV | FieldScore, PV: []chess.Move{move(t, "e2e4")}, Score: Score{Value: 7}}
	if !reflect.DeepEqual(r.Info, want) {
		t.Errorf("info %+v, want %+v", r.Info, want)
	}
	if err := errors.Join(e.Ready(limit(t)), e.Quit(limit(t))); err != nil {
		t.Error(err)
	}
	wantReasons := []string{
		`"": longer than a mebibyte`,
		`"\x00\xff\xfe": unknown`,
		`"bestmov e2e4": unknown`,
		`"readyok": unexpected`,
		`"uciok": unexpected`,
		`"id name Other": after uciok`,
		`"option name Oth": after uciok`,
		`"info depth -1 n": depth: -1 is out of range`,
		`"bestmove e2e4 p": move "e2e4": illegal: e2 is empty`,
		`"bestmove d2d4": no search is running`,
	}
	if !slices.Equal(reasons, wantReasons) || e.Ignored() != len(reasons) {
		t.Errorf("%d lines were ignored:\n%s\nwant\n%s", e.Ignored(), strings.Join(reasons, "\n"),
			strings.Join(wantReasons, "\n"))
	}
	if e.Name() != "Fake 1.0" || e.Author() != "nobody in particular" {
		t.Errorf("name %q, author %q", e.Name(), e.Author())
	}
	checkGoroutines(t)
}

// TestInvalidAnswers checks that an invalid bestmove is an error, and that the next
// search is possible.
func TestInvalidAnswers(t *testing.T) {
	for behavior, want := range map[string]string{
		"plays an illegal move": `move "e2e5": illegal`,
		"plays nothing":         "the move is missing",
		"plays none":            "there are legal moves",
	} {
		t.Run(behavior, func(t *testing.T) {
			e := startFake(t, behavior)
			for range 2 {
				r, err := play(e, limit(t))
				if err == nil || !strings.Contains(err.Error(), want) || r.Best != chess.NoMove {
					t.Errorf("%v, %v", r.Best, err)
				}
			}
		})
	}
}

// TestUnreadInfos checks that infos that nobody reads do not block the engine.
func TestUnreadInfos(t *testing.T) {
	e := startFake(t, "prints a lot")
	s, err := e.Search(limit(t), Game{}, Limits{Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Result(); err != nil {
		t.Error(err)
	}
	next := int64(9 * maxInfos)
	for info := range s.Infos() {
		if info.Nodes != next {
			t.Fatalf("info %d, want %d", info.Nodes, next)
		}
		next++
	}
	if next != 10*maxInfos || s.Dropped() != 9*maxInfos {
		t.Errorf("the last info is %d, %d were dropped", next-1, s.Dropped())
	}
}

// TestLongLines checks that only so many bytes of infos wait to be read.
func TestLongLines(t *testing.T) {
	e := startFake(t, "prints long lines")
	s, err := e.Search(limit(t), Game{}, Limits{Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Result(); err != nil {
		t.Error(err)
	}
	waiting := 0
	for range s.Infos() {
		waiting++
	}
	if want := maxWaiting / len(longLine); waiting != want || s.Dropped() != longLines-want {
		t.Errorf("%d infos waited and %d were dropped", waiting, s.Dropped())
	}
}

func TestPonder(t *testing.T) {
	e := startFake(t, "")
	s, err := e.Search(limit(t), Game{}, Limits{Ponder: true, MoveTime: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := play(e, limit(t)); err != ErrSearching {
		t.Errorf("a second search: %v", err)
	}
	if err := e.SetOption(limit(t), "Hash", "2"); err != ErrSearching {
		t.Errorf("an option during a search: %v", err)
	}
	if err := e.Ready(limit(t)); err != nil {
		t.Error(err)
	}
	s.PonderHit()
	s.PonderHit()
	if r, err := s.Result(); r.Best != move(t, "a2a3") || r.Ponder == chess.NoMove || err != nil {
		t.Errorf("%v, %v", r, err)
	}
	s.Stop()
	if r, err := play(e, limit(t)); r.Best != move(t, "e2e4") || err != nil {
		t.Errorf("next search: %v, %v", r, err)
	}
	if err := e.Quit(limit(t)); err != nil {
		t.Error(err)
	}
}

// TestTwoReaders expects infos to reach all who wait for them: one wake-up for two infos
// must wake both readers.
func TestTwoReaders(t *testing.T) {
	s := &Search{engine: &Engine{}, over: make(chan struct{}), more: make(chan struct{}, 1)}
	defer close(s.over)
	var both sync.WaitGroup
	both.Add(2)
	got := make(chan Info, 2)
	for range 2 {
		go func() {
			for info := range s.Infos() {
				got <- info
				both.Done()
				both.Wait() // until the other one has an info, too
				return
			}
		}()
	}
	time.Sleep(brief) // both wait
	s.engine.mu.Lock()
	s.infos = append(s.infos, waitingInfo{Info: Info{Depth: 1}}, waitingInfo{Info: Info{Depth: 2}})
	s.wake()
	s.engine.mu.Unlock()
	for range 2 {
		select {
		case <-got:
		case <-time.After(patience):
			t.Fatal("an info waits, and so does a reader")
		}
	}
}
