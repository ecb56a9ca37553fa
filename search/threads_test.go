package search

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"skein/chess"
	"skein/nnue"
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

// TestVoteCounts expects the line of the thread that searched deepest at the end.
func TestVoteCounts(t *testing.T) {
	e := newEngine(t, 2, 1)
	lines := 0
	e.Search(newGame(t, "7k/8/8/8/8/8/1r6/K6r w - - 0 1"), Limits{Depth: 1}, OnLine(func(*Line) {
		if lines++; lines == 1 {
			e.run.helpers.Wait()
		}
	}))
	if lines != 2 {
		t.Errorf("%d lines, want that of the first thread and that of the other", lines)
	}
}

// TestHelpersAhead expects every other thread to search a ply deeper.
func TestHelpersAhead(t *testing.T) {
	e := newEngine(t, 3, 1)
	e.run.begin(newGame(t, kiwipete), Limits{Depth: 1}, nil, &e.tablebase)
	for i, want := range []int{1, 2, 1} {
		w := e.run.workers[i]
		if e.run.iterate(w); w.completed != want {
			t.Errorf("thread %d: depth %d, want %d", i, w.completed, want)
		}
	}
}

// TestThreadEndsSearch expects any thread to end a search whose time or nodes are used up,
// unless it ponders.
func TestThreadEndsSearch(t *testing.T) {
	for end, lim := range map[End]Limits{
		HardTime:  {MoveTime: time.Second, Start: time.Now().Add(-time.Hour)},
		NodesUsed: {Nodes: 1000},
	} {
		e := newEngine(t, 2, 1)
		lim.Control = NewControl(true)
		e.run.begin(newGame(t, kiwipete), lim, nil, &e.tablebase)
		w := e.run.workers[1]
		w.nodes = 1024
		for _, want := range []End{0, end} {
			w.poll(0)
			if got := End(e.run.halt.Load()); got != want {
				t.Errorf("%v, want %v", got, want)
			}
			lim.Control.PonderHit()
		}
	}
}

// TestHelpersForget expects the histories of a helper to be those of a new one after NewGame.
func TestHelpersForget(t *testing.T) {
	e, fresh := newEngine(t, 2, 1), newEngine(t, 2, 1)
	helper, want := e.run.workers[1], &fresh.run.workers[1].quiet
	e.run.begin(newGame(t, kiwipete), Limits{Depth: 6}, nil, &e.tablebase)
	e.run.iterate(helper)
	learned := helper.quiet != *want
	if e.NewGame(); !learned || helper.quiet != *want {
		t.Errorf("learned: %t; not forgotten: %t", learned, helper.quiet != *want)
	}
	if *want == fresh.run.workers[0].quiet {
		t.Error("a helper begins like the first thread")
	}
}

// TestSetNetwork expects all threads, those added later and the evaluation to use another
// network.
func TestSetNetwork(t *testing.T) {
	e := newEngine(t, 2, 1)
	a := e.Network().Architecture()
	a.Width = 64
	blank, err := nnue.New(nnue.NewParameters(a)) // says 0 of every position
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.SetNetwork(blank), e.SetThreads(3)); err != nil {
		t.Fatal(err)
	}
	p := newGame(t, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1").Pos
	if v := e.Evaluate(&p); v != 0 {
		t.Errorf("evaluated as %d", v)
	}
	for i, w := range e.run.workers {
		w.acc.Reset(&p)
		if v := w.acc.Evaluate(&p); v != 0 {
			t.Errorf("thread %d: %d", i, v)
		}
	}
}
