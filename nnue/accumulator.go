package nnue

import (
	"math/bits"
	"unsafe"

	"skein/chess"
	"skein/internal/hugepages"
	"skein/internal/invariant"
	"skein/internal/simd"
	"skein/position"
)

// Stack holds the accumulators of the positions of one line. Push only records
// which pieces a move changes; Evaluate computes an accumulator from the
// nearest position on the line whose accumulator is computed. If a king move in
// between changes the king bucket or mirroring, it starts from a cache of
// accumulators instead. A Stack must be used by one goroutine at a time and
// allocates nothing after NewStack.
type Stack struct {
	net    *Network
	frames []frame
	values []int16 // [len(frames)][2][Width]
	top    int

	// cache holds the last accumulator that was refreshed for each side,
	// mirroring and king bucket: [2][2][KingBuckets].
	cache       []cached
	cacheValues []int16       // [len(cache)][Width]
	add, sub    [2][128]int32 // by color, up to 64 men and 44 dangers
	threats     simd.Threats

	fresh    invariant.State[[maxWidth]int16] // a refreshed accumulator to compare with
	products []uint8                          // [Width], inputs of the first layer of a head
}

// frame is one position of the line.
type frame struct {
	delta position.Delta // from the position before
	ready [2]bool        // by color: the accumulator is computed

	// threatened are the pieces whose rows in the accumulators are those of
	// threatened ones, and the dangers in them. They are right only in positions
	// that were evaluated: an accumulator computed for the sake of a later one has
	// the pieces of its position, but threats of others.
	threatened Threatened
}

// cached is what an accumulator in the cache represents.
type cached struct {
	pieces     [2][6]chess.Bitboard
	threatened Threatened
}

// NewStack returns a stack for lines of up to plies moves. Reset must be called
// first.
func NewStack(net *Network, plies int) *Stack {
	width, tables := net.p.Width, 2*2*net.p.KingBuckets
	s := &Stack{
		net:         net,
		frames:      make([]frame, plies+1),
		values:      make([]int16, (plies+1)*2*width),
		cache:       make([]cached, tables),
		cacheValues: make([]int16, tables*width),
	}
	if net.p.HasHead() {
		s.products = make([]uint8, width)
	}
	hugepages.Advise(&s.values[0], len(s.values))
	for i := range tables {
		copy(s.cacheValues[i*width:], net.p.FeatureBias) // the empty board
	}
	return s
}

// StackSize returns how many bytes a Stack of the network has for lines of up to plies
// moves.
func (n *Network) StackSize(plies int) int {
	a, values := &n.p.Architecture, 2*n.p.Width // bytes of an accumulator
	return (plies+1)*(int(unsafe.Sizeof(frame{}))+2*values) + 2*2*a.KingBuckets*(int(unsafe.Sizeof(cached{}))+values)
}

// Reset starts a new line at p.
func (s *Stack) Reset(p *position.Position) {
	s.top = 0
	m := menOf(p)
	threatened := s.net.p.threatened(&m, &s.threats)
	s.refresh(p, chess.White, &threatened)
	s.refresh(p, chess.Black, &threatened)
	s.frames[0].threatened = threatened
}

// Push adds a move to the line and returns its Delta, which position.Do must
// fill. A null move changes no accumulator and must not be pushed.
func (s *Stack) Push() *position.Delta {
	s.top++
	f := &s.frames[s.top]
	f.ready = [2]bool{}
	return &f.delta
}

// Pop removes the last move from the line.
func (s *Stack) Pop() {
	if invariant.Enabled {
		invariant.Check(s.top > 0, "nnue: Pop at the start of the line")
	}
	s.top--
}

