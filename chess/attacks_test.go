package chess

import (
	"math/rand/v2"
	"testing"
)

// TestSliders compares the attacks of sliders with the ray walk on every square,
// for sparse, middling and dense boards and for every occupancy of one rank.
func TestSliders(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	occupancies := []Bitboard{0, All}
	for range 300 {
		a, b, c := Bitboard(rng.Uint64()), Bitboard(rng.Uint64()), Bitboard(rng.Uint64())
		occupancies = append(occupancies, a, a&b, a&b&c, a|b)
	}
	for n := range 256 {
		occupancies = append(occupancies, Bitboard(n), Bitboard(n)<<24, Bitboard(n)*FileA>>7&FileA|Bitboard(n)<<56)
	}
	for s := A1; s <= H8; s++ {
		for _, occ := range occupancies {
			rook, bishop := slide(s, occ, rookDirections), slide(s, occ, bishopDirections)
			if got := RookAttacks(s, occ); got != rook {
				t.Fatalf("RookAttacks(%v) =\n%vwant\n%vwith\n%v", s, got, rook, occ)
			}
			if got := BishopAttacks(s, occ); got != bishop {
				t.Fatalf("BishopAttacks(%v) =\n%vwant\n%vwith\n%v", s, got, bishop, occ)
			}
			if got := QueenAttacks(s, occ); got != rook|bishop {
				t.Fatalf("QueenAttacks(%v) =\n%vwant\n%vwith\n%v", s, got, rook|bishop, occ)
			}
		}
		if got, want := RookRays(s), slide(s, 0, rookDirections); got != want {
			t.Errorf("RookRays(%v) =\n%vwant\n%v", s, got, want)
		}
		if got, want := BishopRays(s), slide(s, 0, bishopDirections); got != want {
			t.Errorf("BishopRays(%v) =\n%vwant\n%v", s, got, want)
		}
	}
}

// relevant returns the squares whose occupancy matters to a slider on s: its
// empty-board attacks without the last square of each ray.
func relevant(s Square, dirs []direction) Bitboard {
	edges := (Rank1|Rank8)&^RankBB(s.Rank()) | (FileA|FileH)&^FileBB(s.File())
	return slide(s, 0, dirs) &^ edges
}

// TestSliderOccupancies covers every occupancy of the squares that matter.
func TestSliderOccupancies(t *testing.T) {
	for s := A1; s <= H8; s++ {
		for _, slider := range []struct {
			mask    Bitboard
			dirs    []direction
			attacks func(Square, Bitboard) Bitboard
		}{
			{relevant(s, rookDirections), rookDirections, RookAttacks},
			{relevant(s, bishopDirections), bishopDirections, BishopAttacks},
		} {
			for occ, more := Bitboard(0), true; more; more = occ != 0 {
				if got, want := slider.attacks(s, occ), slide(s, occ, slider.dirs); got != want {
					t.Fatalf("attacks from %v =\n%vwant\n%vwith\n%v", s, got, want, occ)
				}
				occ = (occ - slider.mask) & slider.mask
			}
		}
	}
}

// distance is the number of king moves between two squares.
func distance(a, b Square) int {
	file, rank := a.File()-b.File(), a.Rank()-b.Rank()
	return max(file, -file, rank, -rank)
}

// TestSteps derives the attacks of the pieces that do not slide from
// coordinates.
func TestSteps(t *testing.T) {
	for a := A1; a <= H8; a++ {
		for b := A1; b <= H8; b++ {
			file, rank := b.File()-a.File(), b.Rank()-a.Rank()
			if got, want := KnightAttacks(a).Has(b), file*file+rank*rank == 5; got != want {
				t.Errorf("KnightAttacks(%v).Has(%v) = %v", a, b, got)
			}
			if got, want := KingAttacks(a).Has(b), distance(a, b) == 1; got != want {
				t.Errorf("KingAttacks(%v).Has(%v) = %v", a, b, got)
			}
			for _, c := range []Color{White, Black} {
				up := 1 - 2*int(c)
				want := file*file == 1 && rank == up
				if got := PawnAttacks(c, a).Has(b); got != want {
					t.Errorf("PawnAttacks(%v, %v).Has(%v) = %v", c, a, b, got)
				}
				if got := PawnsAttack(c, a.Bit()).Has(b); got != want {
					t.Errorf("PawnsAttack(%v, {%v}).Has(%v) = %v", c, a, b, got)
				}
			}
		}
	}
}

func TestAttacks(t *testing.T) {
	const s, occ = Square(27), Bitboard(1)<<29 | 1<<11 | 1<<54
	for _, test := range []struct {
		pieceType PieceType
		want      Bitboard
	}{
		{Pawn, 0},
		{Knight, KnightAttacks(s)},
		{Bishop, BishopAttacks(s, occ)},
		{Rook, RookAttacks(s, occ)},
		{Queen, BishopAttacks(s, occ) | RookAttacks(s, occ)},
		{King, KingAttacks(s)},
		{NoPieceType, 0},
	} {
		if got := Attacks(test.pieceType, s, occ); got != test.want {
			t.Errorf("Attacks(%q) =\n%vwant\n%v", test.pieceType, got, test.want)
		}
	}
}

// TestBetweenAndLine walks from each square in each direction; pairs that the
// walks do not meet have neither.
func TestBetweenAndLine(t *testing.T) {
	var between, line [64][64]Bitboard
	directions := append(rookDirections[:], bishopDirections[:]...)
	for a := A1; a <= H8; a++ {
		for _, d := range directions {
			whole := a.Bit()
			for s := step(a, d); s != NoSquare; s = step(s, d) {
				whole |= s.Bit()
			}
			back := direction{-d.file, -d.rank}
			for s := step(a, back); s != NoSquare; s = step(s, back) {
				whole |= s.Bit()
			}
			var passed Bitboard
			for b := step(a, d); b != NoSquare; b = step(b, d) {
				between[a][b], line[a][b] = passed, whole
				passed |= b.Bit()
			}
		}
	}
	for a := A1; a <= H8; a++ {
		for b := A1; b <= H8; b++ {
			if got := Between(a, b); got != between[a][b] {
				t.Errorf("Between(%v, %v) =\n%vwant\n%v", a, b, got, between[a][b])
			}
			if got := Line(a, b); got != line[a][b] {
				t.Errorf("Line(%v, %v) =\n%vwant\n%v", a, b, got, line[a][b])
			}
		}
	}
}
