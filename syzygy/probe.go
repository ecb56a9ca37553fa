package syzygy

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// WDL is the result of a position with best play, for the side to move.
type WDL int8

// The results. A cursed win is one that the fifty-move rule turns into a draw,
// a blessed loss one that it saves.
const (
	Loss WDL = iota - 2
	BlessedLoss
	Draw
	CursedWin
	Win
)

// String returns the name of the result.
func (w WDL) String() string {
	switch w {
	case Loss:
		return "loss"
	case BlessedLoss:
		return "blessed loss"
	case Draw:
		return "draw"
	case CursedWin:
		return "cursed win"
	case Win:
		return "win"
	}
	return "WDL(" + strconv.Itoa(int(w)) + ")"
}

// Final returns the result without the fifty-move rule.
func (w WDL) Final() WDL {
	switch {
	case w > Draw:
		return Win
	case w < Draw:
		return Loss
	}
	return Draw
}

// ProbeWDL returns the result of p as if its halfmove clock were zero: it is exact
// after captures and pawn moves, and otherwise ignores how many moves are left
// until a draw may be claimed.
//
// Only WDL tables are needed: that of p and, because captures are searched, those
// of the endings that they lead to. It allocates nothing.
func (t *Tables) ProbeWDL(p *position.Position) (WDL, error) {
	if err := t.check(p); err != nil {
		return Draw, err
	}
	var b board
	b.set(p)
	v, _, err := t.wdl(p, &b)
	return v, err
}

// ProbeDTZ returns the distance to zeroing: the number of plies to the next
// capture or pawn move, or to mate, if the winning side minimizes and the other
// side maximizes it. It is positive if the side to move wins, negative if it loses,
// 0 in a draw. Results that the fifty-move rule changes have distances beyond
// 100 or -100: 100 is added if the win is cursed by a later phase of the game.
//
// A position that is won by a capture or pawn move has distance 1, one that is
// mate -1. The true distance may be one ply more (never less) if the tables of
// the ending store moves and not plies; they do not where it would change the
// result after a capture or pawn move.
//
// Tables of both kinds are needed. It allocates nothing.
func (t *Tables) ProbeDTZ(p *position.Position) (int, error) {
	if err := t.check(p); err != nil {
		return 0, err
	}
	return t.distance(p)
}

// check tells whether p can be in the tables.
func (t *Tables) check(p *position.Position) error {
	if p.Occupied().Count() > t.Largest() {
		return ErrMen
	}
	if p.CastlingRooks(chess.White)|p.CastlingRooks(chess.Black) != 0 {
		return ErrCastling
	}
	us := p.SideToMove()
	if p.Pieces(chess.Pawn)&(chess.Rank1|chess.Rank8) != 0 ||
		p.AttackersTo(p.King(us.Other()), p.Occupied())&p.Of(us) != 0 {
		return ErrIllegal
	}
	return nil
}

// lookUp returns what the WDL table says about b. If b has a capture that is as
// good, the table may say less: whatever compresses best.
func (t *Tables) lookUp(b *board) (WDL, error) {
	if b.material == 0 {
		return Draw, nil // bare kings have no table
	}
	tab, f, err := t.get(b.material, false)
	if err != nil {
		return Draw, err
	}
	sub, i, _ := tab.locate(b)
	v, err := f.value(sub, i)
	if err == nil && v > 4 {
		err = errData
	}
	if err != nil {
		return Draw, t.condemn(f, tab, err)
	}
	return WDL(v) - 2, nil
}

// resolve returns the result of b, in which no en-passant capture exists, if it is
// between alpha and beta: alpha if it is not above, and at least beta if it is beta or
// more. It searches the captures by alpha-beta.
func (t *Tables) resolve(b *board, alpha, beta WDL) (WDL, error) {
	var list captureList
	var next board
	for _, m := range list[:b.captures(&list)] {
		if !b.capture(m, &next) {
			continue
		}
		v, err := t.resolve(&next, -beta, -alpha)
		if err != nil {
			return Draw, err
		}
		if v = -v; v > alpha {
			if v >= beta {
				return v, nil
			}
			alpha = v
		}
	}
	v, err := t.lookUp(b)
	return max(alpha, v), err
}

// wdl returns the result of p, of which b is the board, and whether the distance
// follows from it without DTZ tables: if a best move is a capture that wins, or if an
// en-passant capture is better than all else or the only kind of legal move.
func (t *Tables) wdl(p *position.Position, b *board) (v WDL, zeroing bool, err error) {
	const none = Loss - 1
	bestCapture, bestEnPassant := none, none
	var list captureList
	var next board
	for _, m := range list[:b.captures(&list)] {
		if !b.capture(m, &next) {
			continue
		}
		v, err := t.resolve(&next, Loss, -bestCapture)
		if err != nil {
			return Draw, false, err
		}
		switch v = -v; {
		case v == Win:
			return Win, true, nil
		case m.IsEnPassant():
			bestEnPassant = max(bestEnPassant, v)
		default:
			bestCapture = max(bestCapture, v)
		}
	}
	if v, err = t.lookUp(b); err != nil {
		return Draw, false, err
	}
	switch {
	case bestEnPassant > max(v, bestCapture):
		return bestEnPassant, true, nil
	case bestCapture >= v || bestEnPassant == v:
		v = max(bestCapture, bestEnPassant)
		return v, v > Draw, nil
	case bestEnPassant > none && v == Draw && onlyEnPassant(p):
		// The table says stalemate, not knowing of the capture.
		return bestEnPassant, true, nil
	}
	return v, false, nil
}

