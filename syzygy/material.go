package syzygy

import (
	"strings"
	"sync"

	"skein/chess"
)

// MaxMen is the largest number of men on the board, kings included, for which
// tables exist.
const MaxMen = 7

// material counts the men of a position other than the kings, four bits for
// each color and type: pawns to queens of White in the low bits 0-19, of Black
// in the bits 20-39.
type material uint64

const (
	sideBits = 20
	sideMask = 1<<sideBits - 1
)

// unit returns the material of one man, nothing for a king.
func unit(c chess.Color, t chess.PieceType) material {
	if t == chess.King {
		return 0
	}
	return 1 << (sideBits*uint(c) + 4*uint(t))
}

// count returns the number of men of color c and type t.
func (m material) count(c chess.Color, t chess.PieceType) int {
	if t == chess.King {
		return 1
	}
	return int(m >> (sideBits*uint(c) + 4*uint(t)) & 15)
}

// mirrored returns the material with colors exchanged.
func (m material) mirrored() material { return m>>sideBits | m&sideMask<<sideBits }

// symmetric reports whether both sides have the same men.
func (m material) symmetric() bool { return m == m.mirrored() }

// men returns the number of men of both sides, kings included.
func (m material) men() int { return m.menOf(chess.White) + m.menOf(chess.Black) }

// menOf returns the number of men of c, the king included.
func (m material) menOf(c chess.Color) int {
	n := 1
	for t := chess.Pawn; t <= chess.Queen; t++ {
		n += m.count(c, t)
	}
	return n
}

// hasPawns reports whether there are pawns of either color.
func (m material) hasPawns() bool {
	return m.count(chess.White, chess.Pawn)+m.count(chess.Black, chess.Pawn) > 0
}

// letters are those of tables' names, strongest first.
const letters = "KQRBNP"

// side writes the men of c as in a table's name, as KRP.
func (m material) side(c chess.Color) string {
	var sb strings.Builder
	for i := range letters {
		t := chess.PieceTypeOf(letters[i])
		sb.WriteString(strings.Repeat(letters[i:i+1], m.count(c, t)))
	}
	return sb.String()
}

// String returns the name of a table, as KRPvKR.
func (m material) String() string { return m.side(chess.White) + "v" + m.side(chess.Black) }

// canonical reports whether a table would be named so, and not the other way
// round: the side with more men comes first, among equals the one with the
// stronger men.
func (m material) canonical() bool {
	white, black := m.menOf(chess.White), m.menOf(chess.Black)
	if white != black {
		return white > black
	}
	for i := range letters {
		t := chess.PieceTypeOf(letters[i])
		if d := m.count(chess.White, t) - m.count(chess.Black, t); d != 0 {
			return d > 0
		}
	}
	return true
}

// catalog numbers the endings that have tables. It is made once and then
// only read.
type catalog struct {
	endings []material     // canonical, by number
	numbers map[string]int // by name
	// A hash table with open addressing: slots has the material with the colors both
	// ways, 0 if it is free, and values the number of its ending.
	slots  [slotCount]material
	values [slotCount]uint16
}

const (
	slotBits  = 13 // 3002 keys
	slotCount = 1 << slotBits
)

// slot is where the search for m begins.
// Source: D. Knuth, "The Art of Computer Programming", 6.4 (multiplicative
// hashing).
func slot(m material) uint { return uint(uint64(m) * 0x9e3779b97f4a7c15 >> (64 - slotBits)) }

// endings is the catalog of all endings of three to seven men.
var endings = sync.OnceValue(func() *catalog {
	c := &catalog{numbers: map[string]int{}}
	for men := 3; men <= MaxMen; men++ {
		c.enumerate(0, 0, men-2)
	}
	return c
})

// enumerate adds the endings of m and n men more, of kinds from kind on: 0-4
// are White's pawn to queen, 5-9 Black's.
func (c *catalog) enumerate(m material, kind, n int) {
	if n == 0 {
		if m.canonical() {
			c.add(m)
		}
		return
	}
	for ; kind < 10; kind++ {
		c.enumerate(m+1<<(4*kind), kind, n-1)
	}
}

func (c *catalog) add(m material) {
	n := len(c.endings)
	c.endings = append(c.endings, m)
	c.numbers[m.String()] = n
	c.insert(m, n)
	if !m.symmetric() {
		c.insert(m.mirrored(), n)
	}
}

func (c *catalog) insert(m material, number int) {
	i := slot(m)
	for c.slots[i] != 0 {
		i = (i + 1) % slotCount
	}
	c.slots[i], c.values[i] = m, uint16(number)
}

// number returns the number of the ending, -1 if no table can exist.
func (c *catalog) number(m material) int {
	for i := slot(m); ; i = (i + 1) % slotCount {
		switch c.slots[i] {
		case 0:
			return -1
		case m:
			return int(c.values[i])
		}
	}
}
