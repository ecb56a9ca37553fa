// Package movegen generates legal moves: all moves of a position or those of a
// stage, the legality of a single move, and perft.
//
//	p := position.Start()
//	for _, m := range movegen.Legal(&p) {
//		fmt.Println(m) // a2a3 and so on
//	}
//	var list chess.MoveList
//	movegen.Generate(&p, movegen.Noisy, &list) // captures and promotions
//	fmt.Println(list.Len(), movegen.Count(&p)) // 0 20
//	if movegen.IsLegal(&p, m) { // m is any chess.Move, also one from outside
//		p = p.After(m)
//	}
//
// Generate, Count and IsLegal allocate nothing. All functions are safe for
// concurrent use.
package movegen

import (
	"unsafe"

	"skein/chess"
	"skein/internal/invariant"
	"skein/position"
)

// Stage selects which moves to generate.
type Stage uint8

// The stages. Noisy moves are captures and promotions, quiet ones all others.
const (
	Noisy Stage = 1 << iota
	Quiet
	All = Noisy | Quiet
)

// Generate appends the legal moves of the stage to list. Their order is a
// function of the position.
func Generate(p *position.Position, stage Stage, list *chess.MoveList) {
	var before int
	if invariant.Enabled {
		before = list.Len()
	}
	if p.SideToMove() == chess.White {
		generate[white, listing](p, stage, list)
	} else {
		generate[black, listing](p, stage, list)
	}
	if invariant.Enabled {
		invariant.NoError(validateMoves(p, stage, list.Slice()[before:], sampled(p)))
	}
}

// Count returns the number of legal moves. It is faster than generating them.
func Count(p *position.Position) int {
	var list chess.MoveList
	return count(p, &list)
}

// count is Count with a list to use as scratch space, because zeroing a list
// takes longer than counting.
func count(p *position.Position, list *chess.MoveList) int {
	list.Clear()
	if p.SideToMove() == chess.White {
		generate[white, counting](p, All, list)
	} else {
		generate[black, counting](p, All, list)
	}
	if invariant.Enabled && sampled(p) {
		invariant.NoError(validateCount(p, list.Len()))
	}
	return list.Len()
}

// Legal returns all legal moves in a new slice; Generate is faster.
func Legal(p *position.Position) []chess.Move {
	var list chess.MoveList
	Generate(p, All, &list)
	return list.Slice()
}

// The side to move and the purpose are type parameters whose marker types
// differ in size, so that the compiler generates specialized code for each,
// with constant shifts and ranks. Types of the same shape would share code.
type (
	white struct{}
	black struct{ _ byte }
	side  interface{ white | black }

	listing  struct{}
	counting struct{ _ byte }
	purpose  interface{ listing | counting }
)

func isCounting[P purpose]() bool {
	var p P
	return unsafe.Sizeof(p) != 0
}

func colorOf[S side]() chess.Color {
	var s S
	return chess.Color(unsafe.Sizeof(s))
}

// forward shifts b by n ranks toward the opponent.
func forward[S side](b chess.Bitboard, n uint) chess.Bitboard {
	if colorOf[S]() == chess.White {
		return b << (8 * n)
	}
	return b >> (8 * n)
}

// generate uses three masks: the squares to which a move resolves a check (all
// if there is none), the pinned pieces, and the squares forbidden to the king.
// No move takes the opponent's king, which can be attacked in positions from
// position.ParseLenient.
//
// The search tries moves with equal scores in this order, which matters with
// weak networks: pawns first and the king last was the strongest.
func generate[S side, P purpose](p *position.Position, stage Stage, list *chess.MoveList) {
	targets := chess.Bitboard(0)
	if stage&Noisy != 0 {
		targets |= p.Of(colorOf[S]().Other()) &^ p.Pieces(chess.King)
	}
	if stage&Quiet != 0 {
		targets |= ^p.Occupied()
	}
	if !p.Checkers().Many() {
		pieceMoves[S, P](p, stage, targets, list)
	}
	kingMoves[S, P](p, stage, targets, list)
}

