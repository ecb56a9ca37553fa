package nnue

import (
	"math/rand/v2"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

// smallNetwork returns a network of two king buckets with random weights, with
// or without a head.
func smallNetwork(t *testing.T, head bool) *Network {
	t.Helper()
	a := Architecture{Width: 64, KingBuckets: 2, OutputBuckets: 1, Scale: 400}
	for i := range a.KingMap {
		a.KingMap[i] = uint8(i / 16)
	}
	if head {
		a.Layers = [2]int{16, 32}
	}
	p := NewParameters(a)
	r := rand.New(rand.NewPCG(7, 8))
	for i := range p.FeatureWeights {
		p.FeatureWeights[i] = int16(1 + r.IntN(50))
	}
	net, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	// Rows of two more tables, for faults that refer to them.
	net.p.FeatureWeights = append(net.p.FeatureWeights, make([]int16, 2*Features*a.Width)...)
	return net
}

// line returns a stack after a line of two moves, and the position there.
func line(t *testing.T, net *Network) (*Stack, *position.Position) {
	t.Helper()
	p := position.Start()
	s := NewStack(net, 4)
	s.Reset(&p)
	for _, m := range []chess.Move{chess.NewMove(12, 28), chess.NewMove(57, 42)} { // e2e4 b8c6
		before := p
		before.Do(m, &p, s.Push())
	}
	return s, &p
}

// accumulatorFaults damage the state from which the value at the end of the
// line is computed.
var accumulatorFaults = []struct {
	name   string
	damage func(*Stack)
	want   string
}{
	{"white's neuron 9", func(s *Stack) { s.at(0, chess.White)[9]++ }, "accumulator of white: neuron 9: "},
	{"black's last neuron", func(s *Stack) { s.at(0, chess.Black)[63] = -1 }, "accumulator of black: neuron 63: "},
	{"a move that adds elsewhere", func(s *Stack) { s.frames[1].delta.Added[0].Square = 20 }, "accumulator of white"},
	{"a move that adds another piece", func(s *Stack) { s.frames[2].delta.Added[0].Piece-- }, "accumulator of white"},
	{"a frame thought ready", func(s *Stack) { s.frames[1].ready[chess.Black] = true }, "accumulator of black"},
	{"a move forgotten", func(s *Stack) { s.Pop() }, "accumulator of white"},
	{"a bucket that does not exist", func(s *Stack) { s.net.p.KingMap[3] = 3 }, "in bucket 3 of 2"},
}

// check updates the accumulators of p and compares them with refreshed ones.
func check(s *Stack, p *position.Position) error {
	s.update(p)
	return s.validate(p, make([]int16, s.net.p.Width))
}

// TestValidate damages accumulators, moves and the king map, and expects errors
// that name them.
func TestValidate(t *testing.T) {
	for _, head := range []bool{false, true} {
		for _, fault := range accumulatorFaults {
			s, p := line(t, smallNetwork(t, head))
			if err := check(s, p); err != nil {
				t.Fatalf("undamaged: %v", err)
			}
			s, p = line(t, s.net)
			fault.damage(s)
			if err := check(s, p); err == nil || !strings.Contains(err.Error(), fault.want) ||
				!strings.Contains(err.Error(), p.FEN()) {
				t.Errorf("%s: error %v, want %q", fault.name, err, fault.want)
			}
		}
	}
}

// TestValidateView checks views with the wrong king square, mirroring, side or
// bucket.
func TestValidateView(t *testing.T) {
	a := &smallNetwork(t, false).p
	for _, test := range []struct {
		name string
		view View
		king chess.Square
		want string // "" for no error
	}{
		{"on a file of its own half", a.View(chess.White, chess.B1), chess.B1, ""},
		{"mirrored", a.View(chess.Black, chess.G8), chess.G8, ""},
		{"not mirrored", a.View(chess.White, chess.B1), chess.G1, "king on g1 is seen on g1"},
		{"mirrored needlessly", a.View(chess.White, chess.G1), chess.B1, "king on b1 is seen on g1"},
		{"from the other side", View{chess.Black, 0, 0}, chess.A8, "king on a8 is seen on a8"},
		{"another bucket", a.View(chess.White, chess.A1), 32, "features start at 0, in bucket 1 of 2"},
	} {
		err := a.validateView(test.view, test.king)
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
