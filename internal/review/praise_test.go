package review

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
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

// TestOthersPraise keeps the glyphs of others with the same words as those of a review.
func TestOthersPraise(t *testing.T) {
	g := parse(t, "1. e4 $1 {Good move.} e5 $7 {[%clk 0:01:00] The only move.} 2. Nf3 $3 {Brilliant move. So.} *")
	reviewed, err := Review(context.Background(), newEngine(t), g, Options{Limits: search.Limits{Nodes: 3000}})
	if err != nil {
		t.Fatal(err)
	}
	reviewed.Annotate(g)
	for i, want := range []byte{Good.NAG(), OnlyMove.NAG(), Brilliant.NAG()} {
		if notes := g.Main.Moves[i].Notes.Value(); string(notes.NAGs) != string(want) {
			t.Errorf("%s has the glyphs %v, want %d: %q", reviewed.Plies[i].SAN, notes.NAGs, want, notes.Comment)
		}
	}
}

// TestEasy tells moves that may be praised from those that are easy to find.
func TestEasy(t *testing.T) {
	for _, test := range []struct {
		name, fen, moves string
		opening          int // moves of it
		want             bool
	}{
		{"a quiet move", position.StartFEN, "1. e4", 0, false},
		{"a move of the opening", position.StartFEN, "1. e4", 1, true},
		{"mate in one", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "1. Ra8#", 0, true},
		{"the only move", "k7/8/8/8/8/8/5r2/7K w - - 0 1", "1. Kg1", 0, true},
		{"one of few answers to a check", "4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1", "1. Kf1", 0, true},
		{"a capture that wins a pawn", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "1. exd5", 0, true},
		{"a capture that loses a queen", "3qk3/8/8/3P4/4P3/8/8/3RK3 b - - 0 1", "1... Qxd5", 0, false},
		{"a promotion to a queen", "8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "1. a8=Q", 0, true},
		{"a promotion that loses the queen", "1r6/P5k1/8/8/8/8/8/4K3 w - - 0 1", "1. a8=Q", 0, false},
		{"a promotion to a knight", "8/P5k1/8/8/8/8/8/4K3 w - - 0 1", "1. a8=N", 0, false},
		{"a recapture", "3qk3/8/8/3p4/4P3/8/8/3RK3 w - - 0 1", "1. Rxd5 Qxd5", 0, true},
	} {
		g := parse(t, "[FEN \""+test.fen+"\"]\n\n"+test.moves+" *")
		r := &reviewer{game: g, reviewed: &Game{Opening: &Opening{Plies: test.opening}}}
		last := len(g.Main.Moves) - 1
		if got := r.easy(last, g.After(last)); got != test.want {
			t.Errorf("%s: easy %t, want %t", test.name, got, test.want)
		}
	}
}

// TestOnlyMove tells a move without which the game is lost from one that is only much better.
func TestOnlyMove(t *testing.T) {
	for _, test := range []struct {
		fen  string
		cp   int // with the move; the others lose, or draw
		want Verdict
	}{
		{"q3k3/8/8/8/8/8/8/4K3 w - - 0 1", 0, OnlyMove},
		{"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", 800, Good},
	} {
		g := parse(t, "[FEN \""+test.fen+"\"]\n\n1. Kd2 *")
		o := Options{Limits: search.Limits{Depth: 4}}
		r := &reviewer{ctx: t.Context(), engine: newEngine(t), options: &o, game: g, reviewed: &Game{}}
		f := &finding{score: Score(chess.Centipawns(test.cp).Score())}
		if got, err := r.praise(0, f, f); got != test.want || err != nil {
			t.Errorf("%s: %v, %v, want %v", test.fen, got, err, test.want)
		}
	}
}
