package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/movegen"
	"skein/nets"
	"skein/position"
	"skein/rules"
	"skein/search"
)

// labels reads a file of positions as text.
func labels(t *testing.T, name string) []record.Entry {
	t.Helper()
	var entries []record.Entry
	for line := range strings.Lines(string(contents(t, name))) {
		e, err := record.ParseEntry(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

func TestLabel(t *testing.T) {
	file := folder(t)
	number := "40"
	if testing.Short() {
		number = "12"
	}
	must(t, quick(file("games.skr"), "--games", number)...)
	games := gamesIn(t, file("games.skr"))
	line := map[chess.Key]rules.Result{} // of all games
	for _, g := range games {
		game := position.NewGame(g.Start)
		for _, ply := range g.Plies {
			line[game.Pos.Key()] = g.Result
			game.Play(ply.Move)
		}
	}

	// The labels do not depend on the number of workers.
	must(t, "label", "-o", file("one.txt"), "--nodes", "300", "--per-game", "6", "--workers", "1", file("games.skr"))
	must(t, "label", "-o", file("three.txt"), "--nodes", "300", "--per-game", "6", "--workers", "3", file("games.skr"))
	if !bytes.Equal(contents(t, file("one.txt")), contents(t, file("three.txt"))) {
		t.Error("the labels depend on the number of workers")
	}
	entries := labels(t, file("one.txt"))
	if n := len(entries); n < 6*len(games) || n > 12*len(games) {
		t.Errorf("%d labels of %d games", n, len(games))
	}
	known := 0
	for i := range entries {
		e := &entries[i]
		result, ok := line[e.Position.Key()]
		if ok {
			known++
		}
		if ok && result != e.Result || e.Position.InCheck() || max(e.Score, -e.Score) > 5000 {
			t.Errorf("%s: in a game %v, result %v", e, ok, e.Result)
		}
	}
	if known < len(entries)/2 {
		t.Errorf("%d of %d positions are in a game", known, len(entries))
	}

	// The label of the only search in a game equals that of a search with an empty
	// table. A second label of a search, of a later position on its principal
	// variation, need not.
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.New(net, search.Options{Threads: 1, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for soft, limits := range map[bool]search.Limits{false: {Nodes: 300}, true: {SoftNodes: 300, Nodes: 3000}} {
		out := file(fmt.Sprintf("single-%v.txt", soft))
		must(t, "label", "-o", out, "--nodes", "300", fmt.Sprintf("--soft=%v", soft), "--per-game", "1",
			file("games.skr"))
		equal := 0
		for _, entry := range labels(t, out) {
			e.NewGame()
			found := e.Search(position.NewGame(entry.Position), limits, nil)
			want := int(search.Unscaled(found.Score, &entry.Position))
			if entry.Position.SideToMove() == chess.Black {
				want = -want
			}
			if int(entry.Score) == want && !entry.Position.IsNoisy(found.Best) {
				equal++
			}
		}
		if equal < len(games)*3/4 {
			t.Errorf("soft %v: %d labels of %d games equal those of searches with an empty table", soft, equal,
				len(games))
		}
	}

	// Positions after random moves do not occur in the games, are not in check, and
	// have legal moves.
	must(t, "label", "-o", file("off.txt"), "--nodes", "300", "--per-game", "6", "--off-line", "1", file("games.skr"))
	fresh := 0
	for _, entry := range labels(t, file("off.txt")) {
		if _, ok := line[entry.Position.Key()]; !ok {
			fresh++
		}
		if entry.Position.InCheck() || movegen.Count(&entry.Position) == 0 {
			t.Errorf("%s: in check or without legal moves", &entry)
		}
	}
	if fresh < 2*len(games) {
		t.Errorf("%d new positions from %d games", fresh, len(games))
	}
}

// TestLabelErrors expects errors about arguments, inputs and outputs.
func TestLabelErrors(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "1")...)
	put(t, file("one.txt"), "")
	for _, test := range []struct {
		want string
		args []string
	}{
		{"expected -o OUT", []string{file("games.skr")}},
		{"expected -o OUT", []string{"-o", file("x.bin")}},
		{"neither .bin nor .txt", []string{"-o", file("x.skr"), file("games.skr")}},
		{"one.txt: not a file of games", []string{"-o", file("x.bin"), file("one.txt")}},
		{"no effect with --nodes 0", []string{"-o", file("x.bin"), "--nodes", "0", "--net", "x", file("games.skr")}},
		{"there are no searches", []string{"-o", file("x.bin"), "--nodes", "0", "--soft", file("games.skr")}},
		{"-1 positions per game", []string{"-o", file("x.bin"), "--per-game", "-1", file("games.skr")}},
		{"off the line 1.5", []string{"-o", file("x.bin"), "--off-line", "1.5", file("games.skr")}},
		{"lambda 2 is not", []string{"-o", file("x.bin"), "--lambda", "2", file("games.skr")}},
		{"maximum score 0", []string{"-o", file("x.bin"), "--max-score", "0", file("games.skr")}},
		{"none", []string{"-o", file("x.bin"), "--net", "none", file("games.skr")}},
		{"one.txt", []string{"-o", file("one.txt"), file("games.skr")}},
	} {
		fails(t, test.want, append([]string{"label"}, test.args...)...)
	}
}

// TestLabelBeyond labels two positions in which a quiet move mates and one that is even,
// whose games have other scores, and expects the mates to be counted.
func TestLabelBeyond(t *testing.T) {
	file := folder(t)
	var pgn strings.Builder
	for _, game := range []string{
		`6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"] 1. Kf1 {0.00/1}`,
		`r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"] 1... Kf8 {0.00/1}`,
		`4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"] 1. Kd2 {0.00/1}`,
	} {
		fmt.Fprintf(&pgn, "[FEN \"%s 1/2-1/2\n\n", game)
	}
	put(t, file("x.pgn"), pgn.String())
	out := must(t, "label", "-o", file("x.txt"), "--nodes", "300", file("x.pgn"))
	n := len(labels(t, file("x.txt")))
	if want := fmt.Sprintf("x.txt: %d positions\nskipped 2 labels beyond --max-score\n", n); n == 0 ||
		!strings.HasSuffix(out, want) {
		t.Errorf("printed %q, want %q", out, want)
	}
}

// TestLabelLambda checks that with --lambda 1 positions of the games have their
// results as labels, the others the labels that they have without.
func TestLabelLambda(t *testing.T) {
	file := folder(t)
	const games = 12
	must(t, quick(file("games.skr"), "--games", strconv.Itoa(games))...)
	must(t, "label", "-o", file("plain.txt"), "--nodes", "300", "--per-game", "6", file("games.skr"))
	must(t, "label", "-o", file("results.txt"), "--nodes", "300", "--per-game", "6", "--lambda", "1", file("games.skr"))
	plain, results := labels(t, file("plain.txt")), labels(t, file("results.txt"))
	if len(plain) != len(results) {
		t.Fatalf("%d labels, %d without --lambda", len(results), len(plain))
	}
	mixed := 0
	for i, e := range results {
		switch {
		case e.Position != plain[i].Position:
			t.Fatalf("%s: another position than without --lambda", &e)
		case e.Score == 5000*chess.Score(e.Result.HalfPoints()-1):
			mixed++
		case e.Score != plain[i].Score:
			t.Errorf("%s: a label of neither the game nor the search", &e)
		}
	}
	if mixed < 3*games || mixed == len(results) {
		t.Errorf("%d of %d labels of %d games are results", mixed, len(results), games)
	}
}

// TestLabelOwn compares the labels of --nodes 0 with the scores of the game, and with
// these mixed with all that follow.
func TestLabelOwn(t *testing.T) {
	file := folder(t)
	must(t, quick(file("game.skr"), "--games", "1")...)
	own := []string{"label", "--nodes", "0", "--per-game", "0", file("game.skr"), "-o"}
	must(t, append(own, file("plain.txt"))...)
	must(t, append(own, file("mixed.txt"), "--lambda", "0.5")...)
	must(t, append(own, file("few.txt"), "--per-game", "3")...)
	must(t, "convert", "-o", file("quiet.txt"), "--max-score", "5000", file("game.skr"))
	must(t, "convert", "-o", file("all.txt"), "--max-score", "0", "--quiet=false", file("game.skr"))

	quiet, plain := labels(t, file("quiet.txt")), labels(t, file("plain.txt"))
	slices.Reverse(quiet)
	if !slices.Equal(plain, quiet) || len(plain) < 10 {
		t.Errorf("%d labels, which differ from %d scores of quiet positions", len(plain), len(quiet))
	}
	if n := len(labels(t, file("few.txt"))); n != 3 {
		t.Errorf("%d labels with --per-game 3", n)
	}
	all, mixed := labels(t, file("all.txt")), labels(t, file("mixed.txt"))
	points := float64(all[0].Result.HalfPoints()) / 2
	for _, e := range slices.Backward(all) {
		points = 0.5*points + 0.5/(1+math.Exp(-float64(e.Score)/300))
		if len(mixed) == 0 || mixed[0].Position != e.Position {
			continue
		}
		want := min(max(300*math.Log(points/(1-points)), -5000), 5000)
		if got := float64(mixed[0].Score); math.Abs(got-want) > 1 {
			t.Errorf("%s: score %g, want %g", &e, got, want)
		}
		mixed = mixed[1:]
	}
	if len(mixed) > 0 {
		t.Errorf("%d labels are of no position of the game", len(mixed))
	}
}

// TestLabelAfterCapture labels positions after a best move that wins a piece.
func TestLabelAfterCapture(t *testing.T) {
	file := folder(t)
	put(t, file("x.pgn"), "[FEN \"4k3/ppp5/8/3n4/8/8/PPP5/3RK3 w - - 0 1\"] 1. Kf1 {0.00/1} 1/2-1/2\n\n"+
		"[FEN \"3rk3/ppp5/8/8/3N4/8/PPP5/4K3 b - - 0 1\"] 1... Kf8 {0.00/1} 1/2-1/2\n")
	must(t, "label", "-o", file("x.txt"), "--nodes", "300", "--max-score", "20000", file("x.pgn"))
	replies := 0
	for _, e := range labels(t, file("x.txt")) {
		winner := chess.Black
		if e.Position.PiecesOf(chess.White, chess.Rook) != 0 {
			winner = chess.White
		}
		if e.Position.SideToMove() != winner {
			replies++
		}
		if (e.Score > 0) != (winner == chess.White) {
			t.Errorf("%s: the side with the rook is worse", &e)
		}
	}
	if replies == 0 {
		t.Error("no label with the loser to move")
	}
}
