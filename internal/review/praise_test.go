package review

import (
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
