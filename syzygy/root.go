package syzygy

import (
	"cmp"
	"errors"
	"slices"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// RootMove is a legal move with its tablebase result.
type RootMove struct {
	Move chess.Move
	// WDL is the result after the move, for the side that makes it. With the
	// fifty-move rule it takes account of the moves since the last capture or
	// pawn move; ranked by WDL only once a draw can be claimed after the move, so
	// that a Win may be out of reach.
	WDL WDL
	// DTZ is the distance to zeroing in plies, this move included, for the side
	// that makes it: 1 for a mate, or a move that captures or is a pawn's and
	// wins. Ranked by WDL it is 0.
	DTZ int
	// Rank orders the moves: a higher rank is better; moves of equal rank are
	// equally good for the tables. Wins, cursed ones included, are above 0,
	// draws 0, losses below.
	Rank int
}

// Ranking lists all legal moves of a position, best first.
type Ranking struct {
	Moves []RootMove
	// ByDTZ tells that DTZ tables ranked the moves: whoever plays the first
	// each time makes progress. Ranked by WDL a win can be kept forever.
	ByDTZ bool
}

// Best returns the moves of the highest rank.
func (r *Ranking) Best() []RootMove {
	n := 0
	for n < len(r.Moves) && r.Moves[n].Rank == r.Moves[0].Rank {
		n++
	}
	return r.Moves[:n]
}

// certain is the rank of moves that win, whatever else, before a draw can be
// claimed. Others rank lower by distance.
const certain = 1 << 20

// Rank ranks the legal moves of the game's position by distance to zeroing, or,
// if a DTZ table is missing or no good, by result. With fiftyMoves results are
// those under the fifty-move rule, as far as the tables tell: see RootMove.
//
// Moves that win for certain rank equally, so that a search can choose a mate
// among them or keep its pieces, until half of the moves left are spent or a
// position was repeated. Then the shortest distance ranks first.
func (t *Tables) Rank(g *position.Game, fiftyMoves bool) (Ranking, error) {
	return t.RankUntil(g, fiftyMoves, func() bool { return false })
}

// ErrStopped is the error of RankUntil if it was stopped.
var ErrStopped = errors.New("syzygy: stopped")

// RankUntil is Rank, but calls stopped before each move, since lookups on a slow disk
// may take seconds in all. Once that returns true, the error is ErrStopped.
func (t *Tables) RankUntil(g *position.Game, fiftyMoves bool, stopped func() bool) (Ranking, error) {
	if err := t.check(&g.Pos); err != nil {
		return Ranking{}, err
	}
	moves, err := t.rank(g, stopped, func(m chess.Move, next *position.Position) (RootMove, error) {
		return t.rankByDTZ(g, m, next, fiftyMoves)
	})
	if err == nil {
		return Ranking{moves, true}, nil
	}
	if errors.Is(err, ErrStopped) {
		return Ranking{}, err
	}
	moves, err = t.rank(g, stopped, func(m chess.Move, next *position.Position) (RootMove, error) {
		if occurrences(g, next.Key()) >= 2 {
			return RootMove{Move: m}, nil // the third time
		}
		v, err := t.ProbeWDL(next)
		switch v = -v; {
		case !fiftyMoves:
			v = v.Final()
		case next.Halfmoves() >= 100 && !isMate(next):
			v = min(max(v, BlessedLoss), CursedWin)
		}
		return RootMove{Move: m, WDL: v, Rank: int(v)}, err
	})
	return Ranking{moves, false}, err
}

// rank ranks all moves with f, which gets the position after each.
func (t *Tables) rank(
	g *position.Game, stopped func() bool, f func(chess.Move, *position.Position) (RootMove, error),
) ([]RootMove, error) {
	legal := movegen.Legal(&g.Pos)
	moves := make([]RootMove, len(legal))
	for i, m := range legal {
		if stopped() {
			return nil, ErrStopped
		}
		next := g.Pos.After(m)
		var err error
		if moves[i], err = f(m, &next); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(moves, func(a, b RootMove) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.DTZ, b.DTZ))
	})
	return moves, nil
}

// rankByDTZ ranks the move m, which leads to next.
func (t *Tables) rankByDTZ(g *position.Game, m chess.Move, next *position.Position, fiftyMoves bool) (RootMove, error) {
	n, err := t.distanceAfter(g, next)
	if err != nil {
		return RootMove{}, err
	}
	clock := g.Pos.Halfmoves()
	if !fiftyMoves {
		clock = 0
	}
	r := RootMove{Move: m, DTZ: n, WDL: result(n, clock)}
	if next.Halfmoves() == 0 || isMate(next) { // the clock no longer counts
		r.WDL = result(n, 0)
	}
	if !fiftyMoves {
		r.WDL = r.WDL.Final()
	}
	switch {
	case n == 0:
	case n > 0:
		r.Rank = certain
		if (fiftyMoves && n+2*clock > 99) || repeated(g) {
			r.Rank = certain/2 - n - clock
		}
	default:
		// Lost moves rank equally unless a draw by the rule is in sight.
		r.Rank = -certain
		if fiftyMoves && -2*n+clock >= 100 {
			r.Rank = -certain/2 - n + clock
		}
	}
	return r, nil
}

// distanceAfter returns the distance to zeroing of a move that leads to next,
// for the side that makes it.
func (t *Tables) distanceAfter(g *position.Game, next *position.Position) (int, error) {
	switch {
	case isMate(next):
		return 1, nil
	case next.Halfmoves() == 0:
		v, err := t.ProbeWDL(next)
		if v == Draw {
			return 0, err
		}
		return beforeZeroing(-v), err
	case occurrences(g, next.Key()) >= 2:
		return 0, nil // the third time
	}
	n, err := t.ProbeDTZ(next)
	switch n = -n; {
	case n > 0:
		n++
	case n < 0:
		n--
	}
	return n, err
}

// result returns the result of a distance under the fifty-move rule.
func result(n, clock int) WDL {
	switch {
	case n > 0 && n+clock <= 100:
		return Win
	case n > 0:
		return CursedWin
	case n < 0 && -n+clock <= 100:
		return Loss
	case n < 0:
		return BlessedLoss
	}
	return Draw
}

// occurrences counts the positions of the game with the key.
func occurrences(g *position.Game, key chess.Key) int {
	n := 0
	if g.Pos.Key() == key {
		n++
	}
	for _, k := range g.Keys {
		if k == key {
			n++
		}
	}
	return n
}

// repeated reports whether a position has occurred twice since the last capture
// or pawn move.
func repeated(g *position.Game) bool {
	for i, k := range g.Keys {
		if k == g.Pos.Key() || slices.Contains(g.Keys[:i], k) {
			return true
		}
	}
	return false
}
