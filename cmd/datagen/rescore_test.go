package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/nets"
	"skein/nnue"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// TestRescoreUnlabeled gives rescore positions without a score or a result.
func TestRescoreUnlabeled(t *testing.T) {
	file := folder(t)
	text := position.StartFEN + "\n4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";\n"
	put(t, file("in.epd"), text)
	const skipped = "skipped 1 positions without a result\n"
	if out := must(t, "rescore", "-o", file("a.txt"), file("in.epd")); !strings.Contains(out, skipped) {
		t.Errorf("printed %q", out)
	}
	if n := bytes.Count(contents(t, file("a.txt")), []byte("\n")); n != 1 {
		t.Errorf("%d positions", n)
	}
	out := must(t, "rescore", "-o", file("b.txt"), "--unlabelled", file("in.epd"))
	lines := string(contents(t, file("b.txt")))
	if strings.Contains(out, "skipped") || strings.Count(lines, "\n") != 2 || !strings.Contains(lines, "| 0.5\n") {
		t.Errorf("printed %q, wrote %q", out, lines)
	}
}

func TestRescore(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "14")...)
	games := gamesIn(t, file("games.skr"))

	must(t, "rescore", "-o", file("static.skr"), "--workers", "3", file("games.skr"))
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	s := nnue.NewStack(net, 0)
	static := gamesIn(t, file("static.skr"))
	if len(static) != len(games) {
		t.Fatalf("%d games of %d", len(static), len(games))
	}
	for i, g := range static {
		game := position.NewGame(g.Start)
		for j, ply := range g.Plies {
			s.Reset(&game.Pos)
			want := int(s.Evaluate(&game.Pos))
			if game.Pos.SideToMove() == chess.Black {
				want = -want
			}
			if int(ply.Score) != want || ply.Move != games[i].Plies[j].Move {
				t.Fatalf("game %d ply %d: %v %d, expected %d", i, j, ply.Move, ply.Score, want)
			}
			game.Play(ply.Move)
		}
	}

	// The first score of a game equals that of a search with an empty table, and the
	// number of workers does not affect the result.
	must(t, "rescore", "-o", file("a.skr"), "--depth", "3", "--workers", "1", file("games.skr"))
	must(t, "rescore", "-o", file("b.skr"), "--depth", "3", "--workers", "3", file("games.skr"))
	if !bytes.Equal(contents(t, file("a.skr")), contents(t, file("b.skr"))) {
		t.Error("the scores depend on the number of workers")
	}
	searched := gamesIn(t, file("a.skr"))
	e, err := search.New(net, search.Options{Threads: 1, Hash: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for i := range searched[:5] {
		e.NewGame()
		start := &searched[i].Start
		want := int(search.Unscaled(e.Search(position.NewGame(*start), search.Limits{Depth: 3}, nil).Score, start))
		if searched[i].Start.SideToMove() == chess.Black {
			want = -want
		}
		if got := int(searched[i].Plies[0].Score); got != want {
			t.Errorf("game %d starts with a score of %d, want %d", i, got, want)
		}
	}

	must(t, "convert", "-o", file("some.txt"), file("games.skr"))
	must(t, "rescore", "-o", file("some.bin"), file("some.txt"))
	must(t, "rescore", "-o", file("nodes.bin"), "--nodes", "300", file("some.txt"))
	must(t, "convert", "-o", file("again.txt"), file("some.bin"))
	before := strings.Split(string(contents(t, file("some.txt"))), "\n")
	after := strings.Split(string(contents(t, file("again.txt"))), "\n")
	if len(before) != len(after) || len(contents(t, file("nodes.bin"))) != 32*(len(before)-1) {
		t.Fatalf("%d lines instead of %d", len(after), len(before))
	}
	for i := range before[:len(before)-1] {
		a, b := strings.Split(before[i], "|"), strings.Split(after[i], "|")
		if a[0] != b[0] || a[2] != b[2] {
			t.Fatalf("%q became %q", before[i], after[i])
		}
	}
	fails(t, "files", "rescore", "-o", file("x.skr"))
	fails(t, "x.epd", "rescore", "-o", file("x.epd"), file("some.txt"))
	fails(t, "some.txt", "rescore", "-o", file("x.skr"), file("some.txt"))
	fails(t, "none", "rescore", "-o", file("x.bin"), "--net", "none", file("some.txt"))
}

func TestFilter(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "60", "--frc", "0.4", "--random-plies", "2")...)
	all := gamesIn(t, file("games.skr"))
	count := func(keep func(*record.Game) bool) (n int) {
		for i := range all {
			if keep(&all[i]) {
				n++
			}
		}
		return n
	}
	standard := func(g *record.Game) bool {
		_, err := position.Parse(g.Start.FEN(), false)
		return err == nil
	}
	decided := func(g *record.Game) bool { return g.Result != rules.Draw }
	medium := func(g *record.Game) bool { return len(g.Plies) >= 40 && len(g.Plies) <= 120 }
	won := func(g *record.Game) bool { return g.End == record.Checkmate || g.End == record.ScoreWin }
	for name, test := range map[string]struct {
		flags string
		want  int
	}{
		"results":  {"--results=1-0,0-1", count(decided)},
		"lengths":  {"--min-plies=40 --max-plies=120", count(medium)},
		"ends":     {"--ends=checkmate,win_by_score", count(won)},
		"standard": {"--variant=standard", count(standard)},
		"chess960": {"--variant=chess960", len(all) - count(standard)},
		"nothing":  {"--share=0", 0},
	} {
		args := []string{"filter", "-o", file(name + ".skr")}
		for _, flag := range strings.Fields(test.flags) {
			args = append(args, strings.ReplaceAll(flag, "_", " "))
		}
		must(t, append(args, file("games.skr"))...)
		if got := len(gamesIn(t, file(name+".skr"))); got != test.want || test.want == len(all) {
			t.Errorf("%s: %d of %d games, want %d", name, got, len(all), test.want)
		}
	}
	must(t, "filter", "-o", file("once.skr"), "--unique", file("games.skr"), file("games.skr"))
	if !slices.EqualFunc(gamesIn(t, file("once.skr")), all, sameGame) {
		t.Error("the second of two equal games was not removed")
	}
	for _, test := range []struct{ flag, value, out, want string }{
		{"--results", "2-0", "x.skr", `"2-0"`},
		{"--ends", "boredom", "x.skr", `"boredom"`},
		{"--variant", "shogi", "x.skr", `"shogi"`},
		{"--share", "2", "x.skr", "share"},
		{"--min-men", "3", "x.skr", "--min-men"},
		{"--min-plies", "3", "x.txt", "--min-plies"},
		{"--share", "1", "x.epd", "output"},
	} {
		fails(t, test.want, "filter", "-o", file(test.out), test.flag, test.value, file("games.skr"))
	}
}

