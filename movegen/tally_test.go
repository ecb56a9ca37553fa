package movegen

import (
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

// TestTally records all moves of many positions, and expects an error for each
// that is added twice and for each that is the only one missing.
func TestTally(t *testing.T) {
	for _, p := range varied(t, 16) {
		moves := Legal(&p)
		for left := range moves {
			var tally Tally
			for _, m := range slices.Delete(slices.Clone(moves), left, left+1) {
				if err := tally.Add(&p, m); err != nil {
					t.Fatal(err)
				}
				if err := tally.Add(&p, m); err == nil || !strings.HasSuffix(err.Error(), m.String()+" comes twice") {
					t.Fatalf("%s: %s added twice: %v", p.FEN(), m, err)
				}
			}
			m := moves[left]
			of, other := Quiet, Noisy
			if p.IsNoisy(m) {
				of, other = Noisy, Quiet
			}
			if err := tally.Complete(&p, of); err == nil || !strings.HasSuffix(err.Error(), m.String()+" is missing") {
				t.Fatalf("%s: without %s: %v", p.FEN(), m, err)
			}
			if err := tally.Complete(&p, other); err != nil {
				t.Fatalf("%s: without %s, of another stage: %v", p.FEN(), m, err)
			}
			if err := tally.Add(&p, m); err != nil {
				t.Fatal(err)
			}
			if err := tally.Complete(&p, All); err != nil {
				t.Fatal(err)
			}
			if tally.Clear(); len(moves) > 0 && tally.Complete(&p, All) == nil {
				t.Fatalf("%s: complete without a move", p.FEN())
			}
		}
	}
}

// TestTallyIllegal adds moves that are not legal.
func TestTallyIllegal(t *testing.T) {
	p := position.Start()
	var tally Tally
	for _, m := range []chess.Move{
		chess.NoMove, chess.NewMove(12, 36), chess.NewCastling(chess.E1, chess.H1), 0x8000 | 12 | 28<<6,
	} {
		if err := tally.Add(&p, m); err == nil || !strings.Contains(err.Error(), "not legal") {
			t.Errorf("%s (code %#04x): %v", m, uint16(m), err)
		}
	}
}
