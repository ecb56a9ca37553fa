package review

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"skein/search"
)

// TestPraise reviews the end of Morphy's game in the opera, with the sacrifice of a
// queen. Captures that win material, forced moves and mates in one get no praise.
func TestPraise(t *testing.T) {
	g := parse(t, `[FEN "4kb1r/p2rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2K4R w k - 0 14"]

14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`)
	o := Options{Limits: search.Limits{Nodes: 10_000}, Praise: true}
	reviewed, err := Review(context.Background(), newEngine(t), g, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range reviewed.Plies {
		p := &reviewed.Plies[i]
		switch {
		case p.SAN == "Qb8+" && (p.Verdict != Brilliant || p.Words != "Brilliant move."):
			t.Errorf("%s is %v: %q", p.SAN, p.Verdict, p.Words)
		case p.Verdict > Blunder && strings.Contains("Bxd7+ Nxd7 Nxb8 Rd8#", p.SAN):
			t.Errorf("%s is praised as %v", p.SAN, p.Verdict)
		}
	}
	if reviewed.White.Brilliant < 1 {
		t.Errorf("White's moves are %+v", reviewed.White)
	}
	o.Praise = false
	if reviewed, err = Review(context.Background(), newEngine(t), g, o); err != nil || reviewed.White.Brilliant > 0 {
		t.Errorf("White's moves without praise are %+v, %v", reviewed.White, err)
	}
}

// TestPraiseIsReplaced reviews a review that praised moves: without praise nothing of
// it remains.
func TestPraiseIsReplaced(t *testing.T) {
	const before = "[FEN \"4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 16\"]\n\n"
	review := func(pgn string) string {
		g := parse(t, pgn)
		reviewed, err := Review(context.Background(), newEngine(t), g, Options{Limits: search.Limits{Nodes: 3000}})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := NewWriter(&b, false).Write(g, reviewed); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	praised := review(before + "16. Qb8+ $3 $18 {[%eval #2] Brilliant move.} Nxb8 17. Rd8# $1 {mine} 1-0")
	if plain := review(before + "16. Qb8+ $18 Nxb8 17. Rd8# $1 {mine} 1-0"); praised != plain {
		t.Errorf("the review is\n%s\nwithout praise before\n%s", praised, plain)
	}
}
