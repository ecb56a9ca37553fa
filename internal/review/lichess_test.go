package review

import (
	"os"
	"testing"

	"skein/chess"
	"skein/notation"
)

// lichessGames returns games with evaluations and glyphs of lichess.
func lichessGames(t *testing.T) (games []*notation.Game) {
	t.Helper()
	file, err := os.Open("testdata/lichess.pgn")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for g, err := range notation.NewReader(file).All() {
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, g)
	}
	return games
}

// exported returns the glyph that the export of the database of lichess gives to a
// move that the site marks with verdict v: while the site judges lost chances, the
// export grades marked moves by lost centipawns, except where there are mates.
func exported(p *Ply, v Verdict, side chess.Color) Verdict {
	_, mateBefore := p.Before.mate()
	_, mateAfter := p.After.mate()
	loss := p.Before.Of(side).Centipawns() - p.After.Of(side).Centipawns()
	switch {
	case v == None || mateBefore || mateAfter:
		return v
	case loss >= 300:
		return Blunder
	case loss >= 100:
		return Mistake
	}
	return Inaccuracy
}

// TestLichess compares verdicts by the evaluations of lichess with those of lichess:
// the marked moves are the same, and so are the glyphs, but for the differences
// between site and export.
func TestLichess(t *testing.T) {
	moves, marked, regraded := 0, 0, 0
	for _, g := range lichessGames(t) {
		reviewed, ok := FromEvals(g, Lichess)
		if !ok {
			t.Fatalf("%s: evaluations are missing", g.Tags.Get("Site"))
		}
		for i := range reviewed.Plies {
			p := &reviewed.Plies[i]
			given := fault(g.Main.Moves[i].Notes.Value().NAGs)
			want := exported(p, p.Verdict, reviewed.side(i+1))
			if want != given {
				t.Errorf("%s, ply %d, %s (%v to %v): %v, lichess has %v", g.Tags.Get("Site"), p.Number, p.SAN,
					p.Before, p.After, p.Verdict, given)
			}
			moves++
			if given != None {
				marked++
			}
			if given != p.Verdict {
				regraded++
			}
		}
	}
	t.Logf("%d moves, %d of them marked, %d with another glyph in the export", moves, marked, regraded)
	if moves < 1000 || marked < 200 {
		t.Errorf("only %d moves, %d of them marked", moves, marked)
	}
}
