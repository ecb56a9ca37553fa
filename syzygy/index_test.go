package syzygy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"skein/chess"
)

// TestCatalog counts the endings and reads their names.
func TestCatalog(t *testing.T) {
	c := endings()
	var byMen [MaxMen + 1]int
	for i, m := range c.endings {
		byMen[m.men()]++
		if c.number(m) != i || c.number(m.mirrored()) != i || c.numbers[m.String()] != i {
			t.Errorf("%s has numbers %d, %d, %d, want %d", m, c.number(m), c.number(m.mirrored()),
				c.numbers[m.String()], i)
		}
	}
	if want := [MaxMen + 1]int{3: 5, 30, 110, 365, 1001}; byMen != want {
		t.Errorf("endings by men: %v, want %v", byMen, want)
	}
	for _, name := range []string{"KQvK", "KRPvKR", "KBNvK", "KQPvKRR", "KNNvKP", "KRBNvKQP"} {
		if _, ok := c.numbers[name]; !ok {
			t.Errorf("no ending %s", name)
		}
	}
	for _, m := range []material{0, 1 << 40, 15} {
		if n := c.number(m); n != -1 {
			t.Errorf("material %x has number %d", uint64(m), n)
		}
	}
}

// encodings returns encodings of m, pawn ones for each file, in some order.
func encodings(t *testing.T, rng *rand.Rand, m material) []*encoding {
	t.Helper()
	var kinds []chess.Piece
	for _, c := range [2]chess.Color{chess.White, chess.Black} {
		for kind := chess.Pawn; kind <= chess.King; kind++ {
			if m.count(c, kind) > 0 {
				kinds = append(kinds, chess.MakePiece(c, kind))
			}
		}
	}
	for {
		rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		e := encoding{kinds: kinds, second: m.count(0, chess.Pawn) > 0 && m.count(1, chess.Pawn) > 0}
		if !e.setGroups(m) {
			continue
		}
		files := 1
		if e.lead == leadPawns {
			files = 4
		}
		var all []*encoding
		order, second := rng.IntN(e.count), rng.IntN(e.count)
		for file := range files {
			e := e
			if !e.setFactors(order, second, file) {
				break
			}
			all = append(all, &e)
		}
		if len(all) == files {
			return all
		}
	}
}

// place returns the file of the leading pawn and the squares of b.
func place(b *board, all []*encoding) (int, squares) {
	var s squares
	e, n, file := all[0], 0, 0
	for i, kind := range e.kinds {
		s, n = b.place(kind, s, n, chess.White, 0)
		if i == 0 && e.lead == leadPawns {
			s = s.leadingFirst(n)
			file = min(s.at(0).File(), 7-s.at(0).File())
		}
	}
	return file, s
}

// images are the reflections of the board that leave an index unchanged.
func images(b *board, pawns bool) []board {
	reflect := func(b board, f func(chess.Square) chess.Square) board {
		n := b
		for c := range b.men {
			for kind, set := range b.men[c] {
				n.men[c][kind] = 0
				for set != 0 {
					n.men[c][kind] |= f(set.Pop()).Bit()
				}
			}
		}
		return n
	}
	all := []board{*b, reflect(*b, func(s chess.Square) chess.Square { return s ^ 7 })}
	if !pawns {
		for _, b := range all[:2] {
			all = append(all, reflect(b, func(s chess.Square) chess.Square { return s ^ 56 }))
		}
		for _, b := range all[:4] {
			all = append(all, reflect(b, func(s chess.Square) chess.Square { return s>>3 | s&7<<3 }))
		}
	}
	return all
}

// sameLead reports whether the leading men are on the same squares.
func sameLead(e *encoding, a, b *board) bool {
	n := 0
	for _, kind := range e.kinds {
		if n < e.groups[0].end && a.men[kind.Color()][kind.Type()] != b.men[kind.Color()][kind.Type()] {
			return false
		}
		n += a.men[kind.Color()][kind.Type()].Count()
	}
	return true
}

// TestIndex moves single men of random placements of every ending over the
// board: placements with equal indexes are reflections of each other, and
// reflections have equal indexes, unless they leave the leading men, or the
// leading pawn, in place.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range endings().endings {
		all := encodings(t, rng, m)
		b := randomBoard(rng, m)
		index := func(b *board) (int, uint64) {
			file, s := place(b, all)
			i := all[file].index(s)
			if i >= all[file].size {
				t.Fatalf("%s: index %d of %d", m, i, all[file].size)
			}
			return file, i
		}
		type key struct {
			file  int
			index uint64
		}
		seen := map[key]board{}
		kinds := all[0].kinds
		man := kinds[rng.IntN(len(kinds))]
		from := b.men[man.Color()][man.Type()].First()
		for to := chess.A1; to <= chess.H8; to++ {
			n := *b
			n.men[man.Color()][man.Type()] ^= from.Bit() | to.Bit()
			if to == from {
				n = *b
			}
			white, black := n.men[0][chess.King].First(), n.men[1][chess.King].First()
			if to != from && (b.of[0]|b.of[1]).Has(to) || chess.KingAttacks(white).Has(black) ||
				man.Type() == chess.Pawn && (chess.Rank1|chess.Rank8).Has(to) {
				continue
			}
			file, i := index(&n)
			same := false
			reflections := images(&n, m.hasPawns())
			symmetric := slices.ContainsFunc(reflections[1:], func(r board) bool { return sameLead(all[0], &r, &n) })
			if m.hasPawns() {
				_, s := place(&n, all)
				symmetric = n.men[kinds[0].Color()][chess.Pawn].Has(s.at(0) ^ 7)
			}
			for _, r := range reflections {
				if f, j := index(&r); (f != file || j != i) && !symmetric {
					t.Fatalf("%s: a reflection has index %d of file %d, not %d of %d", m, j, f, i, file)
				}
				same = same || seen[key{file, i}].men == r.men
			}
			if _, ok := seen[key{file, i}]; ok && !same {
				t.Fatalf("%s: two placements have index %d", m, i)
			}
			seen[key{file, i}] = n
		}
	}
}

// TestLeading counts: each number of a leading group is that of a placement.
func TestLeading(t *testing.T) {
	kings, three := map[uint16]bool{}, map[uint64]bool{}
	for a := chess.A1; a <= chess.H8; a++ {
		for b := chess.A1; b <= chess.H8; b++ {
			if a == b {
				continue
			}
			var s squares
			s.put(0, a)
			s.put(1, b)
			if a.File() < 4 && !chess.KingAttacks(a).Has(b) {
				k := s.normalized(2)
				kings[geometry.kings[geometry.triangle[k.at(0)]][k.at(1)]] = true
			}
			for c := chess.A1; c <= chess.H8; c++ {
				if c != a && c != b && a.File() < 4 {
					s := s
					s.put(2, c)
					s = s.normalized(3)
					i := threeMen(s.at(0), s.at(1), s.at(2))
					if i >= threeMenSize {
						t.Fatalf("%s %s %s: %d", a, b, c, i)
					}
					three[i] = true
				}
			}
		}
	}
	if len(kings) != kingsSize || len(three) != threeMenSize {
		t.Errorf("%d placements of two kings, %d of three men", len(kings), len(three))
	}
}
