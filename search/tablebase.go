package search

import (
	"skein/position"
	"skein/syzygy"
)

// Tablebase tells which endgame tables a search uses, and how. The zero value
// is to use none.
type Tablebase struct {
	Tables *syzygy.Tables // not the Engine's to close
	// ProbeLimit is the number of men, kings included, up to which positions
	// are looked up. Those with exactly so many are only from ProbeDepth on.
	ProbeLimit, ProbeDepth int
	FiftyMoves             bool // the rule counts
}

// consult looks up the root moves in tb and decides what is looked up inside the
// search. The ranking is empty if the tables do not know the position.
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
	ranking, err := tb.Tables.Rank(g, tb.FiftyMoves)
	if err != nil || len(ranking.Moves) == 0 {
		return syzygy.Ranking{}
	}
	r.rootHits = uint64(len(ranking.Moves))
	if ranking.ByDTZ || ranking.Moves[0].Rank <= 0 {
		// The result is certain. What is left is to look for a mate, or for
		// the move that is hardest to answer: a matter of evaluation.
		r.endings.men = 0
	}
	return ranking
}
