package nnue

import (
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
	cacheValues []int16    // [len(cache)][Width]
	add, sub    [128]int32 // up to 64 men and 44 dangers
	threats     simd.Threats

	fresh    invariant.State[[maxWidth]int16] // a refreshed accumulator to compare with
	products []uint8                          // [Width], inputs of the first layer of a head
}

// frame is one position of the line.
type frame struct {
	delta position.Delta // from the position before
	ready [2]bool        // by color: the accumulator is computed

	// threatened are, by color, the pieces whose rows in the accumulator are
	// those of threatened ones. They are right only in positions that were
	// evaluated: an accumulator computed for the sake of a later one has the
	// pieces of its position, but threats of others.
	threatened [2]Threatened
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
	bucket := net.OutputBucket(p.Occupied().Count())
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
func (s *Stack) row(v View, p position.Placement, t *Threatened) int {
	return v.Feature(p.Piece, p.Square, t) * s.net.p.Width
}

// update computes the accumulators of both colors in the top frame, whose
// position is p.
func (s *Stack) update(p *position.Position) {
	m := menOf(p)
	threatened := s.net.p.threatened(&m, &s.threats)
	white, black := s.base(p, chess.White, &threatened), s.base(p, chess.Black, &threatened)
	net := &s.net.p
	var views [2]View
	views[chess.White] = net.View(chess.White, p.King(chess.White))
	views[chess.Black] = net.View(chess.Black, p.King(chess.Black))
	for ; white < black; white++ {
		s.apply(white+1, views[chess.White], &threatened)
	}
	for ; black < white; black++ {
		s.apply(black+1, views[chess.Black], &threatened)
	}
	for i := white; i < s.top; i++ {
		s.applyPair(i+1, &views, &threatened)
	}
	if net.Threats {
		s.rethreaten(p, views[chess.White], &threatened)
		s.rethreaten(p, views[chess.Black], &threatened)
	}
}

// base returns the nearest frame from which the accumulator of color c in the
// top frame can be computed incrementally. If there is none, it refreshes the
// top frame and returns that.
func (s *Stack) base(p *position.Position, c chess.Color, t *Threatened) int {
	i := s.top
	for ; !s.frames[i].ready[c]; i-- {
		if s.kingChangesTable(&s.frames[i].delta, c) {
			s.refresh(p, c, t)
			return s.top
		}
	}
	return i
}

// apply computes the accumulator of one color in frame i from that in frame
// i-1. The pieces that the move adds are threatened if they are so in t.
func (s *Stack) apply(i int, v View, t *Threatened) {
	f, before := &s.frames[i], &s.frames[i-1].threatened[v.color]
	d := &f.delta
	src, dst := s.at(i-1, v.color), s.at(i, v.color)
	add, sub := s.row(v, d.Added[0], t), s.row(v, d.Removed[0], before)
	switch {
	case d.NumRemoved == 1:
		simd.AddSub(dst, src, s.net.p.FeatureWeights, add, sub)
	case d.NumAdded == 1:
		simd.AddSubSub(dst, src, s.net.p.FeatureWeights, add, sub, s.row(v, d.Removed[1], before))
	default: // castling
		simd.AddAddSubSub(dst, src, s.net.p.FeatureWeights,
			add, s.row(v, d.Added[1], t), sub, s.row(v, d.Removed[1], before))
	}
	f.ready[v.color] = true
	f.threatened[v.color] = before.after(d, t)
}

// applyPair computes the accumulators of both colors in frame i from those in
// frame i-1, as apply does.
func (s *Stack) applyPair(i int, views *[2]View, t *Threatened) {
	f, before := &s.frames[i], &s.frames[i-1].threatened
	d := &f.delta
	if d.NumAdded == 2 {
		s.apply(i, views[0], t)
		s.apply(i, views[1], t)
		return
	}
	src, dst := s.pair(i-1), s.pair(i)
	addA, subA := s.row(views[0], d.Added[0], t), s.row(views[0], d.Removed[0], &before[0])
	addB, subB := s.row(views[1], d.Added[0], t), s.row(views[1], d.Removed[0], &before[1])
	if d.NumRemoved == 1 {
		simd.AddSubPair(dst, src, s.net.p.FeatureWeights, addA, subA, addB, subB)
	} else {
		sub2A, sub2B := s.row(views[0], d.Removed[1], &before[0]), s.row(views[1], d.Removed[1], &before[1])
		simd.AddSubSubPair(dst, src, s.net.p.FeatureWeights, addA, subA, sub2A, addB, subB, sub2B)
	}
	f.ready = [2]bool{true, true}
	f.threatened[0], f.threatened[1] = before[0].after(d, t), before[1].after(d, t)
}

// rethreaten replaces rows of the top frame, whose position is p, such that its
// threatened pieces and dangers are those in t.
func (s *Stack) rethreaten(p *position.Position, v View, t *Threatened) {
	have := &s.frames[s.top].threatened[v.color]
	n := 0
	for changed := have.differ(t); changed != 0; n++ {
		square := changed.Pop()
		piece := position.Placement{Piece: p.At(square), Square: square}
		s.add[n&127], s.sub[n&127] = int32(s.row(v, piece, t)), int32(s.row(v, piece, have))
	}
	adds, subs := s.changeDangers(v.color, have.Dangers, t.Dangers, n, n)
	if adds+subs > 0 {
		simd.AddSubRows(s.at(s.top, v.color), s.net.p.FeatureWeights, s.add[:adds&127], s.sub[:subs&127])
		*have = *t
	}
}

// changeDangers appends to s.add and s.sub, which have so many rows, those of the
// accumulator of color c by which two sets of dangers differ, and returns their numbers.
func (s *Stack) changeDangers(c chess.Color, from, to Dangers, adds, subs int) (int, int) {
	from, to = from.seenBy(c), to.seenBy(c)
	for b := to &^ from; b != 0; b &= b - 1 {
		s.add[adds&127] = int32(s.net.p.dangerRow(b) * s.net.p.Width)
		adds++
	}
	for b := from &^ to; b != 0; b &= b - 1 {
		s.sub[subs&127] = int32(s.net.p.dangerRow(b) * s.net.p.Width)
		subs++
	}
	return adds, subs
}

// kingChangesTable reports whether the move takes the king of c to a square
// with another king bucket or mirroring.
func (s *Stack) kingChangesTable(d *position.Delta, c chess.Color) bool {
	if d.Removed[0].Piece != chess.MakePiece(c, chess.King) {
		return false
	}
	from, to := d.Removed[0].Square, d.Added[0].Square
	return orientation(c, from) != orientation(c, to) || s.net.p.KingBucket(c, from) != s.net.p.KingBucket(c, to)
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
				s.add[adds&127] = int32(s.row(v, position.Placement{Piece: piece, Square: b.Pop()}, t))
			}
			for b := *have &^ kept; b != 0; subs++ {
				s.sub[subs&127] = int32(s.row(v, position.Placement{Piece: piece, Square: b.Pop()}, &cache.threatened))
			}
			*have = want
		}
	}
	adds, subs = s.changeDangers(c, cache.threatened.Dangers, t.Dangers, adds, subs)
	cache.threatened = *t
	simd.AddSubRows(acc, s.net.p.FeatureWeights, s.add[:adds], s.sub[:subs])
	copy(s.at(s.top, c), acc)
	s.frames[s.top].ready[c] = true
	s.frames[s.top].threatened[c] = *t
}
