package syzygy

import "skein/chess"

// squares holds the squares of up to seven men, one in each byte, the first in
// the lowest: a reflection of the board is one operation on the word.
type squares uint64

const everyByte squares = 0x0101010101010101

func (s squares) at(i int) chess.Square       { return chess.Square(s >> (8 * uint(i) & 63) & 63) }
func (s *squares) put(i int, sq chess.Square) { *s |= squares(sq&63) << (8 * uint(i) & 63) }
func (s squares) swapped(i, j int) squares {
	d := squares(s.at(i) ^ s.at(j))
	return s ^ d<<(8*uint(i)&63) ^ d<<(8*uint(j)&63)
}
func (s squares) flippedFiles() squares    { return s ^ 7*everyByte }
func (s squares) flippedRanks() squares    { return s ^ 56*everyByte }
func (s squares) flippedDiagonal() squares { return s>>3&(7*everyByte) | s&(7*everyByte)<<3 }

// sorted puts the squares i to j-1 in ascending order.
func (s squares) sorted(i, j int) squares {
	for k := i + 1; k < j; k++ {
		for l := k; l > i && s.at(l) < s.at(l-1); l-- {
			s = s.swapped(l, l-1)
		}
	}
	return s
}

// offDiagonal is positive above the diagonal a1-h8, negative below, zero on it.
func offDiagonal(s chess.Square) int { return s.Rank() - s.File() }

// Sizes of the leading groups: placements, up to symmetry, of three different
// men, and of two kings that do not touch.
const (
	threeMenSize = 31332
	kingsSize    = 462
)

// Number of squares below the diagonal a1-h8.
const belowDiagonal = 28

// geometry holds the numberings of squares on which the index is built.
var geometry struct {
	binomial [8][64]uint64 // [k][n]: ways to choose k of n

	// triangle numbers the squares a1-d1-d4: those below the diagonal 0-5,
	// those on it 6-9.
	triangle [64]uint8
	// below numbers the squares below the diagonal.
	below [64]uint8
	// kings numbers the placements of two kings, the first in the triangle
	// (by its number there), the second anywhere if the first is off the
	// diagonal, not above the diagonal if it is on it.
	kings [10][64]uint16

	// pawn numbers the squares of pawns: the leading pawn is the one with
	// the highest number. Files count down from the edges to the middle.
	pawn [64]uint8
	// leadingPawn is the index, within its file, of k leading pawns of which
	// the first is on the square; leadingSize their number, by file a-d.
	leadingPawn [6][64]uint32
	leadingSize [6][4]uint32
}

func init() {
	g := &geometry
	for n := range 64 {
		g.binomial[0][n] = 1
		for k := 1; k < 8 && n > 0; k++ {
			g.binomial[k][n] = g.binomial[k][n-1] + g.binomial[k-1][n-1]
		}
	}
	numberTriangle()
	numberKings()
	numberPawns()
}

// inTriangle reports whether s is in a1-d1-d4.
func inTriangle(s chess.Square) bool { return s.File() < 4 && offDiagonal(s) <= 0 }

func numberTriangle() {
	below, inside, diagonal := uint8(0), uint8(0), uint8(6)
	for s := chess.A1; s <= chess.H8; s++ {
		if offDiagonal(s) < 0 {
			geometry.below[s] = below
			below++
		}
		switch {
		case !inTriangle(s):
		case offDiagonal(s) == 0:
			geometry.triangle[s] = diagonal
			diagonal++
		default:
			geometry.triangle[s] = inside
			inside++
		}
	}
}

// numberKings numbers first the placements with a king off the diagonal, then
// those with both on it.
func numberKings() {
	var first [10]chess.Square
	for s := chess.A1; s <= chess.H8; s++ {
		if inTriangle(s) {
			first[geometry.triangle[s]] = s
		}
	}
	n := uint16(0)
	for _, bothOnDiagonal := range [2]bool{false, true} {
		for i, a := range first {
			for b := chess.A1; b <= chess.H8; b++ {
				if a == b || chess.KingAttacks(a).Has(b) || offDiagonal(a) == 0 && offDiagonal(b) > 0 {
					continue
				}
				if (offDiagonal(a) == 0 && offDiagonal(b) == 0) == bothOnDiagonal {
					geometry.kings[i][b] = n
					n++
				}
			}
		}
	}
}

