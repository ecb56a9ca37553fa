package review

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// TestAnnotateTwice reviews a review: the second is written as the first, and what
// is not from a review remains.
func TestAnnotateTwice(t *testing.T) {
	const pgn = `[Annotator "lichess.org"]

{before} 1. e4 $1 {[%eval 0.3] [%clk 0:05:00]} e5 2. Bc4 Nc6 $6 {(0.1 → 0.6) Inaccuracy. Nf6 was best. mine} 3. Qh5
(3. Nf3 Nf6) Nf6 $5 $18 {Mistake. g6 was best. ouch} (3... g6 4. Qf3 {[%eval 0.1]}) 4. Qxf7# 1-0
`
	e := newEngine(t)
	o := Options{Limits: search.Limits{Nodes: 2000}, Engine: "Skein test"}
	write := func(g *notation.Game) string {
		var b bytes.Buffer
		reviewed, err := Review(context.Background(), e, g, o)
		if err == nil {
			err = NewWriter(&b, false).Write(g, reviewed)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	first := write(parse(t, pgn))
	g := parse(t, first)
	lost, theory := g.Main.Moves[5].Notes.Value(), g.Main.Moves[4].Notes.Value()
	if !slices.Equal(lost.NAGs, []byte{4, 18}) || !strings.HasSuffix(lost.Comment, " was best. ouch") ||
		len(lost.Variations) != 1 || len(theory.Variations) < 1 || len(theory.Variations[0].Moves) != 2 {
		t.Errorf("the review is\n%s", first)
	}
	if open := g.Main.Moves[0].Notes.Value(); !strings.HasSuffix(open.Comment, "] [%clk 0:05:00]") ||
		strings.Count(g.Main.Comment, "]") != 1 || !strings.HasSuffix(g.Main.Comment, "] before") {
		t.Errorf("the review is\n%s", first)
	}
	if said := g.Main.Moves[3].Notes.Value().Comment; strings.Contains(said, "→") || !strings.HasSuffix(said, "mine") {
		t.Errorf("2... Nc6 has comment %q", said)
	}
	if got := g.Tags.Get("Annotator"); got != "Skein test, 2000 nodes a move" {
		t.Errorf("annotator %q", got)
	}
	if second := write(g); second != first {
		t.Errorf("the second review is\n%s\nthe first\n%s", second, first)
	}
}

// TestWithoutReview tells what reviews wrote from what people did.
func TestWithoutReview(t *testing.T) {
	for _, test := range []struct{ comment, want string }{
		{"[%eval 0.35] Blunder, allows mate in 3. Nf6 was best. ouch", "ouch"},
		{"[%eval 0.35] Good move.", ""},
		{"[%eval #3] The only move. Table win for White. [%clk 0:01:00]", "[%clk 0:01:00]"},
		{"(0.10 → 1.60) Mistake. Nf6 was best. [%eval 1.6] [%clk 0:01:00]", "[%clk 0:01:00]"},
		{"(-1.80 → Mate in 3) Checkmate is now unavoidable. c3 was best. [%eval #-3]", ""},
		{"[%eval -2.0] (Mate in 3 → -2.00) Lost forced checkmate sequence. e4+ was best.", ""},
		{"Not the best checkmate sequence. Qh7# was best. [%clk 0:01:00]", "[%clk 0:01:00]"},
		{"Lost forced checkmate sequence, alas.", "Lost forced checkmate sequence, alas."},
		{"[%clk 0:01:00] Inaccuracy. c5 was best. after", "[%clk 0:01:00] after"},
		{"Before! Inaccuracy. c5 was best. After", "Before! After"},
		{"Hardly a Mistake. d4 was best.", "Hardly a Mistake. d4 was best."},
		{"The only move. Everything else loses.", "The only move. Everything else loses."},
		{"I thought it was a Blunder. It wasn't.", "I thought it was a Blunder. It wasn't."},
		{"[%clk 0:01:00] Good move.", "[%clk 0:01:00] Good move."},
		{"A table win. Table win for Black.", "A table win. Table win for Black."},
	} {
		if got := withoutReview(test.comment); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.comment, got, test.want)
		}
	}
	g := parse(t, "1. e4 e5 (1... c5 {[%eval 0.25] my repertoire}) (1... e6 2. d4 {[%eval 0.5]}) "+
		"(1... c6 {solid} 2. d4 {[%eval 0.5]}) (1... d5 $5 2. exd5 {[%eval 0.5]}) "+
		"(1... d6 2. d4 {[%eval 0.5]} (2. f4)) ({why} 1... g6 {[%eval 0.5]}) 2. Nf3 *")
	at := g.Start.After(g.Main.Moves[0].Move)
	for i, v := range g.Main.Moves[1].Notes.Value().Variations {
		best := notation.FormatSAN(&at, v.Moves[0].Move)
		if got := isReview(&v, &at, []string{" " + best + " was best."}); got != (i == 1) {
			t.Errorf("variation %d is that of a review: %t", i, got)
		}
		if isReview(&v, &at, []string{" Nc6 was best."}) {
			t.Errorf("variation %d is that of a review with another move", i)
		}
	}
}

