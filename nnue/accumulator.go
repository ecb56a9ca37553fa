package nnue

import (
	"skein/chess"
	"skein/internal/simd"
	"skein/position"
)

// Stack holds the accumulators along one line of play. Moves only record what
// they change; a value is computed where it is asked for, from the nearest
// position on the line that has one. A Stack serves one goroutine and
// allocates nothing after NewStack.
type Stack struct {
	net    *Network
	frames []frame
	values []int16 // [len(frames)][2][Width]
	top    int
}

// frame is one position of the line.
type frame struct {
	delta position.Delta // from the position before
	ready [2]bool        // the accumulator of that colour is computed
}

// NewStack returns a stack for lines of up to plies moves. Call Reset before
// anything else.
func NewStack(net *Network, plies int) *Stack {
	return &Stack{
		net:    net,
		frames: make([]frame, plies+1),
		values: make([]int16, (plies+1)*2*net.p.Width),
	}
}

// Reset starts a line at p.
func (s *Stack) Reset(p *position.Position) {
	s.top = 0
	s.refresh(p, chess.White)
	s.refresh(p, chess.Black)
}

// Push adds a move to the line and lends its Delta to be filled by
// position.Do. A null move changes no accumulator and must not be pushed.
func (s *Stack) Push() *position.Delta {
	s.top++
	f := &s.frames[s.top]
	f.ready = [2]bool{}
	return &f.delta
}

// Pop takes the last move back.
func (s *Stack) Pop() { s.top-- }

// Evaluate returns the value of p, the position at the end of the line, in
// centipawns for the side to move, within ±MaxEval.
func (s *Stack) Evaluate(p *position.Position) int {
	s.update(p, chess.White)
	s.update(p, chess.Black)

	net := &s.net.p
	us := p.SideToMove()
	width := net.Width
	bucket := net.OutputBucket(p.Occupied().Count())
	weights := net.OutputWeights[2*width*bucket:][:2*width]
	// Both sums may wrap around: what counts is that their total fits 32 bits,
	// as it does for outputs up to ±500: 200000 centipawns at a scale of 400.
	sum := simd.SCReLUDot(s.at(s.top, us), weights[:width], QA) +
		simd.SCReLUDot(s.at(s.top, us.Other()), weights[width:], QA)
	value := (int64(sum)/QA + int64(net.OutputBias[bucket])) * int64(net.Scale) / (QA * QB)
	return int(min(max(value, -MaxEval), MaxEval))
}

// at returns the accumulator of colour c in frame i.
func (s *Stack) at(i int, c chess.Color) []int16 {
	width := s.net.p.Width
	offset := (2*i + int(c)) * width
	return s.values[offset : offset+width : offset+width]
}

// row returns the weights of a piece on a square.
func (s *Stack) row(table int, orientation chess.Square, c chess.Color, p position.Placement) []int16 {
	width := s.net.p.Width
	offset := (table + featureIndex(orientation, c, p.Piece, p.Square)) * width
	return s.net.p.FeatureWeights[offset : offset+width : offset+width]
}

// update brings the accumulator of colour c up to date with p.
func (s *Stack) update(p *position.Position, c chess.Color) {
	i := s.top
	for ; !s.frames[i].ready[c]; i-- {
		if s.kingChangesTable(&s.frames[i].delta, c) {
			s.refresh(p, c)
			return
		}
	}
	king := p.King(c)
	o := orientation(c, king)
	table := s.net.p.KingBucket(c, king) * Features
	for ; i < s.top; i++ {
		s.apply(i+1, table, o, c)
	}
}

// apply computes frame i from the one below it.
func (s *Stack) apply(i, table int, o chess.Square, c chess.Color) {
	f := &s.frames[i]
	d := &f.delta
	src, dst := s.at(i-1, c), s.at(i, c)
	add, sub := s.row(table, o, c, d.Added[0]), s.row(table, o, c, d.Removed[0])
	switch {
	case d.NumRemoved == 1:
		simd.AddSub(dst, src, add, sub)
	case d.NumAdded == 1:
		simd.AddSubSub(dst, src, add, sub, s.row(table, o, c, d.Removed[1]))
	default:
		simd.AddAddSubSub(dst, src, add, s.row(table, o, c, d.Added[1]), sub, s.row(table, o, c, d.Removed[1]))
	}
	f.ready[c] = true
}

// kingChangesTable reports whether the move takes c's king to a square from
// which the features are counted otherwise.
func (s *Stack) kingChangesTable(d *position.Delta, c chess.Color) bool {
	if d.Removed[0].Piece != chess.MakePiece(c, chess.King) {
		return false
	}
	from, to := d.Removed[0].Square, d.Added[0].Square
	return orientation(c, from) != orientation(c, to) || s.net.p.KingBucket(c, from) != s.net.p.KingBucket(c, to)
}

// refresh computes the accumulator of colour c in the top frame from the
// board.
func (s *Stack) refresh(p *position.Position, c chess.Color) {
	king := p.King(c)
	o := orientation(c, king)
	table := s.net.p.KingBucket(c, king) * Features
	acc := s.at(s.top, c)
	copy(acc, s.net.p.FeatureBias)
	for b := p.Occupied(); b != 0; {
		square := b.Pop()
		simd.Add(acc, s.row(table, o, c, position.Placement{Piece: p.At(square), Square: square}))
	}
	s.frames[s.top].ready[c] = true
}
