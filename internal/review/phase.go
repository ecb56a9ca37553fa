package review

import (
	"fmt"

	"skein/chess"
	"skein/position"
)

// Phase is a part of a game.
type Phase uint8

// The phases. The middlegame begins when ten pieces are left or fewer, kings and
// pawns not counted, or when a player has fewer than four men on the back rank;
// the endgame when six pieces are left.
const (
	OpeningPhase Phase = iota
	Middlegame
	Endgame
)

var phaseNames = []string{"opening", "middlegame", "endgame"}

func (p Phase) String() string { return phaseNames[p] }

// MarshalText implements encoding.TextMarshaler.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (p *Phase) UnmarshalText(text []byte) error {
	for i, name := range phaseNames {
		if name == string(text) {
			*p = Phase(i)
			return nil
		}
	}
	return fmt.Errorf("unknown phase %q", text)
}

// phaseOf returns the phase of a position that comes after one of phase before. A
// game never goes back to an earlier phase.
func phaseOf(p *position.Position, before Phase) Phase {
	pieces := (p.Occupied() &^ p.Pieces(chess.Pawn) &^ p.Pieces(chess.King)).Count()
	sparse := (p.Of(chess.White)&chess.Rank1).Count() < 4 || (p.Of(chess.Black)&chess.Rank8).Count() < 4
	switch {
	case pieces <= 6:
		return Endgame
	case pieces <= 10 || sparse:
		return max(before, Middlegame)
	}
	return before
}
