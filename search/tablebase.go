package search

import (
	"errors"

	"skein/position"
	"skein/syzygy"
)

// Tablebase is the endgame tablebases of a search and their settings. The zero
// value uses none.
type Tablebase struct {
	Tables *syzygy.Tables // remain open when the Engine is closed
	// ProbeLimit is the maximum number of men, kings included, of positions
	// that are looked up: with 0 none are, with syzygy.MaxMen all that have tables.
	// Positions with exactly so many are looked up only at ProbeDepth or deeper, in
	// plies.
	ProbeLimit, ProbeDepth int
	FiftyMoves             bool // the fifty-move rule applies
}

// consult ranks the root moves by tb and decides which positions are looked up
// within the search. The ranking is empty if the position is not found.
func (r *run) consult(tb *Tablebase, g *position.Game) syzygy.Ranking {
	r.rootHits = 0
	r.endings = endings{tables: tb.Tables, men: tb.ProbeLimit, depth: tb.ProbeDepth, fiftyMoves: tb.FiftyMoves}
	if largest := tb.Tables.Largest(); r.endings.men > largest {
		r.endings.men, r.endings.depth = largest, 0
	}
	if r.weak() {
		r.endings.men = 0
	}
	if g.Pos.Occupied().Count() > r.endings.men {
		return syzygy.Ranking{}
	}
	ranking, err := tb.Tables.RankUntil(g, tb.FiftyMoves, func() bool {
		late := r.limits.NodeTime == 0 && r.timer.elapsed() >= r.timer.hard && !r.control.pondering.Load()
		return late || r.control.stop.Load()
	})
	if errors.Is(err, syzygy.ErrStopped) {
		r.endings.men = 0 // nor is there time for lookups within the search
	}
	if err != nil || len(ranking.Moves) == 0 {
		return syzygy.Ranking{}
	}
	r.rootHits = uint64(len(ranking.Moves))
	if ranking.ByDTZ || ranking.Moves[0].Rank <= 0 {
		// The result is certain, and lookups within the search would hide which
		// line leads to a mate or is hardest to defend.
		r.endings.men = 0
	}
	return ranking
}