func numberPawns() {
	n := uint8(48)
	for file := range 4 {
		for rank := 1; rank < 7; rank++ {
			n--
			geometry.pawn[chess.MakeSquare(file, rank)] = n
			n--
			geometry.pawn[chess.MakeSquare(7-file, rank)] = n
		}
	}
	for k := 1; k < 6; k++ {
		for file := range 4 {
			index := uint32(0)
			for rank := 1; rank < 7; rank++ {
				s := chess.MakeSquare(file, rank)
				geometry.leadingPawn[k][s] = index
				index += uint32(geometry.binomial[k-1][geometry.pawn[s]])
			}
			geometry.leadingSize[k][file] = index
		}
	}
}

// encoding maps the men of one subtable to an index: the sum over groups of men
// of the number of their placement times a factor.
//
// The first group consists of the leading men: the pawns of one color, or three
// different men, or the two kings. If both colors have pawns, those of the other
// are the second group. All other groups are men of one kind and color.
type encoding struct {
	kinds  []chess.Piece // of men, in the order of the index
	groups [MaxMen]group
	count  int    // of groups
	size   uint64 // indexes are less than this
	lead   leading
	second bool // the second group are pawns
}

type group struct {
	begin, end int // men of the group
	factor     uint64
}

// leading is the kind of the first group.
type leading uint8

const (
	leadPawns leading = iota
	leadThree
	leadKings
)

// leadingOf returns the kind and number of the leading men of an ending whose
// index begins with first.
func leadingOf(m material, first chess.Piece) (leading, int) {
	if m.hasPawns() {
		return leadPawns, m.count(first.Color(), chess.Pawn)
	}
	single := 2 // kings
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		for t := chess.Knight; t <= chess.Queen; t++ {
			if m.count(c, t) == 1 {
				single++
			}
		}
	}
	if single > 2 {
		return leadThree, 3
	}
	return leadKings, 2
}

// index returns the number of the placement, less than e.size. The men are in
// the order of e.kinds; pawn tables have the leading pawn first.
func (e *encoding) index(s squares) uint64 {
	if s.at(0).File() > 3 {
		s = s.flippedFiles()
	}
	lead := e.groups[0].end
	var i uint64
	switch e.lead {
	case leadPawns:
		s, i = leadingPawns(s, lead)
	case leadThree:
		s = s.normalized(3)
		i = threeMen(s.at(0), s.at(1), s.at(2))
	default:
		s = s.normalized(2)
		i = uint64(geometry.kings[geometry.triangle[s.at(0)]%10][s.at(1)&63])
	}
	i *= e.groups[0].factor
	for k := 1; k < e.count; k++ {
		g := &e.groups[k%MaxMen]
		s = s.sorted(g.begin, g.end)
		first := uint64(0)
		if k == 1 && e.second {
			first = 8 // no pawn stands on rank 1
		}
		i += s.combination(g, first) * g.factor
	}
	return i
}

// normalized turns the board, whose first man is on files a-d, so that it is
// in a1-d1-d4 and the first of the n leading men off the diagonal is below it.
func (s squares) normalized(n int) squares {
	if s.at(0).Rank() > 3 {
		s = s.flippedRanks()
	}
	for i := range n {
		if d := offDiagonal(s.at(i)); d > 0 {
			return s.flippedDiagonal()
		} else if d < 0 {
			break
		}
	}
	return s
}

// combination numbers the placements of the men of g, sorted, on the squares
// from first on that earlier men do not occupy.
func (s squares) combination(g *group, first uint64) uint64 {
	n := uint64(0)
	for i := g.begin; i < g.end; i++ {
		sq := s.at(i)
		free := uint64(sq) - first
		for j := range g.begin {
			if s.at(j) < sq {
				free--
			}
		}
		n += geometry.binomial[(i-g.begin+1)&7][free&63]
	}
	return n
}

