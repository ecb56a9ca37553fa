package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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

func TestRescore(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "-games", "14")...)
	games := gamesIn(t, file("games.skr"))

	must(t, "rescore", "-o", file("static.skr"), "-workers", "3", file("games.skr"))
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

	// A game's first score is that of a fresh search; other workers change nothing.
	must(t, "rescore", "-o", file("a.skr"), "-depth", "3", "-workers", "1", file("games.skr"))
	must(t, "rescore", "-o", file("b.skr"), "-depth", "3", "-workers", "3", file("games.skr"))
	if !bytes.Equal(contents(t, file("a.skr")), contents(t, file("b.skr"))) {
		t.Error("the number of workers decides")
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
			t.Errorf("game %d begins at %d instead of %d", i, got, want)
		}
	}

	must(t, "convert", "-o", file("some.txt"), file("games.skr"))
	must(t, "rescore", "-o", file("some.bin"), file("some.txt"))
	must(t, "rescore", "-o", file("nodes.bin"), "-nodes", "300", file("some.txt"))
	must(t, "convert", "-o", file("again.txt"), file("some.bin"))
	before, after := strings.Split(string(contents(t, file("some.txt"))), "\n"), strings.Split(string(contents(t, file("again.txt"))), "\n")
	if len(before) != len(after) || len(contents(t, file("nodes.bin"))) != 32*(len(before)-1) {
		t.Fatalf("%d lines instead of %d", len(after), len(before))
	}
	for i := range before[:len(before)-1] {
		a, b := strings.Split(before[i], "|"), strings.Split(after[i], "|")
		if a[0] != b[0] || a[2] != b[2] {
			t.Fatalf("%q became %q", before[i], after[i])
		}
	}
	for _, args := range [][]string{{"-o", file("x.skr")}, {"-o", file("x.epd"), file("some.txt")}, {"-o", file("x.skr"), file("some.txt")}, {"-o", file("x.bin"), "-net", "none", file("some.txt")}} {
		if _, _, err := datagen(t, append([]string{"rescore"}, args...)...); err == nil {
			t.Errorf("rescore %q: no error", args)
		}
	}
}

func TestFilter(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "-games", "60", "-frc", "0.4", "-random-plies", "2")...)
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
	for name, test := range map[string]struct {
		args []string
		want int
	}{
		"results":  {[]string{"-results", "1-0,0-1"}, count(func(g *record.Game) bool { return g.Result != rules.Draw })},
		"lengths":  {[]string{"-min-plies", "40", "-max-plies", "120"}, count(func(g *record.Game) bool { return len(g.Plies) >= 40 && len(g.Plies) <= 120 })},
		"ends":     {[]string{"-ends", "checkmate,win by score"}, count(func(g *record.Game) bool { return g.End == record.Checkmate || g.End == record.WinAgreed })},
		"standard": {[]string{"-variant", "standard"}, count(standard)},
		"chess960": {[]string{"-variant", "chess960"}, count(func(g *record.Game) bool { return !standard(g) })},
		"nothing":  {[]string{"-share", "0"}, 0},
	} {
		out := file(name + ".skr")
		must(t, append(append([]string{"filter", "-o", out}, test.args...), file("games.skr"))...)
		if got := len(gamesIn(t, out)); got != test.want || test.want == len(all) {
			t.Errorf("%s: %d games instead of %d of %d", name, got, test.want, len(all))
		}
	}
	must(t, "filter", "-o", file("once.skr"), "-unique", file("games.skr"), file("games.skr"))
	if !slices.EqualFunc(gamesIn(t, file("once.skr")), all, sameGame) {
		t.Error("equal games were not left out once")
	}

	must(t, "convert", "-o", file("all.txt"), "-quiet=false", file("games.skr"))
	must(t, "filter", "-o", file("few.txt"), "-min-men", "10", "-max-men", "20", "-checks=false", "-unique", "-results", "1/2-1/2", file("all.txt"), file("all.txt"))
	want := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(contents(t, file("all.txt")))), "\n") {
		e, err := record.ParseEntry(line)
		if err != nil {
			t.Fatal(err)
		}
		if men := e.Position.Occupied().Count(); men >= 10 && men <= 20 && !e.Position.InCheck() && e.Result == rules.Draw {
			fields := strings.Fields(line)
			want[strings.Join(fields[:4], " ")] = true
		}
	}
	if got := strings.Count(string(contents(t, file("few.txt"))), "\n"); got != len(want) || got == 0 {
		t.Errorf("%d positions instead of %d", got, len(want))
	}
	for _, test := range []struct{ flag, value, out, want string }{
		{"-results", "2-0", "x.skr", `"2-0"`},
		{"-ends", "boredom", "x.skr", `"boredom"`},
		{"-variant", "shogi", "x.skr", `"shogi"`},
		{"-share", "2", "x.skr", "share"},
		{"-min-men", "3", "x.skr", "-min-men"},
		{"-min-plies", "3", "x.txt", "-min-plies"},
		{"-share", "1", "x.epd", "output"},
	} {
		if _, _, err := datagen(t, "filter", "-o", file(test.out), test.flag, test.value, file("games.skr")); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v", test.flag, test.value, err)
		}
	}
}

