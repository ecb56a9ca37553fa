package nnue_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"skein/chess"
	"skein/movegen"
	"skein/nets"
	"skein/nnue"
	"skein/position"
)

// starts are the start positions of random walks.
var starts = []string{
	position.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", // Chess960
	"nrk2bbr/pppppppp/8/8/8/8/PPPPPPPP/NRK2BBR w HBhb - 0 1",
	"rkr1bnqb/pppppppp/8/8/8/8/PPPPPPPP/1BRNQK1R w HCca - 0 1", // double Fischer random
	"1rk1r3/8/8/8/8/8/8/R4K1R w HAeb - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", // promotions
	"4k3/2p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
	"8/3k4/8/8/2q5/8/3K1Q2/8 b - - 0 1", // kings next to the mirror line
}

// event is a case that random walks must reach.
type event int

const (
	castling event = iota
	castlingAcross
	enPassant
	promotion
	capturingPromotion
	crossing
	bucketChange
	skipped
	undone
	nullMove
	events
)

func (e event) String() string {
	return []string{
		"castling", "castling across the mirror line", "en passant", "promotion", "capturing promotion",
		"king crossing the mirror line", "king changing its bucket", "two positions skipped", "move undone",
		"null move",
	}[e]
}

// walk is a line with its accumulators.
type walk struct {
	t     *testing.T
	net   *nnue.Parameters
	stack *nnue.Stack // updated incrementally
	fresh *nnue.Stack // refreshed for each value
	line  []position.Position
	met   *[events]int
}

func (w *walk) top() *position.Position { return &w.line[len(w.line)-1] }

// check compares the values of p, the position at the end of the line or after
// a null move.
func (w *walk) check(p *position.Position) {
	w.t.Helper()
	want, real := reference(w.net, p)
	w.fresh.Reset(p)
	if got := w.fresh.Evaluate(p); got != want {
		w.t.Fatalf("%s: %s: refreshed value %d instead of %d", w.net.Architecture, p.FEN(), got, want)
	}
	if got := w.stack.Evaluate(p); got != want {
		w.t.Fatalf("%s: %s: incremental value %d instead of %d", w.net.Architecture, p.FEN(), got, want)
	}
	if math.Abs(real) < float64(chess.MaxEval) && math.Abs(real-float64(want)) > 1.5 {
		w.t.Fatalf("%s: %s: value %d, in real numbers %f", w.net.Architecture, p.FEN(), want, real)
	}
}

// push plays m.
func (w *walk) push(m chess.Move) {
	before := w.top()
	w.note(before, m)
	w.line = append(w.line, position.Position{})
	w.line[len(w.line)-2].Do(m, w.top(), w.stack.Push())
}

func (w *walk) note(p *position.Position, m chess.Move) {
	us := p.SideToMove()
	king := p.King(us)
	to := m.To()
	if m.IsCastling() {
		to, _ = m.CastlingTargets()
	}
	across := king == m.From() && king.File()/4 != to.File()/4
	for e, happens := range map[event]bool{
		castling:           m.IsCastling(),
		castlingAcross:     m.IsCastling() && across,
		enPassant:          m.IsEnPassant(),
		promotion:          m.IsPromotion(),
		capturingPromotion: m.IsPromotion() && p.IsCapture(m),
		crossing:           across,
		bucketChange:       king == m.From() && w.net.KingBucket(us, king) != w.net.KingBucket(us, to),
	} {
		if happens {
			w.met[e]++
		}
	}
}

// choose returns a random legal move: with probability 1/2 a special one, if
// there is any, and otherwise often one of the king.
func choose(r *rand.Rand, p *position.Position) chess.Move {
	all := movegen.Legal(p)
	var special, ofKing []chess.Move
	for _, m := range all {
		if m.IsCastling() || m.IsEnPassant() || m.IsPromotion() {
			special = append(special, m)
		} else if m.From() == p.King(p.SideToMove()) {
			ofKing = append(ofKing, m)
		}
	}
	for _, moves := range [][]chess.Move{special, ofKing, all} {
		if len(moves) > 0 && r.IntN(2) == 0 {
			return moves[r.IntN(len(moves))]
		}
	}
	if len(all) == 0 {
		return chess.NoMove
	}
	return all[r.IntN(len(all))]
}

