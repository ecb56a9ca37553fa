package record

import "skein/position"

// Filter selects positions of a game for training. The zero value keeps all.
type Filter struct {
	MinMove  int  // minimum move number
	MaxScore int  // maximum absolute score, in 1/256 pawn; 0 is no limit
	Quiet    bool // only positions not in check whose move is neither a capture nor a promotion
}

// DefaultFilter returns a filter that keeps quiet positions with scores within
// ±10000.
func DefaultFilter() Filter { return Filter{MaxScore: 10000, Quiet: true} }

// Keep reports whether p, in which ply was played, passes the filter.
func (f *Filter) Keep(p *position.Position, ply Ply) bool {
	score := int(ply.Score)
	return p.Fullmoves() >= f.MinMove &&
		(f.MaxScore == 0 || max(score, -score) <= f.MaxScore) &&
		!(f.Quiet && (p.InCheck() || p.IsNoisy(ply.Move)))
}