// TestTableWin writes a move that wins by endgame tables, and one that keeps the win.
func TestTableWin(t *testing.T) {
	start, won := position.Start(), Score(chess.TableWin-9)
	for before, want := range map[Score]string{0: "[%eval 100.00] Table win for White.", won: "[%eval 100.00]"} {
		p, node := Ply{Before: before, After: won}, notation.Node{}
		if p.annotate(&node, &start); node.Notes.Comment != want {
			t.Errorf("after %v: comment %q, want %q", before, node.Notes.Comment, want)
		}
	}
}

// reviewAll reviews the games of a PGN with so many engines.
func reviewAll(t *testing.T, pgn string, engines int) string {
	t.Helper()
	var list []*search.Engine
	for range engines {
		list = append(list, newEngine(t))
	}
	reader := notation.NewReader(strings.NewReader(pgn))
	var b bytes.Buffer
	w := NewWriter(&b, true)
	err := Batch(context.Background(), list, reader.Read, Options{Limits: search.Limits{Depth: 3}}, w.Write)
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// severalGames are games of different length.
const severalGames = `1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *

1. d4 *

*

1. c4 e5 2. Nc3 *

1. f3 e5 2. g4 Qh4# 0-1
`

// TestBatch reviews games with one engine and with several.
func TestBatch(t *testing.T) {
	one := reviewAll(t, severalGames, 1)
	if got := strings.Count(one, "\n"); got != 5 {
		t.Errorf("%d games", got)
	}
	if three := reviewAll(t, severalGames, 3); three != one {
		t.Errorf("with three engines\n%s\nwith one\n%s", three, one)
	}
}

// TestBatchFails ends a batch by errors of reading, of writing, and of its context.
func TestBatchFails(t *testing.T) {
	failure := errors.New("failure")
	g := parse(t, "1. e4 *")
	for _, tt := range []struct {
		name    string
		games   int // before next fails
		emit    error
		want    error
		emitted int
	}{
		{"next", 2, nil, failure, 2}, {"emit", 100, failure, failure, 1},
	} {
		read, emitted := 0, 0
		next := func() (*notation.Game, error) {
			if read++; read > tt.games {
				return nil, failure
			}
			return g, nil
		}
		emit := func(*notation.Game, *Game) error {
			emitted++
			return tt.emit
		}
		o := Options{Limits: search.Limits{Depth: 1}}
		err := Batch(context.Background(), []*search.Engine{newEngine(t), newEngine(t)}, next, o, emit)
		if !errors.Is(err, tt.want) || emitted != tt.emitted {
			t.Errorf("%s: error %v after %d games", tt.name, err, emitted)
		}
	}

	ctx, cancel := context.WithCancelCause(context.Background())
	o := Options{Progress: func(Progress) { t.Error("a search without a limit ended") }}
	started := func() (*notation.Game, error) {
		cancel(failure)
		return g, nil
	}
	err := Batch(ctx, []*search.Engine{newEngine(t)}, started, o, func(*notation.Game, *Game) error { return nil })
	if !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
}

// TestReadWritten reads what a Writer has written, whole and cut off anywhere.
func TestReadWritten(t *testing.T) {
	e := newEngine(t)
	for _, asJSON := range []bool{false, true} {
		var b bytes.Buffer
		w := NewWriter(&b, asJSON)
		var ends []int64
		var reviews []*Game
		reader := notation.NewReader(strings.NewReader(severalGames + "\n[FEN \"unreadable\"]\n\n1. e4 *\n"))
		for g, err := reader.Read(); err != io.EOF; g, err = reader.Read() {
			reviewed, err := Review(context.Background(), e, g, Options{Limits: search.Limits{Depth: 2}, Engine: "E"})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(g, reviewed); err != nil {
				t.Fatal(err)
			}
			ends, reviews = append(ends, int64(b.Len())), append(reviews, reviewed)
		}
		for size := range b.Len() + 1 {
			near := slices.ContainsFunc(ends, func(end int64) bool { return max(end-int64(size), int64(size)-end) < 3 })
			if !near && size%47 != 0 {
				continue
			}
			n := 0
			for written, err := range ReadWritten(bytes.NewReader(b.Bytes()[:size]), asJSON) {
				if err != nil {
					t.Fatalf("JSON %v, %d bytes: %v", asJSON, size, err)
				}
				want := reviews[n]
				if written.End != ends[n] || written.Annotator != "E, depth 2" ||
					written.White.Counts != want.White.Counts || written.Black.Accuracy != want.Black.Accuracy ||
					len(written.Plies) != len(want.Plies) {
					t.Fatalf("JSON %v: game %d is read as %+v, want %+v", asJSON, n+1, written.Game, want)
				}
				n++
			}
			if n < len(ends) && ends[n] <= int64(size) || n > 0 && ends[n-1] > int64(size) {
				t.Errorf("JSON %v: %d games in %d bytes", asJSON, n, size)
			}
		}
	}
}

// TestReadReview reads a review in which a move that lost chances was the best one.
func TestReadReview(t *testing.T) {
	const game = "1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. Nc3 {[%eval -0.6]} f6 $6 {[%eval 0.2]"
	for words, want := range map[string]int{"": 1, " Inaccuracy. Nf6 was best.": 0} {
		g, ok := FromEvals(parse(t, game+words+"} *"), Lichess)
		if !ok || g.White.Inaccuracies != want || g.Black.Inaccuracies != 1 {
			t.Errorf("%q: White made %d inaccuracies, want %d; Black %d", words, g.White.Inaccuracies, want,
				g.Black.Inaccuracies)
		}
	}
}

func TestTotals(t *testing.T) {
	var totals Totals
	for _, pgn := range []string{
		"[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%eval 0.1]} e5 {[%eval 2.1]} *",
		"[White \"C\"]\n[Black \"A\"]\n\n1. e4 {[%eval 0.1]} e5 {[%eval 9.1]} 2. d4 {[%eval 9.1]} *",
		"1. e4 {[%eval -1]} *",
	} {
		g, ok := FromEvals(parse(t, pgn), Lichess)
		if !ok {
			t.Fatalf("no evaluations in %s", pgn)
		}
		totals.Add(g)
	}
	var names []string
	for _, p := range totals.Players() {
		names = append(names, p.Player)
	}
	if !slices.Equal(names, []string{"A", "B", "C", "White"}) {
		t.Fatalf("players %q", names)
	}
	a := totals.Players()[0]
	if a.Games != 2 || a.Moves != 2 || a.Blunders != 1 || a.Loss != 452.5 || a.Opening.Moves != 2 ||
		a.Accuracy <= 50 || a.Accuracy >= 60 {
		t.Errorf("A is %+v", a)
	}
}

// TestBlackBegins reviews a game whose first move is Black's.
func TestBlackBegins(t *testing.T) {
	g, ok := FromEvals(parse(t, "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n"+
		"{[%eval 0.0]} 1... e5 {[%eval 5.0]} 2. e4 {[%eval 5.0]} *"), Lichess)
	if !ok || g.Black.Blunders != 1 || g.White.Blunders != 0 || g.White.Moves != 1 || g.Black.Moves != 1 {
		t.Errorf("ok %v\nWhite %+v\nBlack %+v", ok, g.White, g.Black)
	}
}

// TestPlyAccuracy expects moves of both sides that lose as much to be as accurate.
func TestPlyAccuracy(t *testing.T) {
	g, ok := FromEvals(parse(t, "1. e4 {[%eval 0.2]} e5 {[%eval 2.2]} 2. d4 {[%eval 0.2]} *"), Lichess)
	if !ok {
		t.Fatal("no evaluations")
	}
	p := g.Plies
	if p[0].Accuracy != 100 || p[1].Accuracy > 60 || p[1].Accuracy != p[2].Accuracy {
		t.Errorf("%v, %v, %v", p[0].Accuracy, p[1].Accuracy, p[2].Accuracy)
	}
}