// TestFilterPositions filters positions and compares with a filter of lines.
func TestFilterPositions(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "60")...)
	must(t, "convert", "-o", file("all.txt"), "--quiet=false", file("games.skr"))
	must(t, "filter", "-o", file("few.txt"), "--min-men", "10", "--max-men", "20", "--checks=false", "--unique",
		"--results", "1/2-1/2", file("all.txt"), file("all.txt"))
	want := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(contents(t, file("all.txt")))), "\n") {
		e, err := record.ParseEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		pieces := e.Position.Occupied().Count()
		if pieces >= 10 && pieces <= 20 && !e.Position.InCheck() && e.Result == rules.Draw {
			fields := strings.Fields(line)
			want[strings.Join(fields[:4], " ")] = true
		}
	}
	if got := strings.Count(string(contents(t, file("few.txt"))), "\n"); got != len(want) || got == 0 {
		t.Errorf("%d positions, want %d", got, len(want))
	}
	for _, args := range [][]string{
		{"filter", "-o", file("x.txt"), "--min-move", "20", file("all.txt")},
		{"convert", "-o", file("x.bin"), "--max-score", "100", file("games.skr"), file("all.txt")},
		{"shuffle", "-o", file("x.bin"), "--quiet=false", file("all.txt")},
		{"rescore", "-o", file("x.bin"), "--min-move", "20", file("all.txt")},
	} {
		fails(t, "all.txt is not a file of games", args...)
	}
	fails(t, "games are written whole", "rescore", "-o", file("x.skr"), "--min-move", "20", file("games.skr"))
}

// TestCompressed writes and reads files with every compression.
func TestCompressed(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "60")...)
	all := gamesIn(t, file("games.skr"))
	for _, name := range []string{"a.skr.zst", "b.skr.gz"} {
		must(t, "merge", "-o", file(name), file("games.skr"))
		if !slices.EqualFunc(gamesIn(t, file(name)), all, sameGame) {
			t.Errorf("%s: the games differ", name)
		}
		if out := must(t, "verify", file(name)); !strings.Contains(out, "good, 60 games") {
			t.Error(out)
		}
		if a, b := len(contents(t, file(name))), len(contents(t, file("games.skr"))); a >= b {
			t.Errorf("%s: %d bytes from %d", name, a, b)
		}
	}
	must(t, "convert", "-o", file("all.bin"), file("a.skr.zst"))
	must(t, "convert", "-o", file("all.bin.zst"), file("games.skr"))
	must(t, "convert", "-o", file("again.bin"), file("all.bin.zst"))
	if !bytes.Equal(contents(t, file("all.bin")), contents(t, file("again.bin"))) {
		t.Error("positions differ")
	}
	fails(t, "compressed", quick(file("new.skr.zst"), "--games", "1")...)
	if left, err := filepath.Glob(file("*.part*")); err != nil || len(left) > 0 {
		t.Error("left", left, err)
	}
}