// kingMoves adds castling and the other king moves.
func kingMoves[S side, P purpose](p *position.Position, stage Stage, targets chess.Bitboard, list *chess.MoveList) {
	us := colorOf[S]()
	counting := isCounting[P]()
	king := p.King(us)
	steps := chess.KingAttacks(king) & targets
	castles, interest := chess.Bitboard(0), steps
	if stage&Quiet != 0 && !p.InCheck() {
		for rooks := p.CastlingRooks(us); rooks != 0; rooks &= rooks - 1 {
			if way := castlingWay(p, chess.NewCastling(king, rooks.First())); way != 0 {
				castles |= rooks & -rooks
				interest |= way
			}
		}
	}
	if interest == 0 {
		return
	}
	danger := attackedBy(p, us.Other(), p.Occupied()&^king.Bit(), interest)
	for castles != 0 {
		if m := chess.NewCastling(king, castles.Pop()); castlingWay(p, m)&danger == 0 {
			list.Add(m)
		}
	}
	addAll(list, king, steps&^danger, counting)
}

// pieceMoves adds the moves of all men but the king, which must not be in
// double check.
func pieceMoves[S side, P purpose](p *position.Position, stage Stage, targets chess.Bitboard, list *chess.MoveList) {
	us := colorOf[S]()
	counting := isCounting[P]()
	ours, occ := p.Of(us), p.Occupied()
	king, pinned := p.King(us), p.Pinned()

	checkMask := chess.All
	if checkers := p.Checkers(); checkers != 0 {
		checkMask = checkers | chess.Between(king, checkers.First())
	}

	pawnMoves[S, P](p, stage, checkMask, list)

	targets &= checkMask
	// A pinned knight never moves.
	for b := p.PiecesOf(us, chess.Knight) &^ pinned; b != 0; {
		from := b.Pop()
		addAll(list, from, chess.KnightAttacks(from)&targets, counting)
	}
	straight := ours & (p.Pieces(chess.Rook) | p.Pieces(chess.Queen))
	diagonal := ours & (p.Pieces(chess.Bishop) | p.Pieces(chess.Queen))
	for b := diagonal &^ pinned; b != 0; {
		from := b.Pop()
		addAll(list, from, chess.BishopAttacks(from, occ)&targets, counting)
	}
	for b := straight &^ pinned; b != 0; {
		from := b.Pop()
		addAll(list, from, chess.RookAttacks(from, occ)&targets, counting)
	}
	if pinned &= diagonal | straight; pinned != 0 {
		for b := pinned & diagonal; b != 0; {
			from := b.Pop()
			addAll(list, from, chess.BishopAttacks(from, occ)&targets&chess.Line(king, from), counting)
		}
		for b := pinned & straight; b != 0; {
			from := b.Pop()
			addAll(list, from, chess.RookAttacks(from, occ)&targets&chess.Line(king, from), counting)
		}
	}
}

// addAll adds the moves from one square to all targets, or only counts them.
func addAll(list *chess.MoveList, from chess.Square, targets chess.Bitboard, counting bool) {
	if counting {
		list.Extend(targets.Count())
	} else {
		listAll(list, from, targets)
	}
}

func listAll(list *chess.MoveList, from chess.Square, targets chess.Bitboard) {
	for targets != 0 {
		list.Add(chess.NewMove(from, targets.Pop()))
	}
}

