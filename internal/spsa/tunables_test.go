//go:build tune

package spsa

import (
	"testing"

	"skein/nets"
	"skein/position"
	"skein/search"
)

// TestSetter checks that parameters affect the search and can be restored.
func TestSetter(t *testing.T) {
	set, err := setter([]string{"reductionBase", "futilityBase"})
	if err != nil {
		t.Fatal(err)
	}
	var before []int
	for _, name := range []string{"reductionBase", "futilityBase"} {
		for _, p := range search.Tunables() {
			if p.Name == name {
				before = append(before, *p.Value)
			}
		}
	}
	e := smallEngine(t)
	nodes := func(values []int) uint64 {
		set(values)
		e.NewGame()
		return e.Search(position.NewGame(position.Start()), search.Limits{Depth: 10}, nil).Nodes
	}
	a, b, again := nodes(before), nodes([]int{1500, 40}), nodes(before)
	if a == b || a != again {
		t.Errorf("%d nodes, then %d, then %d", a, b, again)
	}
	if _, err := setter([]string{"gravity"}); err == nil {
		t.Error("an unknown parameter was accepted")
	}
}

// TestRetune switches a parameter between values, as the two sides of a game do.
func TestRetune(t *testing.T) {
	set, err := setter([]string{"reductionBase"})
	if err != nil {
		t.Fatal(err)
	}
	var before int
	for _, p := range search.Tunables() {
		if p.Name == "reductionBase" {
			before = *p.Value
		}
	}
	defer set([]int{before})
	depth := func(v int) uint64 {
		set([]int{v})
		e := smallEngine(t)
		return e.Search(position.NewGame(position.Start()), search.Limits{Depth: 7}, nil).Nodes
	}
	want := map[int]uint64{}
	for i := range 60 { // more values than are cached
		v := 400 + 40*(i%30)
		if n := depth(v); i < 30 {
			want[v] = n
		} else if n != want[v] {
			t.Errorf("base %d: %d nodes, want %d", v, n, want[v])
		}
	}
	if want[400] == want[1560] {
		t.Error("the base has no effect")
	}
}

// smallEngine returns an engine of one thread with the embedded network.
func smallEngine(t *testing.T) *search.Engine {
	t.Helper()
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.New(net, search.Options{Threads: 1, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}
