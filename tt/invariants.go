package tt

import (
	"fmt"

	"skein/chess"
)

// validate checks the depth, bound and move of an entry stored or found for key
// k; Score and Eval may have any value. The error names the key and the field.
// It is called only in builds with the tag debug.
func (e Entry) validate(k chess.Key) error {
	switch {
	case e.Depth > MaxDepth:
		return fmt.Errorf("tt: key %x: depth %d is more than %d", k, e.Depth, MaxDepth)
	case e.Bound > BoundExact:
		return fmt.Errorf("tt: key %x: bound %d is not from 0 to %d", k, e.Bound, BoundExact)
	case !possible(e.Move):
		return fmt.Errorf("tt: key %x: %#04x is the code of no move", k, uint16(e.Move))
	}
	return nil
}

// possible reports whether m is NoMove or a move that is legal in some position
// by its kind and squares.
func possible(m chess.Move) bool {
	from, to := m.From(), m.To()
	attacks := chess.QueenAttacks(from, 0) | chess.KnightAttacks(from)
	step := chess.KingAttacks(from).Has(to)
	switch {
	case m == chess.NewMove(from, to):
		return m == chess.NoMove || attacks.Has(to)
	case m.IsCastling():
		return from.Rank() == to.Rank() && (chess.Rank1 | chess.Rank8).Has(from) && from != to
	case m.IsEnPassant():
		return step && from.File() != to.File() &&
			(from.Rank() == 4 && to.Rank() == 5 || from.Rank() == 3 && to.Rank() == 2)
	case m == chess.NewPromotion(from, to, m.Promotion()):
		return step && (from.Rank() == 6 && to.Rank() == 7 || from.Rank() == 1 && to.Rank() == 0)
	}
	return false
}
