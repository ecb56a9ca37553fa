package nnue

import (
	"skein/chess"
	"skein/internal/simd"
)

// Dangers are what threatens a whole side, if it were the opponent's move, as bits of
// which each has a row of weights: the lowest 22 are those of White, the next 22 those of
// Black. With "pieces" for all men but pawns, the bits of a side are:
//
//	0–3    a safe check of its king by a knight, a bishop, a rook, a queen
//	4, 5   one by a queen, a rook from a square beside the king
//	6      a safe move of a knight that attacks two or more of its rooks, queens and king
//	7      a safe move of a pawn that attacks two of its pieces
//	8      a square, not guarded by pawns or minor pieces, from which a knight or a bishop
//	       attacks one of its queens
//	9      one, not guarded by rooks either, from which a rook does so on rank or file
//	10     an unguarded square from which a queen attacks two pieces, of the king and
//	       those that are not guarded
//	11     a threatened piece with no square to go to: one that no lesser piece attacks,
//	       and that is not attacked or that is guarded twice
//	12     a knight or bishop whose move discovers a check
//	13     a pinned piece that a pawn, a minor piece or a rook attacks, or two pieces do
//	       while only one guards it
//	14, 15 a piece, a pawn, not threatened, that two pieces attack and only one guards
//	16     a safe move of a pawn that attacks a knight or bishop
//	17     one of the bits 0 to 3, and no more than one square to which the king can move
//	18     a pawn that can promote within three moves, on free squares that the side does
//	       not attack
//	19, 20 a passed pawn with a free path, faster than the king of a side without other
//	       pieces, if the pawn moves first; if the king does
//	21     the side may castle, which is no danger but for its attacker
//
// A square is safe for a piece if the side does not attack it, or only its king does and
// another type of piece supports it; for a pawn if no pawn of the side attacks it, and
// none of its pieces unless it is supported. For bits 8 and 9 it is enough that it is
// supported by a type of piece besides. Two pieces, and twice, are pieces of two types,
// or two pawns. Bit 16 counts no minor pieces that a pawn already attacks. Pieces that
// move still block lines.
type Dangers uint64

const (
	dangersOfSide = 22
	firstDangers  = 8 // those of networks of the format's version 4
)

// DangerRows is the number of rows of weights of dangers: those of the own side, then
// those of the opponent.
const DangerRows = 2 * dangersOfSide

// seenBy returns the dangers with those of c in the low bits.
func (d Dangers) seenBy(c chess.Color) Dangers {
	if c&1 == chess.Black {
		return d>>dangersOfSide | d&(1<<dangersOfSide-1)<<dangersOfSide
	}
	return d
}

// dangers returns the dangers of both sides.
func (m *men) dangers(t *simd.Threats) Dangers {
	return m.dangersOf(chess.White, t) | m.dangersOf(chess.Black, t)<<dangersOfSide
}

// dangersOf returns the dangers of color c in the low bits: those in t and the ones that take longer to find.
func (m *men) dangersOf(c chess.Color, t *simd.Threats) Dangers {
	c &= 1
	us, kings := m.byColor[c], m.byType[chess.King]
	pieces := us &^ m.byType[chess.Pawn]
	d := Dangers(t.Dangers[c])
	if threatened := chess.Bitboard(t.Hanging|t.ByLesser) & pieces; threatened != 0 {
		d |= m.trapped(threatened, c, t)
	}
	if pieces == us&kings {
		d |= m.uncatchable(c)
	}
	return d
}

// trapped returns bit 11 if one of some pieces of c has no safe square to go to.
func (m *men) trapped(b chess.Bitboard, c chess.Color, t *simd.Threats) Dangers {
	barred := chess.Bitboard(t.All[c^1]&^t.Twice[c]) | m.byColor[c]
	for b != 0 {
		s := b.Pop()
		kind, lesser := chess.Knight, t.Pawns[c^1]
		switch {
		case m.byType[chess.Bishop].Has(s):
			kind = chess.Bishop
		case m.byType[chess.Rook].Has(s):
			kind, lesser = chess.Rook, t.Minors[c^1]
		case m.byType[chess.Queen].Has(s):
			kind, lesser = chess.Queen, t.Rooks[c^1]
		}
		if chess.Attacks(kind, s, m.byColor[0]|m.byColor[1])&^barred&^chess.Bitboard(lesser) == 0 {
			return 1 << 11
		}
	}
	return 0
}

// uncatchable returns bit 19 if a pawn of the opponent of c is free to advance to its last rank and faster than the
// king if it moves first, bit 20 if it is so even if the king does.
func (m *men) uncatchable(c chess.Color) (d Dangers) {
	us, all, pawns := m.byColor[c], m.byColor[0]|m.byColor[1], m.byType[chess.Pawn]
	king := (us & m.byType[chess.King]).First()
	for b := all &^ us & pawns; b != 0; {
		s := b.Pop()
		last, steps, front := 0, s.Rank(), chess.FileBB(s.File())&(s.Bit()-1)
		if c == chess.Black {
			last, steps, front = 7, 7-s.Rank(), chess.FileBB(s.File())&^(s.Bit()|(s.Bit()-1))
		}
		if front&all != 0 || (front|front&^chess.FileA>>1|front&^chess.FileH<<1)&us&pawns != 0 {
			continue
		}
		steps = min(steps, 5)
		switch distance := max(abs(s.File()-king.File()), abs(last-king.Rank())); {
		case distance > steps+1:
			d |= 1<<19 | 1<<20
		case distance > steps:
			d |= 1 << 19
		}
	}
	return d
}

func abs(x int) int { return max(x, -x) }
