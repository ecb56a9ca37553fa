package nnue

import (
	"fmt"

	"skein/chess"
	"skein/internal/simd"
	"skein/position"
)

// validate compares the accumulators of p, which must be the position at the end of the
// line, with refreshed ones. The error names the first neuron that differs. In builds
// with the tag debug every Evaluate does so. fresh is scratch space for an accumulator.
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

// validateValue checks that the value of p is within ±chess.MaxEval.
func validateValue(p *position.Position, value chess.Score) error {
	if value < -chess.MaxEval || value > chess.MaxEval {
		return fmt.Errorf("nnue: %s: value %d is beyond ±%d", p.FEN(), value, chess.MaxEval)
	}
	return nil
}

// validateView checks that a view with its king on the given square mirrors
// that square onto files a to d, counts ranks from its own side, has the table
// of the king's bucket, and is the same for the mirrored king square.
func (a *Architecture) validateView(v View, king chess.Square) error {
	seen := king ^ v.orientation
	if seen.File() > 3 || seen != king.Relative(v.color) && seen != (king^7).Relative(v.color) {
		return fmt.Errorf("the king on %s is seen on %s", king, seen)
	}
	bucket := int(a.KingMap[seen.Rank()*4+seen.File()])
	if bucket >= a.KingBuckets || v.first != bucket*a.tablesPerBucket()*Features {
		return fmt.Errorf("with the king on %s features start at %d, in bucket %d of %d",
			king, v.first, bucket, a.KingBuckets)
	}
	if mirrored := a.View(v.color, king^7); mirrored != (View{v.color, v.orientation ^ 7, v.first}) {
		return fmt.Errorf("with the king on %s the view is %v, on %s %v", king, v, king^7, mirrored)
	}
	return nil
}

// validateAccumulator computes the accumulator of a view in fresh and compares
// that of the top frame with it.
func (s *Stack) validateAccumulator(p *position.Position, v View, fresh []int16) error {
	copy(fresh, s.net.p.FeatureBias)
	rows := s.add[v.color&1][:0]
	threatened := s.net.p.Threatened(p)
	for occ := p.Occupied(); occ != 0; {
		square := occ.Pop()
		rows = append(rows, s.row(v, position.Placement{Piece: p.At(square), Square: square}, &threatened))
	}
	for row := range s.net.p.RowsOfDangers(v.color, threatened.Dangers) {
		rows = append(rows, int32(row*s.net.p.Width))
	}
	simd.AddSubRows(fresh, fresh, s.net.p.FeatureWeights, rows, nil)
	for i, got := range s.at(s.top, v.color) {
		if got != fresh[i] {
			return fmt.Errorf("neuron %d: %d, refreshed %d", i, got, fresh[i])
		}
	}
	return nil
}
