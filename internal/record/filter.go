package record

import (
	"fmt"

	"skein/chess"
	"skein/position"
)

// Filter selects positions of a game for training. The zero value keeps all.
type Filter struct {
	MinMove  int         // minimum move number
	MaxScore chess.Score // maximum absolute score; 0 is no limit
	Quiet    bool        // only positions not in check whose move is neither a capture nor a promotion
}

// DefaultFilter returns a filter that keeps quiet positions with scores within
// ±10000.
func DefaultFilter() Filter { return Filter{MaxScore: 10000, Quiet: true} }

// String describes the filter, for files that say how they were made.
func (f Filter) String() string {
	return fmt.Sprintf("min-move=%d max-score=%d quiet=%t", f.MinMove, f.MaxScore, f.Quiet)
}

// Keep reports whether p, in which ply was played, passes the filter.
func (f *Filter) Keep(p *position.Position, ply Ply) bool {
	return p.Fullmoves() >= f.MinMove &&
		(f.MaxScore == 0 || max(ply.Score, -ply.Score) <= f.MaxScore) &&
		!(f.Quiet && (p.InCheck() || p.IsNoisy(ply.Move)))
}
