package search

import (
	"context"
	"runtime"
	"testing"
	"time"

	"skein/chess"
	"skein/position"
)

// TestSetThreadsReleases checks that nothing refers to the workers of threads that
// were removed, after a search that reported what they searched.
func TestSetThreadsReleases(t *testing.T) {
	e := newEngine(t, 4, 1)
	e.Search(newGame(t, position.StartFEN), Limits{Nodes: 500_000, CurrLines: -1}, func(Info) {}) // never
	e.Search(newGame(t, position.StartFEN), Limits{Depth: 5, CurrLines: time.Nanosecond}, func(Info) {})
	released := make(chan int, 3)
	for i, w := range e.run.workers[1:] {
		runtime.AddCleanup(w, func(i int) { released <- i }, i)
	}
	if err := e.SetThreads(1); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		select {
		case <-released:
		case <-time.After(time.Minute):
			t.Fatal("a worker was not released")
		}
	}
}

// TestReportEndsItsGoroutine lets a report end the goroutine that searches, as a failed
// test or a panic does: the other threads end as well, and the engine can search again.
func TestReportEndsItsGoroutine(t *testing.T) {
	e := newEngine(t, 2, 1)
	g := newGame(t, position.StartFEN)
	before := runtime.NumGoroutine()
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Search(g, Limits{Infinite: true, Control: NewControl(false)}, func(Info) { runtime.Goexit() })
	}()
	<-done
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait == 10_000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
	if result := e.Search(g, Limits{Depth: 2}, nil); result.Depth != 2 {
		t.Errorf("depth %d", result.Depth)
	}
}

func TestCheckMemory(t *testing.T) {
	net := newEngine(t, 1, 1).Network()
	if err := checkMemory(1, net); err != nil {
		t.Error(err)
	}
	if err := checkMemory(1<<30, net); err == nil {
		t.Error("there is memory for a billion workers")
	}
}

// TestSearchContext ends a search without limits.
func TestSearchContext(t *testing.T) {
	e := newEngine(t, 2, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	report := OnLine(func(*Line) { cancel() })
	if r := e.SearchContext(ctx, newGame(t, kiwipete), Limits{Infinite: true}, report); r.Best == chess.NoMove {
		t.Error("no move after", r.Elapsed)
	}
	stopped := Limits{Infinite: true, Control: NewControl(false)}
	stopped.Control.Stop()
	if r := e.SearchContext(t.Context(), newGame(t, kiwipete), stopped, nil); r.Best == chess.NoMove {
		t.Error("no move after", r.Elapsed)
	}
}

// TestDepthAskedFor expects no result to be deeper than was asked for, although every
// other thread is a ply ahead.
func TestDepthAskedFor(t *testing.T) {
	e := newEngine(t, 4, 1)
	for depth := 1; depth <= 4; depth++ {
		for range 20 {
			e.NewGame()
			if r := e.Search(newGame(t, kiwipete), Limits{Depth: depth}, nil); r.Depth > depth {
				t.Fatalf("depth %d instead of %d", r.Depth, depth)
			}
		}
	}
}