// pawnMoves adds the moves of all pawns. Pawns that are not pinned are shifted
// as a set; the moves of pinned ones are restricted to the line through the
// king.
func pawnMoves[S side, P purpose](p *position.Position, stage Stage, checkMask chess.Bitboard, list *chess.MoveList) {
	us := colorOf[S]()
	counting := isCounting[P]()
	pawns := p.PiecesOf(us, chess.Pawn)
	king, pinned := p.King(us), p.Pinned()
	occ, theirs := p.Occupied(), p.Of(us.Other())&^p.Pieces(chess.King)
	seventh, third := chess.Rank7, chess.Rank3
	up := chess.Square(8) // unsigned, so that Black's is -8 modulo 256
	if us == chess.Black {
		seventh, third = chess.Rank2, chess.Rank6
		up = -up
	}

	// A pawn pinned along its file may push, one pinned along a diagonal may
	// capture on it.
	pinnedPawns := pawns & pinned
	pushers := pawns &^ (pinnedPawns &^ chess.FileBB(king.File()))
	if stage&Quiet != 0 {
		single := forward[S](pushers&^seventh, 1) &^ occ
		double := forward[S](single&third, 1) &^ occ
		addPawns(list, single&checkMask, up, counting)
		addPawns(list, double&checkMask, 2*up, counting)
	}
	if stage&Noisy == 0 {
		return
	}

	last := forward[S](seventh, 1)
	addPromotions(list, forward[S](pushers&seventh, 1)&^occ&checkMask, up, counting)
	free := pawns &^ pinned
	captures := theirs & checkMask
	west := forward[S](free&^chess.FileA>>1, 1) & captures
	east := forward[S](free&^chess.FileH<<1, 1) & captures
	addPawns(list, west&^last, up-1, counting)
	addPawns(list, east&^last, up+1, counting)
	if (west|east)&last != 0 {
		addPromotions(list, west&last, up-1, counting)
		addPromotions(list, east&last, up+1, counting)
	}
	for pinnedPawns != 0 {
		from := pinnedPawns.Pop()
		to := chess.PawnAttacks(us, from) & captures & chess.Line(king, from)
		addPawns(list, to&^last, to.First()-from, counting)
		addPromotions(list, to&last, to.First()-from, counting)
	}
	if to := p.EnPassant(); to != chess.NoSquare {
		for b := chess.PawnAttacks(us.Other(), to) & pawns; b != 0; {
			if from := b.Pop(); enPassantLegal(p, from, to) {
				list.Add(chess.NewEnPassant(from, to))
			}
		}
	}
}

// addPawns adds the pawn moves to targets, each from the square target - step.
func addPawns(list *chess.MoveList, targets chess.Bitboard, step chess.Square, counting bool) {
	if counting {
		list.Extend(targets.Count())
	} else {
		listPawns(list, targets, step)
	}
}

func listPawns(list *chess.MoveList, targets chess.Bitboard, step chess.Square) {
	for targets != 0 {
		to := targets.Pop()
		list.Add(chess.NewMove(to-step, to))
	}
}

// addPromotions adds all promotions to targets, each from the square target -
// step.
func addPromotions(list *chess.MoveList, targets chess.Bitboard, step chess.Square, counting bool) {
	if counting {
		list.Extend(4 * targets.Count())
	} else {
		listPromotions(list, targets, step)
	}
}

func listPromotions(list *chess.MoveList, targets chess.Bitboard, step chess.Square) {
	for targets != 0 {
		to := targets.Pop()
		for t := chess.Queen; t >= chess.Knight; t-- {
			list.Add(chess.NewPromotion(to-step, to, t))
		}
	}
}

// enPassantLegal reports whether the king is safe after an en-passant capture,
// which removes two men from their squares, so that pins do not decide.
func enPassantLegal(p *position.Position, from, to chess.Square) bool {
	us := p.SideToMove()
	taken := (to ^ 8).Bit()
	occ := p.Occupied()&^(from.Bit()|taken) | to.Bit()
	return p.AttackersTo(p.King(us), occ)&p.Of(us.Other())&^taken == 0
}

// castlingWay returns the squares that the king crosses or enters, which must
// not be attacked once the king has left its own; none if a man blocks the king
// or the rook, or the rook is pinned along the rank.
func castlingWay(p *position.Position, m chess.Move) chess.Bitboard {
	king, rook := m.From(), m.To()
	blockers := p.Occupied() &^ (king.Bit() | rook.Bit())
	// The usual case, men between king and rook, is tested first.
	if chess.Between(king, rook)&blockers != 0 || p.Pinned().Has(rook) {
		return 0
	}
	kingTo, rookTo := m.CastlingTargets()
	kingWay := chess.Between(king, kingTo) | kingTo.Bit()
	rookWay := chess.Between(rook, rookTo) | rookTo.Bit()
	if (kingWay|rookWay)&blockers != 0 {
		return 0
	}
	return kingWay
}

