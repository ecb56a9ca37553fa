package selfplay

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"skein/internal/record"
	"skein/nnue"
	"skein/position"
	"skein/rules"
)

// pairsOf plays a match and returns its pairs by start position.
func pairsOf(t *testing.T, m *Match, n, workers int) (map[position.Position]Pair, Standing) {
	t.Helper()
	pairs := map[position.Position]Pair{}
	var s Standing
	next := uint64(0)
	err := m.Run(t.Context(), 0, n, workers, func(p *Pair) error {
		if p.Number != next {
			t.Errorf("pair %d instead of %d", p.Number, next)
		}
		next++
		if p.Games[0].Start != p.Games[1].Start {
			t.Error("the games of a pair start from different positions")
		}
		pairs[p.Games[0].Start] = *p
		s.Add(p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pairs, s
}

// TestMatchOfEquals plays a network against itself: both games of a pair must
// be the same.
func TestMatchOfEquals(t *testing.T) {
	net := network(t)
	var prepared [2]atomic.Int64
	m := Match{Config: quick(), Contestants: [2]Contestant{
		{Net: net, Prepare: func() { prepared[0].Add(1) }}, {Net: net, Prepare: func() { prepared[1].Add(1) }},
	}}
	m.Config.Openings.VerifyNodes = 0
	pairs, s := pairsOf(t, &m, 6, 1)
	var moves [2]int64
	for _, p := range pairs {
		if !reflect.DeepEqual(p.Games[0], p.Games[1]) {
			t.Error("the games of a pair differ")
		}
		if p.Nodes[0]+p.Nodes[1] == 0 || p.Nodes[0] != p.Nodes[1] ||
			p.Moves[0]+p.Moves[1] != int64(2*len(p.Games[0].Plies)) {
			t.Errorf("%v nodes and %v moves in two games of %d plies", p.Nodes, p.Moves, len(p.Games[0].Plies))
		}
		moves[0] += p.Moves[0]
		moves[1] += p.Moves[1]
	}
	player, err := NewPlayer(net, &m.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	for number := range uint64(6) {
		start, _, err := player.Start(t.Context(), number)
		if _, ok := pairs[start]; ok || err != nil {
			t.Errorf("a pair starts like game %d of self-play, or %v", number, err)
		}
	}
	if s.Pentanomial != [5]int64{2: 6} || s.Games() != 12 || s.Wins != s.Losses {
		t.Errorf("%+v", s)
	}
	for i := range prepared {
		if prepared[i].Load() != moves[i] {
			t.Errorf("contestant %d was prepared %d times for %d moves", i, prepared[i].Load(), moves[i])
		}
	}
	again, s2 := pairsOf(t, &m, 6, 3)
	if !reflect.DeepEqual(pairs, again) || s != s2 {
		t.Error("three workers play different games than one")
	}
}

// TestMatchOfUnequals plays a network with piece values against one with zero
// weights.
func TestMatchOfUnequals(t *testing.T) {
	ignorant, err := nnue.New(nnue.NewParameters(network(t).Architecture()))
	if err != nil {
		t.Fatal(err)
	}
	m := Match{Config: quick(), Contestants: [2]Contestant{{Net: ignorant}, {Net: network(t)}}}
	m.Config.Openings.VerifyNodes = 0
	_, s := pairsOf(t, &m, 4, 2)
	if mean, _ := s.Score(); mean > 0.2 {
		t.Errorf("zero weights: %+v", s)
	}
	m.Contestants[0], m.Contestants[1] = m.Contestants[1], m.Contestants[0]
	if _, s := pairsOf(t, &m, 4, 2); s.Wins < 6 {
		t.Errorf("piece values: %+v", s)
	}
}

// TestMatchLimited plays limited strength against full strength.
func TestMatchLimited(t *testing.T) {
	m := Match{Config: quick(), Contestants: [2]Contestant{{Net: network(t), Elo: 600}, {Net: network(t)}}}
	m.Config.Openings.VerifyNodes = 0
	_, s := pairsOf(t, &m, 4, 2)
	if mean, _ := s.Score(); mean > 0.2 {
		t.Errorf("limited to 600: %+v", s)
	}
}

func TestMatchBook(t *testing.T) {
	m := Match{Config: quick(), Contestants: [2]Contestant{{Net: network(t)}, {Net: network(t)}}}
	for _, fen := range []string{
		"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/3pp3/8/8/8/8/3PP3/4K3 b - - 0 1",
		"4k3/p7/8/8/8/8/7P/4K3 b - - 0 1",
	} {
		m.Config.Openings.Book = append(m.Config.Openings.Book, parse(t, fen))
	}
	pairs, _ := pairsOf(t, &m, 3, 2)
	for _, p := range m.Config.Openings.Book {
		if _, ok := pairs[p]; !ok {
			t.Errorf("no pair started from %s", p.FEN())
		}
	}
	if err := m.Run(t.Context(), 0, 4, 1, nil); err == nil || !strings.Contains(err.Error(), "there are only 3") {
		t.Error("more pairs than openings:", err)
	}
}

// TestMatchBookOnce shuffles a large book for the first pair only.
func TestMatchBookOnce(t *testing.T) {
	m := Match{Config: quick(), Contestants: [2]Contestant{{Net: network(t)}, {Net: network(t)}}}
	m.Config.Openings.Book = slices.Repeat([]position.Position{parse(t, "4k3/8/8/8/8/8/8/4KR2 w - - 0 1")}, 1<<17)
	allocated := func(number uint64) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := m.Run(t.Context(), number, 1, 1, func(*Pair) error { return nil }); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(0)
	size := uint64(len(m.Config.Openings.Book)) * uint64(unsafe.Sizeof(position.Position{}))
	if n := allocated(1); n > size {
		t.Errorf("the second pair allocates %d bytes with a book of %d", n, size)
	}
}

// TestMatchStops ends matches of as many pairs as there can be, after the first.
func TestMatchStops(t *testing.T) {
	m := Match{Config: quick(), Contestants: [2]Contestant{{Net: network(t)}, {Net: network(t)}}}
	failure, n := errors.New("disk full"), 0
	fail := func(*Pair) error { n++; return failure }
	if err := m.Run(t.Context(), 0, math.MaxInt, 2, fail); !errors.Is(err, failure) || n != 1 {
		t.Error(n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := m.Run(ctx, 0, math.MaxInt, 2, func(*Pair) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	m.Config.Hash = 0
	if m.Run(t.Context(), 0, 1, 1, nil) == nil {
		t.Error("bad settings accepted")
	}
}

func TestStanding(t *testing.T) {
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 0.01 }
	for _, test := range []struct {
		pairs               [5]int64
		elo, margin, chance float64
	}{
		{[5]int64{}, 0, math.Inf(1), 0.5},
		// Equal pairs say nothing of the spread; the chance is 1 - 2^-(pairs+1).
		{[5]int64{3: 1}, 190.85, math.Inf(1), 0.75},
		{[5]int64{3: 2}, 190.85, math.Inf(1), 0.875},
		{[5]int64{1: 2}, -190.85, math.Inf(1), 0.125},
		{[5]int64{2: 7}, 0, math.Inf(1), 0.5},
		{[5]int64{4: 7}, math.Inf(1), math.Inf(1), 0.996},
		{[5]int64{0: 7}, math.Inf(-1), math.Inf(1), 0.004},
		// Mean 0.55, variance 0.0225, so deviation 0.04743 with 10 pairs.
		{[5]int64{0, 1, 6, 3, 0}, 34.86, 66.06, 0.854},
	} {
		s := Standing{Pentanomial: test.pairs}
		elo, margin := s.Elo()
		if !near(elo, test.elo) || !near(margin, test.margin) || math.Abs(s.LOS()-test.chance) > 0.001 {
			t.Errorf("%v: Elo %.2f ± %.2f, LOS %.4f", test.pairs, elo, margin, s.LOS())
		}
	}
	var s Standing
	s.Add(&Pair{Games: [2]record.Game{{Result: rules.WhiteWins}, {Result: rules.WhiteWins}}, Points: 2})
	s.Add(&Pair{Games: [2]record.Game{{Result: rules.Draw}, {Result: rules.BlackWins}}, Points: 3})
	want := Standing{2, 1, 1, [5]int64{2: 1, 3: 1}}
	if s != want {
		t.Error(s)
	}
	s.Join(&want)
	if (s != Standing{4, 2, 2, [5]int64{2: 2, 3: 2}}) {
		t.Error("twice:", s)
	}
}

// TestLLR compares with values computed by hand: with scores of a and b expected at
// the bounds, (b-a)(2 mean-a-b) / (2 deviation²).
func TestLLR(t *testing.T) {
	for _, test := range []struct {
		pairs     [5]int64
		low, high float64
		want      float64
	}{
		{[5]int64{}, 0, 5, 0},
		{[5]int64{2: 50}, 0, 5, -0.228},
		{[5]int64{2: 200}, 0, 5, -3.397},
		{[5]int64{4: 50}, 0, 5, 10.325},
		{[5]int64{0, 100, 300, 100, 0}, 0, 5, -0.510},
		{[5]int64{0, 100, 300, 200, 0}, 0, 10, 9.938},
		{[5]int64{0, 200, 300, 100, 0}, -10, 0, -9.938},
	} {
		s := Standing{Pentanomial: test.pairs}
		if got := s.LLR(test.low, test.high); math.Abs(got-test.want) > 0.01 {
			t.Errorf("%v, %g to %g: %.3f instead of %.3f", test.pairs, test.low, test.high, got, test.want)
		}
	}
}
