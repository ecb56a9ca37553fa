package search

import (
	"context"
	"runtime"
	"slices"
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
	awaitGoroutines(t, before)
	if result := e.Search(g, Limits{Depth: 2}, nil); result.Depth != 2 {
		t.Errorf("depth %d", result.Depth)
	}
}

// TestReportEndsWithinTree does so while a node searches without the table's move: later
// searches are those of a new engine all the same.
func TestReportEndsWithinTree(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	within := func() bool {
		return slices.ContainsFunc(e.run.workers[0].stack[:], func(f frame) bool { return f.excluded != chess.NoMove })
	}
	for reports := 1; !within(); reports++ {
		if reports > 1000 {
			t.Fatal("no search ended within a singular extension's search")
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			left := reports
			e.Search(g, Limits{Infinite: true, Control: NewControl(false), CurrLines: 1}, func(i Info) {
				if _, ok := i.(*CurrentLines); ok {
					if left--; left == 0 {
						runtime.Goexit()
					}
				}
			})
		}()
		<-done
		e.NewGame()
	}
	nodes := newEngine(t, 1, 1).Search(g, Limits{Depth: 10}, nil).Nodes
	if got := e.Search(g, Limits{Depth: 10}, nil).Nodes; got != nodes {
		t.Errorf("%d nodes, want %d", got, nodes)
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

// TestVote lets threads vote that completed iterations of some depth with some score
// for their moves.
func TestVote(t *testing.T) {
	const e4, d4, c4 = chess.Move(1), chess.Move(2), chess.Move(3)
	type thread struct {
		move      chess.Move
		value     chess.Score
		completed int
	}
	mated := chess.MatedIn(10)
	for name, test := range map[string]struct {
		threads []thread
		want    int
	}{
		"one":                    {[]thread{{e4, 0, 0}}, 0},
		"the deepest of a move":  {[]thread{{e4, 10, 8}, {e4, 10, 9}}, 1},
		"more votes":             {[]thread{{e4, 0, 9}, {d4, 0, 9}, {d4, 0, 9}}, 1},
		"a better score":         {[]thread{{e4, 0, 9}, {e4, 0, 9}, {d4, 200, 9}}, 2},
		"no iteration completed": {[]thread{{e4, 0, 9}, {d4, 500, 0}}, 0},
		"the shortest mate":      {[]thread{{e4, 900, 9}, {e4, -chess.MatedIn(9), 9}, {d4, -chess.MatedIn(7), 5}}, 2},
		"not one that is mated":  {[]thread{{e4, mated, 9}, {e4, mated, 9}, {e4, mated, 9}, {d4, -300, 9}}, 3},
		"nor with other losses":  {[]thread{{e4, mated, 20}, {d4, -900, 9}, {c4, mated, 20}}, 1},
		"all are mated":          {[]thread{{e4, mated, 9}, {d4, mated, 9}, {d4, mated, 9}}, 1},
	} {
		var workers []*worker
		for _, v := range test.threads {
			w := &worker{completed: v.completed, rootMoves: []*rootMove{{}}}
			w.rootMoves[0].move, w.rootMoves[0].value = v.move, v.value
			workers = append(workers, w)
		}
		if got := vote(workers); got != workers[test.want] {
			t.Errorf("%s: thread %d, want %d", name, slices.Index(workers, got), test.want)
		}
	}
}
