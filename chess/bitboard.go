package chess

import (
	"math/bits"
	"strings"
)

// Bitboard is a set of squares; bit n is Square(n).
type Bitboard uint64

// Files, ranks and the set of all squares.
const (
	FileA Bitboard = 0x0101010101010101
	FileB Bitboard = FileA << 1
	FileC Bitboard = FileA << 2
	FileD Bitboard = FileA << 3
	FileE Bitboard = FileA << 4
	FileF Bitboard = FileA << 5
	FileG Bitboard = FileA << 6
	FileH Bitboard = FileA << 7
	Rank1 Bitboard = 0xff
	Rank2 Bitboard = Rank1 << 8
	Rank3 Bitboard = Rank1 << 16
	Rank4 Bitboard = Rank1 << 24
	Rank5 Bitboard = Rank1 << 32
	Rank6 Bitboard = Rank1 << 40
	Rank7 Bitboard = Rank1 << 48
	Rank8 Bitboard = Rank1 << 56
	All   Bitboard = ^Bitboard(0)

	// LightSquares are the squares of h1's color.
	LightSquares Bitboard = 0x55aa55aa55aa55aa
)

// Bit returns the set that holds s alone.
func (s Square) Bit() Bitboard { return 1 << (s & 63) }

// Has reports whether s is in b.
func (b Bitboard) Has(s Square) bool { return b>>(s&63)&1 != 0 }

// Count returns the number of squares in b.
func (b Bitboard) Count() int { return bits.OnesCount64(uint64(b)) }

// First returns the lowest square of b, NoSquare if b is empty.
func (b Bitboard) First() Square { return Square(bits.TrailingZeros64(uint64(b))) }

// Last returns the highest square of b, which must not be empty.
func (b Bitboard) Last() Square { return Square(63 - bits.LeadingZeros64(uint64(b))) }

// Pop removes the lowest square of b, which must not be empty, and returns it.
func (b *Bitboard) Pop() Square {
	s := b.First()
	*b &= *b - 1
	return s
}

// Many reports whether b holds more than one square.
func (b Bitboard) Many() bool { return b&(b-1) != 0 }

// RankBB returns the eight squares of rank 0-7.
func RankBB(rank int) Bitboard { return Rank1 << (8 * uint(rank) & 63) }

// FileBB returns the eight squares of file 0-7.
func FileBB(file int) Bitboard { return FileA << (uint(file) & 7) }

// HomeRank returns the rank on which c's pieces start.
func HomeRank(c Color) Bitboard { return Rank1 << (56 * uint(c) & 63) }

// String draws the set as eight lines of 'x' and '.', rank 8 first.
func (b Bitboard) String() string {
	var sb strings.Builder
	for rank := 7; rank >= 0; rank-- {
		for file := 0; file < 8; file++ {
			if b.Has(MakeSquare(file, rank)) {
				sb.WriteByte('x')
			} else {
				sb.WriteByte('.')
			}
		}
		sb.WriteByte('\n')
	}
	return sb.String()
}