// TestConvertPGN converts games from PGN with scores and without.
func TestConvertPGN(t *testing.T) {
	file := folder(t)
	const pgn = "[Result \"1-0\"]\n\n" +
		"1. e4 {+0.10/8 1s} e5 {0.00/9 1s} 2. Qh5 {+0.20/8 1s} Ke7 {-9.00/8} 3. Qxe5# {+M1/3} 1-0\n\n" +
		"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"
	put(t, file("x.pgn"), pgn)
	must(t, "convert", "-o", file("pgn.skr"), file("x.pgn"))
	must(t, "convert", "-o", file("whole.skr"), "--unlabelled", file("x.pgn"))
	a, b := gamesIn(t, file("pgn.skr")), gamesIn(t, file("whole.skr"))
	if len(a) != 1 || len(b) != 2 || len(a[0].Plies) != 5 || a[0].Plies[3].Score != 2304 {
		t.Error(a, b)
	}
	if out := must(t, "convert", "-o", file("pgn.txt"), file("x.pgn")); !strings.Contains(out, "4 positions without") {
		t.Error(out)
	}
}

// TestGamesLeftOut reads PGN with a game without a result and one without scores.
func TestGamesLeftOut(t *testing.T) {
	file := folder(t)
	in := file("in.pgn")
	const games = "1. e4 {+0.3/10 1s} e5 {+0.1/10 1s} 1-0\n\n1. d4 {+0.3/10} *\n\n1. c4 0-1\n"
	put(t, in, games)
	none := file("none.pgn")
	put(t, none, "1. e4 *\n")
	const (
		both, result = "skipped 2 games without a result or scores\n", "skipped 1 games without a result\n"
		kept         = ": 2 positions\nskipped 2 positions without a score or a result\n" // of both games
	)
	for _, c := range []struct {
		want string
		args []string
	}{
		{both, []string{"convert", "-o", file("a.skr"), in}},
		{result, []string{"convert", "-o", file("b.skr"), "--unlabelled", in}},
		{"good, 2 games, 3 positions\n" + result, []string{"verify", in}},
		{both, []string{"split", "-o", file("c.skr"), "--rest", file("d.skr"), in}},
		{both, []string{"filter", "-o", file("e.skr"), in}},
		{result, []string{"rescore", "-o", file("f.skr"), in}},
		{both, []string{"label", "-o", file("g.bin"), "--nodes", "0", in}},
		{kept, []string{"convert", "-o", file("h.bin"), in}},
		{kept, []string{"shuffle", "-o", file("i.bin"), in}},
		{"i.txt: kept 2 of 2\nskipped 2 ", []string{"filter", "-o", file("i.txt"), in}},
		{": 3 positions\nskipped 1 positions without a result\n", []string{"rescore", "-o", file("j.bin"), in}},
		{": 4 positions\n", []string{"rescore", "-o", file("k.bin"), "--unlabelled", in}},
		{"games      2, and 1 without a result, left out below\n", []string{"stats", in}},
		{"games      0, and 1 without a result, left out below\n", []string{"stats", none}},
	} {
		if out := must(t, c.args...); !strings.Contains(out, c.want) {
			t.Errorf("%s printed %q", c.args[0], out)
		}
	}
}

func TestStats(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "40")...)
	out := must(t, "stats", "--svg", file("pictures"), file("games.skr"))
	positions := 0
	for _, g := range gamesIn(t, file("games.skr")) {
		positions += len(g.Plies)
	}
	total := fmt.Sprintf("positions  %d,", positions)
	for _, want := range []string{"games      40\n", total, "phase", "pieces on the board"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"results", "ends", "plies", "scores", "phase", "men"} {
		if svg := string(contents(t, filepath.Join(file("pictures"), name+".svg"))); !strings.HasPrefix(svg, "<svg") {
			t.Errorf("%s.svg: %.40s", name, svg)
		}
	}
	must(t, "convert", "-o", file("x.bin"), "--quiet=false", "--max-score", "0", file("games.skr"))
	out = must(t, "stats", file("x.bin"))
	if strings.Contains(out, "games") || !strings.Contains(out, total) {
		t.Error(out)
	}
}

// TestRescoreFilter expects as many positions as convert writes with the same filter.
func TestRescoreFilter(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "5")...)
	var counts [2]int
	for i, command := range []string{"convert", "rescore"} {
		name := file(command + ".txt")
		must(t, command, "-o", name, "--min-move", "20", file("games.skr"))
		counts[i] = bytes.Count(contents(t, name), []byte("\n"))
	}
	if counts[0] != counts[1] || counts[0] == 0 {
		t.Errorf("%d positions converted, %d rescored", counts[0], counts[1])
	}
}
