package record

import "skein/position"

// Filter chooses the positions of a game that are worth learning from. The zero
// value keeps all.
type Filter struct {
	MinMove  int  // leave out positions before this move of the game
	MaxScore int  // leave out scores beyond this, in 1/256 pawn; 0 is none
	Quiet    bool // leave out positions in check and those whose move is a capture or a promotion
}

// DefaultFilter keeps the positions that static evaluation can be right about.
func DefaultFilter() Filter { return Filter{MaxScore: 10000, Quiet: true} }

// Keep reports whether p, in which ply was played, passes.
func (f *Filter) Keep(p *position.Position, ply Ply) bool {
	score := int(ply.Score)
	return p.Fullmoves() >= f.MinMove &&
		(f.MaxScore == 0 || max(score, -score) <= f.MaxScore) &&
		!(f.Quiet && (p.InCheck() || p.IsNoisy(ply.Move)))
}
