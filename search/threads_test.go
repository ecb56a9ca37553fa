package search

import (
	"runtime"
	"testing"
	"time"

	"skein/position"
)

// TestSetThreadsReleases checks that nothing refers to the workers of threads that
// were removed, after a search that reported what they searched.
func TestSetThreadsReleases(t *testing.T) {
	e := newEngine(t, 4, 1)
	e.Search(newGame(t, position.StartFEN), Limits{Depth: 5, CurrLines: time.Nanosecond}, func(Info) {})
	released := make(chan int, 3)
	for i, w := range e.workers[1:] {
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

func TestCheckMemory(t *testing.T) {
	if err := checkMemory(1); err != nil {
		t.Error(err)
	}
	if err := checkMemory(1 << 30); err == nil {
		t.Error("there is memory for a billion workers")
	}
}
