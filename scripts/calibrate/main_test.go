package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skein/internal/selfplay"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// standing returns a result with so many wins and losses.
func standing(wins, losses int64) *selfplay.Standing {
	return &selfplay.Standing{Wins: wins, Losses: losses}
}

// TestFit fits ratings to results that agree with each other, with and without an
// anchor.
func TestFit(t *testing.T) {
	levels := []search.Level{{Elo: 1000}, {Elo: 1100}, {Elo: 1200}}
	f := newFit(levels)
	f.add(0, 1, standing(2400, 7600)) // about 200
	f.add(1, 2, standing(2400, 7600))
	f.solve()
	want := []float64{900, 1100, 1300}
	for i, r := range f.ratings {
		if math.Abs(r-want[i]) > 2 {
			t.Errorf("rating %d is %.0f, not %.0f", i, r, want[i])
		}
	}
	if m := f.margin(1); m < 3 || m > 8 {
		t.Errorf("the margin is %.1f", m)
	}
	f.add(2, f.anchor(1500), standing(5000, 5000))
	f.solve()
	for i, r := range f.ratings[:3] {
		if math.Abs(r-want[i]-200) > 2 {
			t.Errorf("with an anchor rating %d is %.0f, not %.0f", i, r, want[i]+200)
		}
	}
}

// TestFitShutout expects finite ratings after a match without a point.
func TestFitShutout(t *testing.T) {
	f := newFit([]search.Level{{Elo: 1000}, {Elo: 1100}})
	f.add(0, 1, standing(0, 20))
	f.solve()
	if d := f.ratings[1] - f.ratings[0]; !(d > 300 && d < 1500) {
		t.Errorf("the difference is %.0f", d)
	}
}

// TestLadder plays two games of each pair of a few levels and expects a table of
// them.
func TestLadder(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"ladder", "-games", "2", "-first", "800", "-last", "1400"}, &out); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range search.Levels() {
		if l.Elo >= 800 && l.Elo <= 1400 {
			n++
		}
	}
	_, table, _ := strings.Cut(out.String(), "var levels")
	if n < 2 || strings.Count(out.String(), " - ") < n-1 || strings.Count(table, "{Elo: ") != n {
		t.Errorf("not a table of %d levels:\n%s", n, out.String())
	}
}

// TestLowestLevel expects that a level below the lowest rating is rated where it plays.
func TestLowestLevel(t *testing.T) {
	f := newFit([]search.Level{{Elo: search.MinElo - 80}, {Elo: search.MinElo + 200}})
	if f.ratings[0] != search.MinElo || f.ratings[1] != search.MinElo+200 {
		t.Errorf("the fit begins with %v", f.ratings)
	}
	var out strings.Builder
	lowest, next := search.Levels()[0].Elo, search.Levels()[1].Elo
	if err := run(t.Context(), []string{"ladder", "-games", "2", "-last", strconv.Itoa(next)}, &out); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d - %d: ", max(lowest, search.MinElo), next); !strings.HasPrefix(out.String(), want) {
		t.Errorf("not %q at the beginning:\n%s", want, out.String())
	}
}

// TestCheck plays two games of two ratings.
func TestCheck(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"check", "-games", "2", "-ratings", "700,1100"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "700 - 1100: ") {
		t.Error(out.String())
	}
}

// TestErrors measures a game of people in which White gives the queen away.
func TestErrors(t *testing.T) {
	g := notation.NewGame(position.Start(), false)
	g.Tags.Set("WhiteElo", "1250")
	g.Tags.Set("BlackElo", "2200")
	g.Tags.Set("TimeControl", "300+3")
	p := position.Start()
	for _, san := range strings.Fields("e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5 O-O d6 h3 O-O Nc3 a6 Qe2 h6 Qe3 Bxe3") {
		m, err := notation.ParseSAN(&p, san)
		if err != nil {
			t.Fatal(err)
		}
		g.Main.Moves = append(g.Main.Moves, notation.Node{Move: m})
		p = p.After(m)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "games.pgn")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := notation.NewWriter(f).Write(g); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	args := []string{"errors", "-ratings", "1200", "-games", "2", "-nodes", "300", "-pgn", path, "-o", folder}
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(rows) != 4 || !strings.HasPrefix(rows[2], "| 1200 | people | 1 | 5 | ") ||
		!strings.HasSuffix(rows[2], "| 1 |") {
		t.Errorf("not one player with 5 moves and one queen:\n%s", out.String())
	}
	svg, err := os.ReadFile(filepath.Join(folder, "errors-1200.svg"))
	if err != nil || !strings.Contains(string(svg), "Errors at 1200") {
		t.Error("no chart:", err)
	}
}

// TestQueenHangs tells moves after which the queen can be taken from others.
func TestQueenHangs(t *testing.T) {
	p, err := position.Parse("4k3/8/4p3/8/8/1b6/8/3QK3 w - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	for move, want := range map[string]bool{"d1d5": true, "d1d2": false, "d1b3": false, "e1f1": true} {
		m, err := notation.ParseUCI(&p, move)
		if err != nil {
			t.Fatal(err)
		}
		if queenHangs(&p, m) != want {
			t.Errorf("%s: %v", move, !want)
		}
	}
}

func TestRunErrors(t *testing.T) {
	for _, args := range [][]string{
		{}, {"climb"}, {"ladder", "-first", "3000", "-last", "2000"}, {"check", "-ratings", "800,x"},
		{"check", "-ratings", "800"}, {"check", "-ratings", "100,800"},
		{"errors", "-games", "2", "-pgn", "missing.pgn"}, {"ladder", "-anything"},
		{"check", "-games", "0", "600,800"},
	} {
		var out strings.Builder
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"check"}, new(strings.Builder)); err == nil {
		t.Error("a match was played after the end of the context")
	}
}