// Evaluate returns the value of p, which must be the position at the end of the
// line, from the view of the side to move, within ±chess.MaxEval.
func (s *Stack) Evaluate(p *position.Position) chess.Score {
	s.update(p)

	net := &s.net.p
	us := p.SideToMove()
	bucket := int(s.net.buckets[p.Occupied().Count()&63])
	bias := int64(net.OutputBias[bucket])
	var value int64
	if len(s.net.heads) > 0 {
		sum := s.net.heads[bucket].Output(s.at(s.top, us), s.at(s.top, us.Other()), s.products)
		value = (sum + bias) * int64(net.Scale) / (QH * QO)
	} else {
		width := net.Width
		weights := net.OutputWeights[2*width*bucket:][:2*width]
		// Partial sums may wrap around, as long as the total fits 32 bits, as
		// it does for outputs within ±500.
		sum := simd.SCReLUDot(s.at(s.top, us), s.at(s.top, us.Other()), weights)
		value = (int64(sum)/QA + bias) * int64(net.Scale) / (QA * QB)
	}
	score := chess.Score(min(max(value, -int64(chess.MaxEval)), int64(chess.MaxEval)))
	if invariant.Enabled {
		invariant.NoError(s.validate(p, s.fresh.Get()[:]))
		invariant.NoError(validateValue(p, score))
	}
	return score
}

// Accumulator returns the accumulator of color c, a sum for each neuron in units of 1/QA,
// at the end of the line. It is computed by Reset and Evaluate, valid until the next call
// of any method, and must not be changed.
func (s *Stack) Accumulator(c chess.Color) []int16 { return s.at(s.top, c&1) }

// at returns the accumulator of color c in frame i.
func (s *Stack) at(i int, c chess.Color) []int16 {
	width := s.net.p.Width
	offset := (2*i + int(c)) * width
	return s.values[offset : offset+width : offset+width]
}

// pair returns the accumulators of both colors in frame i.
func (s *Stack) pair(i int) []int16 {
	width := 2 * s.net.p.Width
	return s.values[i*width : (i+1)*width : (i+1)*width]
}

// row returns the index of the first feature weight of a piece on a square.
func (s *Stack) row(v View, p position.Placement, t *Threatened) int32 {
	return int32(v.Feature(p.Piece, p.Square, t) * s.net.p.Width)
}

// rows returns that of either color's view.
func (s *Stack) rows(views *[2]View, p position.Placement, t *Threatened) (white, black int32) {
	state := t.state(p.Square)
	return int32(views[chess.White].feature(p.Piece, p.Square, state) * s.net.p.Width),
		int32(views[chess.Black].feature(p.Piece, p.Square, state) * s.net.p.Width)
}

// update computes the accumulators of both colors in the top frame, whose
// position is p.
func (s *Stack) update(p *position.Position) {
	m := menOf(p)
	threatened := s.net.p.threatened(&m, &s.threats)
	views := [2]View{
		s.net.views[chess.White][p.King(chess.White)&63], s.net.views[chess.Black][p.King(chess.Black)&63],
	}
	white, black := s.base(chess.White), s.base(chess.Black)
	both := max(white, black)
	if white < 0 || black < 0 {
		both = s.top
	}
	s.applyUpTo(both, white, chess.White, &views, &threatened)
	s.applyUpTo(both, black, chess.Black, &views, &threatened)
	for ; both < s.top-1; both++ {
		s.applyPair(both+1, &views, &threatened)
	}
	if both < s.top {
		s.applyLast(p, &views, &threatened)
		return
	}
	s.rethreaten(p, &views, &threatened, [2]bool{white >= 0, black >= 0})
	if white < 0 {
		s.refresh(p, chess.White, &threatened)
	}
	if black < 0 {
		s.refresh(p, chess.Black, &threatened)
	}
}

// base returns the nearest frame from which the accumulator of color c in the
// top frame can be computed incrementally, -1 if there is none.
func (s *Stack) base(c chess.Color) int {
	i := s.top
	for ; !s.frames[i].ready[c&1]; i-- {
		if s.kingChangesTable(&s.frames[i].delta, c) {
			return -1
		}
	}
	return i
}

