package chess

import "math/bits"

// lines are the lines through a square, each without the square.
type lines struct {
	square, mirrored             Bitboard // the square, and with ranks in reverse order
	file, diagonal, antidiagonal Bitboard
}

// attacks returns what a slider on the square attacks on one of its lines, a file or
// a diagonal: subtracting the square from the occupied squares of the line changes
// the bits up to the first blocker; the other direction does the same with ranks in
// reverse order. Unlike magic bitboards it needs no tables that compete for the
// caches. Source: A. Peshkov and G. Isenberg, "Hyperbola Quintessence", 2007.
func (l *lines) attacks(line, occ Bitboard) Bitboard {
	o := uint64(occ & line)
	up := o - uint64(l.square)
	down := bits.ReverseBytes64(bits.ReverseBytes64(o) - uint64(l.mirrored))
	return Bitboard(up^down) & line
}

var (
	linesOf      [64]lines
	rankTable    [64][8]uint8 // attacks on the first rank, by its inner six squares and by file
	rookRays     [64]Bitboard
	bishopRays   [64]Bitboard
	knightTable  [64]Bitboard
	kingTable    [64]Bitboard
	pawnTable    [2][64]Bitboard
	betweenTable [64][64]Bitboard
	lineTable    [64][64]Bitboard
)

// direction is a step on the board; steps off it are dropped by file distance.
type direction struct{ file, rank int }

var (
	rookDirections   = []direction{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	bishopDirections = []direction{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
)

// step returns the square one step from s, or NoSquare.
func step(s Square, d direction) Square {
	file, rank := s.File()+d.file, s.Rank()+d.rank
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return NoSquare
	}
	return MakeSquare(file, rank)
}

// slide walks from s in each direction up to and including the first blocker.
// It is the specification of the attacks of sliders.
func slide(s Square, occ Bitboard, dirs []direction) Bitboard {
	var b Bitboard
	for _, d := range dirs {
		for t := step(s, d); t != NoSquare; t = step(t, d) {
			b |= t.Bit()
			if occ.Has(t) {
				break
			}
		}
	}
	return b
}

func init() {
	for occ := range rankTable {
		for s := A1; s <= H1; s++ {
			rankTable[occ][s] = uint8(slide(s, Bitboard(occ)<<1, []direction{{1, 0}, {-1, 0}}))
		}
	}
	for s := A1; s <= H8; s++ {
		linesOf[s] = lines{
			square: s.Bit(), mirrored: (s ^ 56).Bit(),
			file:         slide(s, 0, []direction{{0, 1}, {0, -1}}),
			diagonal:     slide(s, 0, []direction{{1, 1}, {-1, -1}}),
			antidiagonal: slide(s, 0, []direction{{1, -1}, {-1, 1}}),
		}
		rookRays[s] = slide(s, 0, rookDirections)
		bishopRays[s] = slide(s, 0, bishopDirections)
		for _, d := range []direction{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			knightTable[s] |= bitOrEmpty(step(s, d))
		}
		for i := range rookDirections {
			kingTable[s] |= bitOrEmpty(step(s, rookDirections[i])) | bitOrEmpty(step(s, bishopDirections[i]))
		}
		pawnTable[White][s] = bitOrEmpty(step(s, direction{-1, 1})) | bitOrEmpty(step(s, direction{1, 1}))
		pawnTable[Black][s] = bitOrEmpty(step(s, direction{-1, -1})) | bitOrEmpty(step(s, direction{1, -1}))
	}
	for a := A1; a <= H8; a++ {
		for b := A1; b <= H8; b++ {
			switch {
			case a == b:
			case RookRays(a).Has(b):
				lineTable[a][b] = RookRays(a)&RookRays(b) | a.Bit() | b.Bit()
				betweenTable[a][b] = RookAttacks(a, b.Bit()) & RookAttacks(b, a.Bit())
			case BishopRays(a).Has(b):
				lineTable[a][b] = BishopRays(a)&BishopRays(b) | a.Bit() | b.Bit()
				betweenTable[a][b] = BishopAttacks(a, b.Bit()) & BishopAttacks(b, a.Bit())
			}
		}
	}
}

func bitOrEmpty(s Square) Bitboard {
	if s == NoSquare {
		return 0
	}
	return s.Bit()
}

// RookAttacks returns what a rook on s attacks when occ is occupied; blockers
// are included whatever their color.
func RookAttacks(s Square, occ Bitboard) Bitboard {
	l, rank := &linesOf[s&63], s&56
	return l.attacks(l.file, occ) | Bitboard(rankTable[occ>>(rank+1)&63][s&7])<<rank
}

// BishopAttacks is RookAttacks for a bishop.
func BishopAttacks(s Square, occ Bitboard) Bitboard {
	l := &linesOf[s&63]
	return l.attacks(l.diagonal, occ) | l.attacks(l.antidiagonal, occ)
}

// QueenAttacks is RookAttacks for a queen.
func QueenAttacks(s Square, occ Bitboard) Bitboard {
	return RookAttacks(s, occ) | BishopAttacks(s, occ)
}

// RookRays returns what a rook on s attacks on an empty board.
func RookRays(s Square) Bitboard { return rookRays[s&63] }

// BishopRays returns what a bishop on s attacks on an empty board.
func BishopRays(s Square) Bitboard { return bishopRays[s&63] }

// KnightAttacks returns what a knight on s attacks.
func KnightAttacks(s Square) Bitboard { return knightTable[s&63] }

// KingAttacks returns what a king on s attacks.
func KingAttacks(s Square) Bitboard { return kingTable[s&63] }

// PawnAttacks returns what a pawn of color c on s attacks.
func PawnAttacks(c Color, s Square) Bitboard { return pawnTable[c&1][s&63] }

// PawnsAttack returns what all pawns of color c in b attack.
func PawnsAttack(c Color, b Bitboard) Bitboard {
	if c == White {
		return b&^FileA<<7 | b&^FileH<<9
	}
	return b&^FileA>>9 | b&^FileH>>7
}

// Attacks returns what a piece of type t (not a pawn) on s attacks.
func Attacks(t PieceType, s Square, occ Bitboard) Bitboard {
	switch t {
	case Knight:
		return KnightAttacks(s)
	case Bishop:
		return BishopAttacks(s, occ)
	case Rook:
		return RookAttacks(s, occ)
	case Queen:
		return QueenAttacks(s, occ)
	case King:
		return KingAttacks(s)
	}
	return 0
}

// Between returns the squares strictly between a and b, empty if they share
// no rank, file or diagonal.
func Between(a, b Square) Bitboard { return betweenTable[a&63][b&63] }

// Line returns the whole rank, file or diagonal through a and b, edge to
// edge; empty if they share none or are equal.
func Line(a, b Square) Bitboard { return lineTable[a&63][b&63] }
