package movegen

import (
	"fmt"
	"slices"

	"skein/chess"
	"skein/position"
)

// Tally records moves one at a time, for example those of a move picker, and
// checks that they are all legal moves, each of them once. Its zero value is
// empty.
type Tally struct{ moves chess.MoveList }

// Clear empties the tally.
func (t *Tally) Clear() { t.moves.Clear() }

// Add records m. It returns an error if m is not legal in p or already
// recorded.
func (t *Tally) Add(p *position.Position, m chess.Move) error {
	if !IsLegal(p, m) {
		return fmt.Errorf("movegen: %s: %s (code %#04x) is not legal", p.FEN(), m, uint16(m))
	}
	if slices.Contains(t.moves.Slice(), m) {
		return fmt.Errorf("movegen: %s: %s comes twice", p.FEN(), m)
	}
	t.moves.Add(m)
	return nil
}

// Complete returns an error that names a legal move of the stage that is not
// recorded, nil if there is none.
func (t *Tally) Complete(p *position.Position, stage Stage) error {
	var list chess.MoveList
	Generate(p, stage, &list)
	for _, m := range list.Slice() {
		if !slices.Contains(t.moves.Slice(), m) {
			return fmt.Errorf("movegen: %s: %s is missing", p.FEN(), m)
		}
	}
	return nil
}