// run makes and undoes moves at random and checks some of the values.
func (w *walk) run(r *rand.Rand, fen string, steps int) {
	const plies = 40
	w.line = append(w.line[:0], parse(w.t, fen))
	w.stack.Reset(w.top())
	unseen := 0
	for range steps {
		m := choose(r, w.top())
		if len(w.line) > 1 && (m == chess.NoMove || len(w.line) > plies || r.IntN(4) == 0) {
			for range 1 + r.IntN(len(w.line)-1) {
				w.stack.Pop()
				w.line = w.line[:len(w.line)-1]
				w.met[undone]++
				if r.IntN(3) > 0 {
					break
				}
			}
		} else {
			w.push(m)
			unseen++
		}
		if r.IntN(3) == 0 {
			continue
		}
		if unseen > 2 {
			w.met[skipped]++
		}
		unseen = 0
		w.check(w.top())
		if !w.top().InCheck() && r.IntN(8) == 0 {
			var next position.Position
			w.top().DoNull(&next)
			w.check(&next)
			w.met[nullMove]++
		}
	}
}

// TestWalks compares incremental values, refreshed ones and the reference along
// random lines.
func TestWalks(t *testing.T) {
	steps := 400
	if testing.Short() {
		steps = 100
	}
	var met [events]int
	walks := uint64(0)
	for _, shape := range shapes {
		for _, wide := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s wide=%t", shape, wide), func(t *testing.T) {
				p := randomParameters(shape, wide)
				net := newNetwork(t, p)
				w := &walk{t: t, net: p, stack: nnue.NewStack(net, 64), fresh: nnue.NewStack(net, 0), met: &met}
				for _, fen := range starts {
					w.run(rand.New(rand.NewPCG(6, walks)), fen, steps)
					walks++
				}
			})
		}
	}
	t.Log(met)
	for e, n := range met {
		if n == 0 {
			t.Errorf("no walk reached: %s", event(e))
		}
	}
}

