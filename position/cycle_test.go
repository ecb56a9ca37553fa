package position

import (
	"testing"

	"skein/chess"
)

// TestReversibleMove finds every move of a piece on an empty board by the
// difference it makes, and nothing else.
func TestReversibleMove(t *testing.T) {
	count := 0
	for _, c := range []chess.Color{chess.White, chess.Black} {
		for pt := chess.Knight; pt <= chess.King; pt++ {
			piece := chess.MakePiece(c, pt)
			for from := chess.A1; from <= chess.H8; from++ {
				for to := chess.A1; to <= chess.H8; to++ {
					difference := zobrist.pieces[piece][from] ^ zobrist.pieces[piece][to] ^ zobrist.black
					a, b, ok := ReversibleMove(difference)
					if want := chess.Attacks(pt, from, 0).Has(to); ok != want {
						t.Fatalf("%v %v-%v: found %v", piece, from, to, ok)
					}
					if ok && (min(a, b) != min(from, to) || max(a, b) != max(from, to)) {
						t.Fatalf("%v %v-%v: found %v-%v", piece, from, to, a, b)
					}
					if ok && from < to {
						count++
					}
				}
			}
		}
	}
	if a, b, ok := ReversibleMove(0); ok {
		t.Errorf("no difference: found %v-%v", a, b)
	}
	// The number of such moves is known: 3668.
	if count != 3668 {
		t.Errorf("%d moves", count)
	}
}