// leadingPawns numbers n pawns, the leading one first and on files a-d, and
// sorts the others.
func leadingPawns(s squares, n int) (squares, uint64) {
	for k := 2; k < n; k++ {
		for l := k; l > 1 && geometry.pawn[s.at(l)&63] < geometry.pawn[s.at(l-1)&63]; l-- {
			s = s.swapped(l, l-1)
		}
	}
	i := uint64(geometry.leadingPawn[n%6][s.at(0)&63])
	for k := 1; k < n; k++ {
		i += geometry.binomial[k&7][geometry.pawn[s.at(k)&63]&63]
	}
	return s, i
}

// threeMen numbers the placements of three different men that are normalized:
// first those with a off the diagonal, then with b the first off it, then c,
// then those with all three on it.
func threeMen(a, b, c chess.Square) uint64 {
	before := func(x, y chess.Square) uint64 { return uint64(int64(x)-int64(y)) >> 63 }
	// The squares of b and c among the remaining ones.
	bLeft := uint64(b) - before(a, b)
	cLeft := uint64(c) - before(a, c) - before(b, c)
	// On the diagonal a square is its rank.
	const (
		onA = 6 * 63 * 62
		onB = onA + 4*belowDiagonal*62
		onC = onB + 4*7*belowDiagonal
	)
	switch {
	case offDiagonal(a) != 0:
		return uint64(geometry.triangle[a&63])*63*62 + bLeft*62 + cLeft
	case offDiagonal(b) != 0:
		return onA + uint64(a.Rank())*belowDiagonal*62 + uint64(geometry.below[b&63])*62 + cLeft
	case offDiagonal(c) != 0:
		return onB + uint64(a.Rank())*7*belowDiagonal + (uint64(b.Rank())-before(a, b))*belowDiagonal +
			uint64(geometry.below[c&63])
	}
	return onC + uint64(a.Rank())*7*6 + (uint64(b.Rank())-before(a, b))*6 +
		uint64(c.Rank()) - before(a, c) - before(b, c)
}

// leadingFirst puts the leading of n pawns first.
func (s squares) leadingFirst(n int) squares {
	for i := 1; i < n; i++ {
		if geometry.pawn[s.at(i)&63] > geometry.pawn[s.at(0)&63] {
			s = s.swapped(0, i)
		}
	}
	return s
}

// place appends to the i squares of s those of the men of one kind. flip
// exchanges the colors, mirror is 56 to turn the board with them.
func (b *board) place(man chess.Piece, s squares, i int, flip chess.Color, mirror chess.Square) (squares, int) {
	for men := b.men[(man.Color()^flip)&1][man.Type()%6]; men != 0; i++ {
		s.put(i, men.Pop()^mirror)
	}
	return s, i
}

// setFactors computes the factors of the groups. order and second are the
// places at which the first group and the second one, if it is pawns, count;
// the others fill the places that are left. It reports whether the places
// exist.
func (e *encoding) setFactors(order, second, file int) bool {
	e.size = 1
	next, free := 1, 64-e.groups[0].end
	if e.second {
		next, free = 2, 64-e.groups[1].end
	}
	for place := range e.count {
		var g *group
		var n uint64
		switch {
		case place == order:
			g, n = &e.groups[0], e.leadingSize(file)
		case e.second && place == second:
			g = &e.groups[1]
			n = geometry.binomial[g.end-g.begin][48-e.groups[0].end]
		case next == e.count:
			return false
		default:
			g = &e.groups[next]
			n = geometry.binomial[g.end-g.begin][free]
			free -= g.end - g.begin
			next++
		}
		g.factor = e.size
		e.size *= n // placements of seven men fit 42 bits
	}
	return true
}

// leadingSize returns the number of placements of the first group.
func (e *encoding) leadingSize(file int) uint64 {
	switch e.lead {
	case leadPawns:
		return uint64(geometry.leadingSize[e.groups[0].end][file])
	case leadThree:
		return threeMenSize
	}
	return kingsSize
}
