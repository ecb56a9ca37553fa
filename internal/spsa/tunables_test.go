//go:build tune

package spsa

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"skein/internal/selfplay"
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

// TestWorkerSides compares pairs of a worker with those of a match that sets the values itself.
func TestWorkerSides(t *testing.T) {
	names, values := []string{"reductionBase"}, [2][]int{nil, {1000}}
	for _, p := range search.Tunables() {
		if p.Name == names[0] {
			values[0] = []int{*p.Value}
		}
	}
	set, err := setter(names)
	if err != nil {
		t.Fatal(err)
	}
	defer set(values[0])
	c := Contest{Config: selfplay.DefaultConfig(), Names: names}
	c.Config.Hash, c.Config.SoftNodes, c.Config.HardNodes, c.Config.Openings.VerifyNodes = 1, 0, 200, 0
	const pairs = 8
	var in, out bytes.Buffer
	requests := json.NewEncoder(&in)
	err = requests.Encode(&c)
	for n := range uint64(pairs) {
		err = errors.Join(err, requests.Encode(&request{n, values}))
	}
	if err := errors.Join(err, Worker(t.Context(), &in, &out)); err != nil {
		t.Fatal(err)
	}
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	m := selfplay.Match{Config: c.Config}
	for i := range m.Contestants {
		m.Contestants[i] = selfplay.Contestant{Net: net, Prepare: func() { set(values[i]) }}
	}
	replies, uneven := json.NewDecoder(&out), 0
	err = m.Run(t.Context(), 0, pairs, 1, func(p *selfplay.Pair) error {
		var want selfplay.Standing
		want.Add(p)
		var got reply
		if err := replies.Decode(&got); err != nil {
			return err
		}
		if got.Standing != want {
			t.Errorf("pair %d: %+v instead of %+v", p.Number, got.Standing, want)
		}
		if want.Wins != want.Losses {
			uneven++
		}
		return nil
	})
	if err != nil || uneven == 0 {
		t.Errorf("%d uneven pairs, %v", uneven, err)
	}
}