// applyUpTo computes the accumulators of color c after frame i up to frame last, as apply
// does, none if i is negative.
func (s *Stack) applyUpTo(last, i int, c chess.Color, views *[2]View, t *Threatened) {
	for ; 0 <= i && i < last; i++ {
		s.apply(i+1, c, views, t)
	}
}

// apply computes the accumulator of color c in frame i from that in frame i-1. The pieces
// that the move adds are threatened if they are so in that of the other color or, if it
// is not computed, in t.
func (s *Stack) apply(i int, c chess.Color, views *[2]View, t *Threatened) {
	f, before := &s.frames[i], &s.frames[i-1].threatened
	if !f.ready[c.Other()&1] {
		f.threatened = before.after(&f.delta, t)
	}
	adds, subs := s.moved(&f.delta, views, before, &f.threatened)
	simd.AddSubRows(s.at(i, c), s.at(i-1, c), s.net.p.FeatureWeights, s.add[c&1][:adds], s.sub[c&1][:subs])
	f.ready[c&1] = true
}

// applyPair computes the accumulators of both colors in frame i from those in
// frame i-1, as apply does.
func (s *Stack) applyPair(i int, views *[2]View, t *Threatened) {
	f := &s.frames[i]
	if f.delta.NumAdded == 2 {
		s.apply(i, chess.White, views, t)
		s.apply(i, chess.Black, views, t)
		return
	}
	_, subs := s.moved(&f.delta, views, &s.frames[i-1].threatened, t)
	add, sub, weights := &s.add, &s.sub, s.net.p.FeatureWeights
	if subs == 1 {
		simd.AddSubPair(s.pair(i), s.pair(i-1), weights,
			int(add[0][0]), int(sub[0][0]), int(add[1][0]), int(sub[1][0]))
	} else {
		simd.AddSubSubPair(s.pair(i), s.pair(i-1), weights,
			int(add[0][0]), int(sub[0][0]), int(sub[0][1]), int(add[1][0]), int(sub[1][0]), int(sub[1][1]))
	}
	f.ready = [2]bool{true, true}
	f.threatened = s.frames[i-1].threatened.after(&f.delta, t)
}

// applyLast is applyPair for the top frame, whose position is p, and rethreaten at once.
func (s *Stack) applyLast(p *position.Position, views *[2]View, t *Threatened) {
	f, before := &s.frames[s.top], &s.frames[s.top-1].threatened
	after := before.after(&f.delta, t)
	if after == *t {
		s.applyPair(s.top, views, t)
		return
	}
	adds, subs := s.moved(&f.delta, views, before, t)
	adds, subs = s.changed(p, views, &after, t, adds, subs)
	for c := range chess.Color(2) {
		simd.AddSubRows(s.at(s.top, c), s.at(s.top-1, c), s.net.p.FeatureWeights, s.add[c][:adds], s.sub[c][:subs])
	}
	f.ready = [2]bool{true, true}
	f.threatened = *t
}

// rethreaten replaces rows of the accumulators of some colors in the top frame, whose
// position is p, such that its threatened pieces and dangers are those in t.
func (s *Stack) rethreaten(p *position.Position, views *[2]View, t *Threatened, of [2]bool) {
	have := &s.frames[s.top].threatened
	if *have == *t {
		return
	}
	adds, subs := s.changed(p, views, have, t, 0, 0)
	for c := range chess.Color(2) {
		if acc := s.at(s.top, c); of[c] {
			simd.AddSubRows(acc, acc, s.net.p.FeatureWeights, s.add[c][:adds], s.sub[c][:subs])
		}
	}
	*have = *t
}

