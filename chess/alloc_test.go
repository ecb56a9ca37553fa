package chess

import "testing"

// TestAllocations calls everything that must not allocate.
func TestAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() {
		var list MoveList
		for s := A1; s <= H8; s++ {
			occ := Rank4 | FileBB(s.File())
			for pt := Knight; pt <= King; pt++ {
				for b := Attacks(pt, s, occ); b != 0; {
					list.Add(NewMove(s, b.Pop()))
				}
			}
			list.Clear()
			if PawnAttacks(White, s)&Between(s, H8)&^Line(s, H8) != 0 {
				t.Fatal(s)
			}
		}
		if s, ok := SquareOf("e4"); s != E4 || !ok || PieceOf('q').Letter() != 'q' || MateIn(3).Centipawns() == 0 {
			t.Fatal(s)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