// attackedBy returns the squares of interest, and possibly others, that c
// attacks with the given occupancy. It skips sliders that have no line to any
// square of interest.
func attackedBy(p *position.Position, c chess.Color, occ, interest chess.Bitboard) chess.Bitboard {
	b := chess.PawnsAttack(c, p.PiecesOf(c, chess.Pawn)) | chess.KingAttacks(p.King(c))
	for n := p.PiecesOf(c, chess.Knight); n != 0; {
		b |= chess.KnightAttacks(n.Pop())
	}
	queens := p.Pieces(chess.Queen)
	for n := p.Of(c) & (p.Pieces(chess.Bishop) | queens); n != 0; {
		if s := n.Pop(); chess.BishopRays(s)&interest != 0 {
			b |= chess.BishopAttacks(s, occ)
		}
	}
	for n := p.Of(c) & (p.Pieces(chess.Rook) | queens); n != 0; {
		if s := n.Pop(); chess.RookRays(s)&interest != 0 {
			b |= chess.RookAttacks(s, occ)
		}
	}
	return b
}

// IsLegal reports whether m, which may be any 16-bit code, is a legal move in
// p: one that Generate generates.
//
//go:noinline
func IsLegal(p *position.Position, m chess.Move) bool {
	// Not inlined, since copies crowd the instruction cache; see docs/search.md.
	us := p.SideToMove()
	from, to := m.From(), m.To()
	piece := p.At(from)
	if !p.Of(us).Has(from) {
		return false
	}
	king, occ := p.King(us), p.Occupied()
	if m.IsCastling() {
		if from != king || !p.CastlingRooks(us).Has(to) || p.InCheck() {
			return false
		}
		way := castlingWay(p, m)
		return way != 0 && way&attackedBy(p, us.Other(), occ&^king.Bit(), way) == 0
	}
	if (p.Of(us) | p.Pieces(chess.King)).Has(to) {
		return false
	}
	if m.IsEnPassant() {
		return piece.Type() == chess.Pawn && to == p.EnPassant() &&
			chess.PawnAttacks(us, from).Has(to) && enPassantLegal(p, from, to)
	}
	if m.IsPromotion() {
		if m != chess.NewPromotion(from, to, m.Promotion()) || piece.Type() != chess.Pawn {
			return false
		}
	} else if m != chess.NewMove(from, to) {
		return false // not a kind of move
	}

	switch piece.Type() {
	case chess.King:
		return chess.KingAttacks(from).Has(to) &&
			p.AttackersTo(to, occ&^from.Bit())&p.Of(us.Other()) == 0
	case chess.Pawn:
		if m.IsPromotion() != (chess.Rank1|chess.Rank8).Has(to) || !pawnReaches(p, us, from, to, occ) {
			return false
		}
	default:
		if !chess.Attacks(piece.Type(), from, occ).Has(to) {
			return false
		}
	}
	checkers := p.Checkers()
	if checkers.Many() {
		return false
	}
	if checkers != 0 && !(checkers | chess.Between(king, checkers.First())).Has(to) {
		return false
	}
	return !p.Pinned().Has(from) || chess.Line(king, from).Has(to)
}

// pawnReaches reports whether a pawn of color us can move from from to to by a
// push or a capture other than en passant.
func pawnReaches(p *position.Position, us chess.Color, from, to chess.Square, occ chess.Bitboard) bool {
	if chess.PawnAttacks(us, from).Has(to) {
		return p.Of(us.Other()).Has(to)
	}
	up := 8
	if us == chess.Black {
		up = -8
	}
	switch int(to) - int(from) {
	case up:
		return !occ.Has(to)
	case 2 * up:
		return from.Relative(us).Rank() == 1 && occ&(chess.Between(from, to)|to.Bit()) == 0
	}
	return false
}