// moved sets the first rows of s.add and s.sub to those of the pieces that a move adds,
// which are threatened if they are so in after, and removes, and returns their numbers.
func (s *Stack) moved(d *position.Delta, views *[2]View, before, after *Threatened) (adds, subs int) {
	s.add[0][0], s.add[1][0] = s.rows(views, d.Added[0], after)
	s.sub[0][0], s.sub[1][0] = s.rows(views, d.Removed[0], before)
	if d.NumRemoved > 1 {
		s.add[0][1], s.add[1][1] = s.rows(views, d.Added[1], after) // not used unless castling
		s.sub[0][1], s.sub[1][1] = s.rows(views, d.Removed[1], before)
	}
	return int(d.NumAdded), int(d.NumRemoved)
}

// changed appends to the first rows of s.add and s.sub those of threatened pieces of p
// and of dangers that come and go between two states, and returns how many there are then.
func (s *Stack) changed(p *position.Position, views *[2]View, from, to *Threatened, adds, subs int) (int, int) {
	for b := from.differ(to); b != 0; {
		square := b.Pop()
		piece := position.Placement{Piece: p.At(square), Square: square}
		s.add[0][adds&127], s.add[1][adds&127] = s.rows(views, piece, to)
		s.sub[0][subs&127], s.sub[1][subs&127] = s.rows(views, piece, from)
		adds++
		subs++
	}
	return s.changedDangers(from.Dangers, to.Dangers, adds, subs)
}

// changedDangers is changed for dangers alone. One loop, without branches, for those that
// come and those that go is faster than two.
func (s *Stack) changedDangers(from, to Dangers, adds, subs int) (int, int) {
	for b := from ^ to; b != 0; b &= b - 1 {
		bit := bits.TrailingZeros64(uint64(b))
		white, black := s.net.dangerRows(bit)
		s.add[0][adds&127], s.add[1][adds&127] = white, black
		s.sub[0][subs&127], s.sub[1][subs&127] = white, black
		gone := int(from >> bit & 1)
		adds += 1 - gone
		subs += gone
	}
	return adds, subs
}

// kingChangesTable reports whether the move takes the king of c to a square
// with another king bucket or mirroring.
func (s *Stack) kingChangesTable(d *position.Delta, c chess.Color) bool {
	if d.Removed[0].Piece != chess.MakePiece(c, chess.King) {
		return false
	}
	views := &s.net.views[c&1]
	return views[d.Removed[0].Square&63] != views[d.Added[0].Square&63]
}

// refresh computes the accumulator of color c in the top frame, with the
// threatened pieces in t, from the one in the cache and the pieces that differ.
func (s *Stack) refresh(p *position.Position, c chess.Color, t *Threatened) {
	king := p.King(c)
	v := s.net.p.View(c, king)
	i := int(c)
	if v.orientation&7 != 0 {
		i += 2
	}
	i = i*s.net.p.KingBuckets + s.net.p.KingBucket(c, king)
	width := s.net.p.Width
	acc := s.cacheValues[i*width : (i+1)*width]

	cache := &s.cache[i]
	same := ^cache.threatened.differ(t)
	adds, subs := 0, 0
	for color := range chess.Color(2) {
		for kind := range chess.King + 1 {
			piece := chess.MakePiece(color, kind)
			have, want := &cache.pieces[color][kind], p.PiecesOf(color, kind)
			kept := *have & want & same
			for b := want &^ kept; b != 0; adds++ {
				s.add[c&1][adds&127] = s.row(v, position.Placement{Piece: piece, Square: b.Pop()}, t)
			}
			for b := *have &^ kept; b != 0; subs++ {
				s.sub[c&1][subs&127] = s.row(v, position.Placement{Piece: piece, Square: b.Pop()}, &cache.threatened)
			}
			*have = want
		}
	}
	adds, subs = s.changedDangers(cache.threatened.Dangers, t.Dangers, adds, subs)
	cache.threatened = *t
	simd.AddSubRows(acc, acc, s.net.p.FeatureWeights, s.add[c&1][:adds], s.sub[c&1][:subs])
	copy(s.at(s.top, c), acc)
	s.frames[s.top].ready[c] = true
}
