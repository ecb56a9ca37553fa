package nnue

import (
	"fmt"

	"skein/chess"
	"skein/internal/simd"
	"skein/position"
)

// Validate brings the accumulators up to date with p, the position at the end of
// the line, and compares them with the bias and the rows of all pieces on the
// board. The error names the first neuron that is wrong. In builds with the tag
// debug every Evaluate does the same.
func (s *Stack) Validate(p *position.Position) error {
	s.update(p)
	return s.validate(p, make([]int16, s.net.p.Width))
}

// validate is Validate without the update. fresh is room for an accumulator.
func (s *Stack) validate(p *position.Position, fresh []int16) error {
	for c := range chess.Color(2) {
		v := s.net.p.View(c, p.King(c))
		err := s.net.p.validateView(v, p.King(c))
		if err == nil {
			err = s.validateAccumulator(p, v, fresh[:s.net.p.Width])
		}
		if err != nil {
			return fmt.Errorf("nnue: %s, accumulator of %s: %w", p.FEN(), c, err)
		}
	}
	return nil
}

// validateValue sees that the value of p is one that Evaluate may return.
func validateValue(p *position.Position, value int64) error {
	if value < -MaxEval || value > MaxEval {
		return fmt.Errorf("nnue: %s: value %d is beyond ±%d", p.FEN(), value, MaxEval)
	}
	return nil
}

// validateView sees that a view with the king on the given square mirrors that
// onto files a to d, begins with the ranks of its own side, and has the table
// of the king's bucket; and that a king on the mirrored square has the same.
func (a *Architecture) validateView(v View, king chess.Square) error {
	seen := king ^ v.orientation
	if seen.File() > 3 || seen != king.Relative(v.colour) && seen != (king^7).Relative(v.colour) {
		return fmt.Errorf("the king on %s is seen on %s", king, seen)
	}
	bucket := int(a.KingMap[seen.Rank()*4+seen.File()])
	if bucket >= a.KingBuckets || v.table != bucket*Features {
		return fmt.Errorf("with the king on %s features begin at %d, in bucket %d of %d",
			king, v.table, bucket, a.KingBuckets)
	}
	if mirrored := a.View(v.colour, king^7); mirrored != (View{v.colour, v.orientation ^ 7, v.table}) {
		return fmt.Errorf("with the king on %s the view is %v, on %s %v", king, v, king^7, mirrored)
	}
	return nil
}

// validateAccumulator computes the accumulator of a view in fresh and compares
// that of the top frame with it.
func (s *Stack) validateAccumulator(p *position.Position, v View, fresh []int16) error {
	copy(fresh, s.net.p.FeatureBias)
	rows := s.add[:0]
	for occ := p.Occupied(); occ != 0; {
		square := occ.Pop()
		rows = append(rows, int32(s.row(v, position.Placement{Piece: p.At(square), Square: square})))
	}
	simd.AddSubRows(fresh, s.net.p.FeatureWeights, rows, nil)
	for i, got := range s.at(s.top, v.colour) {
		if got != fresh[i] {
			return fmt.Errorf("neuron %d: %d, refreshed %d", i, got, fresh[i])
		}
	}
	return nil
}