// TestLines plays given lines that random walks may miss: each is evaluated
// only at its end, and then after every move.
func TestLines(t *testing.T) {
	for _, test := range []struct{ name, fen, moves string }{
		{"there and back across the mirror line", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d1 e8d8 d1e1 d8e8"},
		{"castling on the spot", "1r4k1/8/8/8/8/8/8/1R4KR w H - 0 1", "g1h1 g8h8 b1b8"},
		{"castling into an attack", "6k1/8/b7/8/8/8/8/6KR w H - 0 1", "g1h1 g8h8 f1f8"},
		{"castling long across the mirror line", "r3k3/8/8/8/8/8/3P4/R3K3 w Aa - 0 1", "e1a1 e8a8 d2d4"},
		{"king captures", "8/8/8/3qK3/8/8/8/3k4 w - - 0 1", "e5d5 d1d2 d5e5 d2e2"},
		{"promotion that captures", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n e8d8"},
		{"en passant", "4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1", "c7c5 d5c6 e8d8 c6c7"},
	} {
		for _, shape := range shapes {
			p := randomParameters(shape, false)
			net := newNetwork(t, p)
			for _, every := range []bool{false, true} {
				var met [events]int
				w := &walk{t: t, net: p, stack: nnue.NewStack(net, 8), fresh: nnue.NewStack(net, 0), met: &met}
				w.line = append(w.line, parse(t, test.fen))
				w.stack.Reset(w.top())
				for text := range strings.FieldsSeq(test.moves) {
					i := slices.IndexFunc(movegen.Legal(w.top()), func(m chess.Move) bool { return m.String() == text })
					if i < 0 {
						t.Fatalf("%s: no move %s in %s", test.name, text, w.top().FEN())
					}
					w.push(movegen.Legal(w.top())[i])
					if every {
						w.check(w.top())
					}
				}
				for w.check(w.top()); len(w.line) > 1; w.check(w.top()) {
					w.stack.Pop()
					w.line = w.line[:len(w.line)-1]
				}
			}
		}
	}
}

// mirrored returns the FEN without castling rights and en-passant square, with
// colors exchanged or files mirrored.
func mirrored(fen string, colors, files bool) string {
	fields := strings.Fields(fen)
	ranks := strings.Split(fields[0], "/")
	if files {
		for i, rank := range ranks {
			bytes := []byte(rank)
			slices.Reverse(bytes)
			ranks[i] = string(bytes)
		}
	}
	if colors {
		slices.Reverse(ranks)
		for i, rank := range ranks {
			ranks[i] = strings.Map(func(r rune) rune {
				if unicode.IsUpper(r) {
					return unicode.ToLower(r)
				}
				return unicode.ToUpper(r)
			}, rank)
		}
		fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
	}
	return strings.Join(ranks, "/") + " " + fields[1] + " - - 0 1"
}

// features returns the features of p from the perspective of c.
func features(p *position.Position, c chess.Color) []int {
	var list []int
	for b := p.Occupied(); b != 0; {
		s := b.Pop()
		list = append(list, nnue.FeatureIndex(c, p.King(c), p.At(s), s))
	}
	slices.Sort(list)
	return list
}

// TestSymmetry exchanges colors, mirrors files, and does both, which must not
// change the value for the side to move.
func TestSymmetry(t *testing.T) {
	for _, shape := range shapes {
		net := newNetwork(t, randomParameters(shape, false))
		s := nnue.NewStack(net, 0)
		evaluate := func(p *position.Position) chess.Score {
			s.Reset(p)
			return s.Evaluate(p)
		}
		for i, fen := range starts {
			r := rand.New(rand.NewPCG(7, uint64(i)))
			p := parse(t, fen)
			for range 20 {
				same := parse(t, mirrored(p.FEN(), false, false))
				want := evaluate(&same)
				for _, flip := range []struct{ colors, files bool }{{true, false}, {false, true}, {true, true}} {
					q := parse(t, mirrored(p.FEN(), flip.colors, flip.files))
					if got := evaluate(&q); got != want {
						t.Fatalf("%s: %d for %s, but %d for %s", shape, want, p.FEN(), got, q.FEN())
					}
					for _, c := range []chess.Color{chess.White, chess.Black} {
						other := c
						if flip.colors {
							other = c.Other()
						}
						if !slices.Equal(features(&p, c), features(&q, other)) {
							t.Fatalf("%s in %s and %s in %s see other features", c, p.FEN(), other, q.FEN())
						}
					}
				}
				m := choose(r, &p)
				if m == chess.NoMove {
					break
				}
				p = p.After(m)
			}
		}
	}
}

func TestMaxEval(t *testing.T) {
	for _, test := range []struct {
		bias int32
		want chess.Score
	}{
		{math.MaxInt32, chess.MaxEval},
		{math.MinInt32, -chess.MaxEval},
		{nnue.QA * nnue.QB * 70, 28000},
		{nnue.QA*nnue.QB*70 - 41, 27998},
		{nnue.QA*nnue.QB*70 + 41, 28000},
		{-nnue.QA*nnue.QB*70 + 41, -27998},
		{-nnue.QA*nnue.QB*70 - 41, -28000},
		{nnue.QA * nnue.QB, 400},
		{0, 0},
	} {
		p := nnue.NewParameters(shapes[0])
		p.OutputBias[0] = test.bias
		s := nnue.NewStack(newNetwork(t, p), 0)
		pos := position.Start()
		s.Reset(&pos)
		if got := s.Evaluate(&pos); got != test.want {
			t.Errorf("output bias %d gives %d instead of %d", test.bias, got, test.want)
		}
	}
}

// TestMaxEvalHead checks that values are clipped to chess.MaxEval with the largest
// biases and weights of a head.
func TestMaxEvalHead(t *testing.T) {
	const one = nnue.QH * nnue.QO
	for _, test := range []struct {
		bias   int32
		weight int16
		want   chess.Score
	}{
		{math.MaxInt32, 0, 206425}, // above chess.MaxEval, clipped to 28000
		{math.MinInt32, 0, -206425},
		{math.MaxInt32, nnue.MaxHeadWeight, 28001},
		{math.MinInt32, -nnue.MaxHeadWeight, -28001},
		{one, 0, 400},
		{-one, 0, -400},
		{-one - one/400, 0, -400},
		{-one - one/400 - 1, 0, -401},
		{one / 400, 0, 0},
		{one/400 + 1, 0, 1},
		{0, 16, 32 * 16 * 400 / 512},
		{0, -16, -32 * 16 * 400 / 512},
	} {
		p := nnue.NewParameters(nnue.Architecture{
			Width: 64, KingBuckets: 1, OutputBuckets: 1, Scale: 400, Layers: layers,
		})
		p.OutputBias[0] = test.bias
		for k := range p.OutputWeights {
			p.SecondBias[k], p.OutputWeights[k] = nnue.MaxHeadBias, test.weight
		}
		s := nnue.NewStack(newNetwork(t, p), 0)
		pos := position.Start()
		s.Reset(&pos)
		if got, want := s.Evaluate(&pos), min(max(test.want, -chess.MaxEval), chess.MaxEval); got != want {
			t.Errorf("output bias %d and weights %d give %d instead of %d", test.bias, test.weight, got, want)
		}
	}
}

// TestNoAllocation checks that nothing is allocated after NewStack.
func TestNoAllocation(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/R3K3 w A - 0 1")
	moves := []chess.Move{chess.NewMove(chess.A1, chess.A2), chess.NewCastling(chess.E1, chess.A1)}
	var next position.Position
	for _, shape := range []nnue.Architecture{shapes[4], shapes[7]} {
		s := nnue.NewStack(newNetwork(t, randomParameters(shape, false)), 4)
		if n := testing.AllocsPerRun(100, func() {
			s.Reset(&p)
			for _, m := range moves {
				p.Do(m, &next, s.Push())
				s.Evaluate(&next)
				s.Pop()
			}
			s.Evaluate(&p)
		}); n != 0 {
			t.Errorf("%s: %v allocations", shape, n)
		}
	}
}

// TestStackSize compares the stated size of stacks with what is allocated.
func TestStackSize(t *testing.T) {
	const plies = 5000
	for _, shape := range shapes {
		net := newNetwork(t, randomParameters(shape, false))
		size := float64(net.StackSize(plies))
		got := float64(allocated(func() { nnue.NewStack(net, plies) }))
		if got < 0.95*size || got > 1.05*size {
			t.Errorf("%s: %.0f bytes are allocated, %.0f stated", net.Architecture(), got, size)
		}
	}
}

// BenchmarkEvaluate measures the cost of a node: a quiet move and its
// evaluation, and a king move across the mirror line. With a head about 40 % of
// the blocks of four products are nonzero, or nearly all if dense.
func BenchmarkEvaluate(b *testing.B) {
	for _, test := range []struct {
		name string
		move chess.Move
	}{
		{"quiet", chess.NewMove(chess.B1, chess.C3)},
		{"crossing", chess.NewMove(chess.E1, chess.D1)},
	} {
		for _, width := range []int{64, 128, 256, 512, 1024} {
			a := nnue.Architecture{Width: width, KingBuckets: 1, OutputBuckets: 8, Scale: 400}
			benchmarkEvaluate(b, fmt.Sprintf("%s/%d", test.name, width), test.move, randomParameters(a, false))
			a.Layers = layers
			p := randomParameters(a, false)
			benchmarkEvaluate(b, fmt.Sprintf("%s/%d-dense-head", test.name, width), test.move, p)
			for i := range p.FeatureBias {
				p.FeatureBias[i] -= 200
			}
			benchmarkEvaluate(b, fmt.Sprintf("%s/%d-head", test.name, width), test.move, p)
		}
	}
}

func benchmarkEvaluate(b *testing.B, name string, move chess.Move, parameters *nnue.Parameters) {
	b.Run(name, func(b *testing.B) {
		s := nnue.NewStack(newNetwork(b, parameters), 1)
		p := parse(b, "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNB1KBNR w KQkq - 0 1")
		var next position.Position
		s.Reset(&p)
		for b.Loop() {
			p.Do(move, &next, s.Push())
			s.Evaluate(&next)
			s.Pop()
		}
	})
}

// BenchmarkMoves measures the cost of a node in games: each legal move of positions from
// a game, in turn, and the evaluation after it. Weights are those of the engine's network
// or, for a network without threats, random.
func BenchmarkMoves(b *testing.B) {
	shipped, err := nets.Load("")
	if err != nil {
		b.Fatal(err)
	}
	var positions []position.Position
	var moves [][]chess.Move
	for _, fen := range starts[:3] {
		p := parse(b, fen)
		positions, moves = append(positions, p), append(moves, movegen.Legal(&p))
	}
	plain := randomParameters(nnue.Architecture{Width: 512, KingBuckets: 1, OutputBuckets: 8, Scale: 400}, false)
	for _, test := range []struct {
		name string
		net  *nnue.Network
	}{
		{"shipped", shipped},
		{"plain", newNetwork(b, plain)},
	} {
		b.Run(test.name, func(b *testing.B) {
			stack := nnue.NewStack(test.net, 1)
			var next position.Position
			for n := 0; n < b.N; {
				for i := range positions {
					p := &positions[i]
					stack.Reset(p)
					for _, m := range moves[i] {
						p.Do(m, &next, stack.Push())
						stack.Evaluate(&next)
						stack.Pop()
					}
					n += len(moves[i])
				}
			}
		})
	}
}

// TestAccumulator computes the value of a position after a move from the accumulators.
func TestAccumulator(t *testing.T) {
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	p := net.Parameters()
	before, err := position.Parse(starts[1], false)
	if err != nil {
		t.Fatal(err)
	}
	var after position.Position
	stack := nnue.NewStack(net, 1)
	stack.Reset(&before)
	before.Do(movegen.Legal(&before)[0], &after, stack.Push())
	want := int(stack.Evaluate(&after))
	bucket, us, sum := p.OutputBucket(after.Occupied().Count()), after.SideToMove(), 0
	for side, c := range [2]chess.Color{us, us.Other()} {
		for i, x := range stack.Accumulator(c) {
			clipped := int(min(max(x, 0), nnue.QA))
			sum += clipped * clipped * int(p.OutputWeights[(2*bucket+side)*p.Width+i])
		}
	}
	if got := (sum/nnue.QA + int(p.OutputBias[bucket])) * p.Scale / (nnue.QA * nnue.QB); got != want {
		t.Errorf("%d instead of %d", got, want)
	}
}
