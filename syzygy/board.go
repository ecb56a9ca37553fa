package syzygy

import (
	"skein/chess"
	"skein/position"
)

// board is the part of a position needed to resolve captures. It is small
// because it is copied for every capture.
type board struct {
	men       [2][6]chess.Bitboard // by Color and PieceType
	of        [2]chess.Bitboard    // by Color
	material  material
	side      chess.Color
	enPassant chess.Square // NoSquare unless such a capture is legal
}

// set makes b the board of p.
func (b *board) set(p *position.Position) {
	b.material = 0
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		b.of[c] = p.Of(c)
		for t := chess.Pawn; t <= chess.King; t++ {
			men := p.PiecesOf(c, t)
			b.men[c][t] = men
			if t != chess.King {
				b.material += unit(c, t) * material(men.Count())
			}
		}
	}
	b.side, b.enPassant = p.SideToMove(), p.EnPassant()
}

// captureList is a list of captures. Three men can take three and, as pawns,
// promote to four types: no division of seven men gives more than 36.
type captureList [64]chess.Move

// captures lists the pseudo-legal captures, promotions by capture and
// en-passant captures included, and returns their number.
func (b *board) captures(list *captureList) int {
	n := 0
	us, them := b.side&1, b.side&1^1
	targets := b.of[them] &^ b.men[them][chess.King]
	occ := b.of[0] | b.of[1]
	for t := chess.Knight; t <= chess.King; t++ {
		for movers := b.men[us][t]; movers != 0; {
			from := movers.Pop()
			for hits := chess.Attacks(t, from, occ) & targets; hits != 0; n++ {
				list[n&63] = chess.NewMove(from, hits.Pop())
			}
		}
	}
	for movers := b.men[us][chess.Pawn]; movers != 0; {
		from := movers.Pop()
		for hits := chess.PawnAttacks(us, from) & targets; hits != 0; {
			to := hits.Pop()
			if !(chess.Rank1 | chess.Rank8).Has(to) {
				list[n&63] = chess.NewMove(from, to)
				n++
				continue
			}
			for promoted := chess.Knight; promoted <= chess.Queen; promoted++ {
				list[n&63] = chess.NewPromotion(from, to, promoted)
				n++
			}
		}
	}
	if b.enPassant != chess.NoSquare {
		for movers := chess.PawnAttacks(them, b.enPassant) & b.men[us][chess.Pawn]; movers != 0; n++ {
			list[n&63] = chess.NewEnPassant(movers.Pop(), b.enPassant)
		}
	}
	return n
}

// capture plays m, a capture of the list, and reports whether it was legal.
func (b *board) capture(m chess.Move, next *board) bool {
	*next = *b
	us, them := b.side&1, b.side&1^1
	from, to := m.From(), m.To()
	target := to
	if m.IsEnPassant() {
		target = to ^ 8
	}
	for t := chess.Pawn; t < chess.King; t++ {
		if b.men[them][t].Has(target) {
			next.men[them][t] ^= target.Bit()
			next.material -= unit(them, t)
			break
		}
	}
	next.of[them] ^= target.Bit()
	for t := chess.Pawn; t <= chess.King; t++ {
		if b.men[us][t].Has(from) {
			next.men[us][t] ^= from.Bit()
			if m.IsPromotion() {
				next.material -= unit(us, t)
				t = m.Promotion()
				next.material += unit(us, t)
			}
			next.men[us][t] |= to.Bit()
			break
		}
	}
	next.of[us] ^= from.Bit() | to.Bit()
	next.side, next.enPassant = them, chess.NoSquare
	return !next.attacked(next.men[us][chess.King].First(), them)
}

// attacked reports whether c attacks s.
func (b *board) attacked(s chess.Square, c chess.Color) bool {
	men := &b.men[c&1]
	if chess.KingAttacks(s)&men[chess.King] != 0 ||
		chess.KnightAttacks(s)&men[chess.Knight] != 0 ||
		chess.PawnAttacks(c.Other(), s)&men[chess.Pawn] != 0 {
		return true
	}
	occ := b.of[0] | b.of[1]
	straight := men[chess.Rook] | men[chess.Queen]
	diagonal := men[chess.Bishop] | men[chess.Queen]
	return chess.RookRays(s)&straight != 0 && chess.RookAttacks(s, occ)&straight != 0 ||
		chess.BishopRays(s)&diagonal != 0 && chess.BishopAttacks(s, occ)&diagonal != 0
}