// onlyEnPassant reports whether all legal moves are en-passant captures.
func onlyEnPassant(p *position.Position) bool {
	var list chess.MoveList
	movegen.Generate(p, movegen.All, &list)
	return !slices.ContainsFunc(list.Slice(), func(m chess.Move) bool { return !m.IsEnPassant() })
}

// beforeZeroing is the distance if the best move is a capture or pawn move.
func beforeZeroing(v WDL) int {
	return [5]int{-1, -101, 0, 101, 1}[v+2]
}

// distance returns the distance to zeroing of p. It looks one move ahead if
// the table has only the other side to move.
func (t *Tables) distance(p *position.Position) (int, error) {
	var b board
	b.set(p)
	v, zeroing, err := t.wdl(p, &b)
	if err != nil || v == Draw {
		return 0, err
	}
	if !zeroing && v > Draw {
		zeroing, err = t.winsByPawnMove(p, v)
		if err != nil {
			return 0, err
		}
	}
	if zeroing {
		return beforeZeroing(v), nil
	}
	tab, f, err := t.get(b.material, true)
	if err != nil {
		return 0, err
	}
	sub, i, ok := tab.locate(&b)
	if !ok {
		return t.distanceByMoves(p, v, tab, f)
	}
	n, err := f.distance(sub, i, v)
	if err != nil {
		return 0, t.condemn(f, tab, err)
	}
	if v < Draw {
		n = -n
	}
	return beforeZeroing(v) + n, nil
}

// winsByPawnMove reports whether p has a pawn move that captures nothing and
// has result v, a win.
func (t *Tables) winsByPawnMove(p *position.Position, v WDL) (bool, error) {
	if p.PiecesOf(p.SideToMove(), chess.Pawn) == 0 {
		return false, nil
	}
	var list chess.MoveList
	movegen.Generate(p, movegen.All, &list)
	for _, m := range list.Slice() {
		if p.At(m.From()).Type() != chess.Pawn || p.IsCapture(m) {
			continue
		}
		next := p.After(m)
		var b board
		b.set(&next)
		w, _, err := t.wdl(&next, &b)
		if err != nil || -w == v {
			return err == nil, err
		}
	}
	return false, nil
}

// distanceByMoves returns the distance of p, whose result is v, from those
// after its moves. Captures and pawn moves have been looked at if v is a win; if
// it is a loss, they bring the shortest distance there is. After the other moves the
// same subtable has the other side to move, so this is no endless recursion.
func (t *Tables) distanceByMoves(p *position.Position, v WDL, tab *table, f *file) (int, error) {
	best := math.MaxInt
	if v < Draw {
		best = beforeZeroing(v)
	}
	var list chess.MoveList
	movegen.Generate(p, movegen.All, &list)
	for _, m := range list.Slice() {
		if p.At(m.From()).Type() == chess.Pawn || p.IsCapture(m) {
			continue
		}
		next := p.After(m)
		n, err := t.distance(&next)
		if err != nil {
			return 0, err
		}
		switch n = -n; {
		case v < Draw:
			best = min(best, n-1)
		case n == 1 && isMate(&next):
			return 1, nil
		case n > 0:
			best = min(best, n+1)
		}
	}
	if best == math.MaxInt {
		return 0, t.condemn(f, tab, errContradiction)
	}
	return best, nil
}

var errContradiction = errors.New("corrupt: no move wins a won position")

func isMate(p *position.Position) bool { return p.InCheck() && movegen.Count(p) == 0 }

// distance returns the distance to zeroing of position i, which has result v,
// beyond what is added for the result.
func (sub *subtable) distance(i uint64, v WDL) (int, error) {
	value, err := sub.pairs.at(i)
	if err != nil {
		return 0, err
	}
	n := int(value)
	if sub.flags&flagMapped != 0 {
		// In the order of the file: win, loss, cursed win, blessed loss.
		values := sub.values[[5]int{1, 3, 0, 2, 0}[v+2]]
		if sub.flags&flagWide != 0 {
			n *= 2
		}
		if n >= len(values) {
			return 0, errData
		}
		if sub.flags&flagWide != 0 {
			n = int(values[n]) | int(values[n+1])<<8
		} else {
			n = int(values[n])
		}
	}
	if v == Win && sub.flags&flagWinPlies != 0 || v == Loss && sub.flags&flagLossPlies != 0 {
		return n, nil
	}
	return 2 * n, nil
}
