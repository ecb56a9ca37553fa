package position

import (
	"strings"
	"testing"

	"skein/chess"
)

// TestChess960 compares initial positions with the published numbering, and checks that
// all differ.
func TestChess960(t *testing.T) {
	for n, want := range map[int]string{
		0: "BBQNNRKR", 1: "BQNBNRKR", 518: "RNBQKBNR", 534: "RNBKQBNR", 959: "RKRNNQBB",
	} {
		if got := chess960Rank(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	seen := map[string]bool{}
	for n := range Chess960Positions {
		p := Chess960(n, n)
		rank, _, _ := strings.Cut(p.FEN(), "/")
		bishops := p.PiecesOf(chess.White, chess.Bishop)
		if seen[rank] || (bishops&chess.LightSquares).Count() != 1 || p.CastlingRooks(chess.Black).Count() != 2 {
			t.Errorf("%d: %s, or there twice", n, p.FEN())
		}
		seen[rank] = true
	}
	if p := Chess960(518, 518); p != Start() {
		t.Errorf("518: %s", p.FEN())
	}
	p := Chess960(518, 959)
	if got, want := p.ShredderFEN(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAca - 0 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, n := range []int{-1, 960} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d does not panic", n)
				}
			}()
			Chess960(n, 0)
		}()
	}
}
