package chess

//go:generate go run gen_magics.go

// magic finds the attacks of a slider on one square by one multiplication.
// Source: P. Kannan, "Magic Move-Bitboard Generation in Computer Chess", 2007
// ("fancy" variant: a table of its own size per square).
type magic struct {
	mask    Bitboard
	factor  uint64
	attacks *[4096]Bitboard // the square's window in the shared table
	shift   uint8
}

func (m *magic) lookup(occ Bitboard) Bitboard {
	return m.attacks[uint64(occ&m.mask)*m.factor>>(m.shift&63)&4095]
}

const (
	rookTableSize   = 102400
	bishopTableSize = 5248
	// Every window has 4096 entries, more than most squares need, so the last
	// windows extend beyond the used part.
	sliderTableSize = rookTableSize + bishopTableSize + 4096
)

var (
	sliderTable  [sliderTableSize]Bitboard
	rookMagics   [64]magic
	bishopMagics [64]magic

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
	rookDirections   = [4]direction{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	bishopDirections = [4]direction{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
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
// It is the specification of the magic lookups.
func slide(s Square, occ Bitboard, dirs [4]direction) Bitboard {
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

// relevant returns the squares whose occupancy matters to a slider on s: its
// empty-board attacks without the last square of each ray.
func relevant(s Square, dirs [4]direction) Bitboard {
	edges := (Rank1|Rank8)&^RankOf(s.Rank()) | (FileA|FileH)&^FileOf(s.File())
	return slide(s, 0, dirs) &^ edges
}

func init() {
	offset := 0
	for s := A1; s <= H8; s++ {
		offset += rookMagics[s].fill(s, rookDirections, rookFactors[s], offset)
	}
	for s := A1; s <= H8; s++ {
		offset += bishopMagics[s].fill(s, bishopDirections, bishopFactors[s], offset)
	}
	for s := A1; s <= H8; s++ {
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

// fill builds the square's part of the table at offset and returns its size.
func (m *magic) fill(s Square, dirs [4]direction, factor uint64, offset int) int {
	m.mask = relevant(s, dirs)
	m.factor = factor
	size := 1 << m.mask.Count()
	m.shift = uint8(64 - m.mask.Count())
	m.attacks = (*[4096]Bitboard)(sliderTable[offset:])
	// Carry-Rippler: every subset of the mask.
	for occ := Bitboard(0); ; {
		m.attacks[uint64(occ)*factor>>m.shift] = slide(s, occ, dirs)
		occ = (occ - m.mask) & m.mask
		if occ == 0 {
			return size
		}
	}
}

// RookAttacks returns what a rook on s attacks when occ is occupied; blockers
// are included whatever their color.
func RookAttacks(s Square, occ Bitboard) Bitboard { return rookMagics[s&63].lookup(occ) }

// BishopAttacks is RookAttacks for a bishop.
func BishopAttacks(s Square, occ Bitboard) Bitboard { return bishopMagics[s&63].lookup(occ) }

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