// TestCompressed goes through all compressions, and takes PGN in.
func TestCompressed(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "-games", "60")...)
	all := gamesIn(t, file("games.skr"))
	for _, name := range []string{"a.skr.zst", "b.skr.gz"} {
		must(t, "merge", "-o", file(name), file("games.skr"))
		if !slices.EqualFunc(gamesIn(t, file(name)), all, sameGame) {
			t.Errorf("%s: other games", name)
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
	if _, _, err := datagen(t, quick(file("new.skr.zst"), "-games", "1")...); err == nil || !strings.Contains(err.Error(), "compressed") {
		t.Error("play to a compressed file:", err)
	}
	if left, err := filepath.Glob(file("*.part*")); err != nil || len(left) > 0 {
		t.Error("left", left, err)
	}

	pgn := "[Result \"1-0\"]\n\n1. e4 {+0.10/8 1s} e5 {0.00/9 1s} 2. Qh5 {+0.20/8 1s} Ke7 {-9.00/8} 3. Qxe5# {+M1/3} 1-0\n"
	if err := os.WriteFile(file("x.pgn"), []byte(pgn+"\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	must(t, "convert", "-o", file("pgn.skr"), file("x.pgn"))
	must(t, "convert", "-o", file("whole.skr"), "-unlabelled", file("x.pgn"))
	if a, b := gamesIn(t, file("pgn.skr")), gamesIn(t, file("whole.skr")); len(a) != 1 || len(b) != 2 || len(a[0].Plies) != 5 || a[0].Plies[3].Score != 2304 {
		t.Error(a, b)
	}
	if out := must(t, "convert", "-o", file("pgn.txt"), file("x.pgn")); !strings.Contains(out, "4 positions without") {
		t.Error(out)
	}
}

func TestStats(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	must(t, quick(file("games.skr"), "-games", "40")...)
	out := must(t, "stats", "-svg", file("pictures"), file("games.skr"))
	positions := 0
	for _, g := range gamesIn(t, file("games.skr")) {
		positions += len(g.Plies)
	}
	for _, want := range []string{"games      40\n", "positions  " + strconv.Itoa(positions) + ",", "phase", "men on the board"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"results", "ends", "plies", "scores", "phase", "men"} {
		if svg := string(contents(t, filepath.Join(file("pictures"), name+".svg"))); !strings.HasPrefix(svg, "<svg") {
			t.Errorf("%s.svg: %.40s", name, svg)
		}
	}
	must(t, "convert", "-o", file("x.bin"), "-quiet=false", "-max-score", "0", file("games.skr"))
	out = must(t, "stats", file("x.bin"))
	if strings.Contains(out, "games") || !strings.Contains(out, "positions  "+strconv.Itoa(positions)+",") {
		t.Error(out)
	}
}
