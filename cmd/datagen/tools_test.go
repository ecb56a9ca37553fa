package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/dataset"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// gamesIn returns the games of a file.
func gamesIn(t *testing.T, name string) []record.Game {
	t.Helper()
	var list []record.Game
	err := dataset.GameReader{}.Batches([]string{name})(t.Context(), func(b *dataset.GameBatch) error {
		list = append(list, b.Games...)
		return nil
	})
	if err != nil {
		t.Fatal(name, err)
	}
	return list
}

// must runs datagen, fails the test if that fails, and returns the output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := datagen(t, args...)
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr)
	}
	return stdout
}

func TestMergeAndSplit(t *testing.T) {
	file := folder(t)
	must(t, quick(file("a.skr"), "--games", "30")...)
	must(t, quick(file("b.skr"), "--games", "10", "--seed", "9")...)
	must(t, "merge", "-o", file("all.skr"), file("a.skr"), file("b.skr"))
	all := gamesIn(t, file("all.skr"))
	if !slices.EqualFunc(all, append(gamesIn(t, file("a.skr")), gamesIn(t, file("b.skr"))...), sameGame) {
		t.Error("merged games differ")
	}
	must(t, "split", "-o", file("held.skr"), "--rest", file("rest.skr"), "--share", "0.3", file("all.skr"))
	held, rest := gamesIn(t, file("held.skr")), gamesIn(t, file("rest.skr"))
	if len(held) < 4 || len(held) > 22 || len(held)+len(rest) != len(all) {
		t.Errorf("%d games held out, %d not", len(held), len(rest))
	}
	must(t, "filter", "-o", file("share.skr"), "--share", "0.3", file("all.skr"))
	if slices.EqualFunc(gamesIn(t, file("share.skr")), held, sameGame) {
		t.Error("a random share is the games held out")
	}
	for i := range all { // every game is the next one of either file
		switch {
		case len(held) > 0 && sameGame(all[i], held[0]):
			held = held[1:]
		case len(rest) > 0 && sameGame(all[i], rest[0]):
			rest = rest[1:]
		default:
			t.Fatalf("game %d is in neither file", i)
		}
	}
	fails(t, "exists", "merge", "-o", file("a.skr"), file("b.skr"))
	fails(t, "unit", "merge", "-o", file("c.skr"), "--unit", "-1", file("a.skr"))
	fails(t, "none.skr", "merge", "-o", file("c.skr"), file("a.skr"), file("none.skr"))
	if left, err := filepath.Glob(file("*c.skr*")); err != nil || len(left) > 0 {
		t.Errorf("a failed command left %v, %v", left, err)
	}
}

// TestUnknownUnit copies games from a file whose header does not state the unit of
// scores, as the oldest do not: the unit must be given.
func TestUnknownUnit(t *testing.T) {
	file := folder(t)
	must(t, quick(file("new.skr"), "--games", "3")...)
	old := contents(t, file("new.skr"))
	end := 16 + binary.LittleEndian.Uint32(old[12:])
	binary.LittleEndian.PutUint16(old[10:], 0)
	binary.LittleEndian.PutUint32(old[end:], crc32.Checksum(old[:end], crc32.MakeTable(crc32.Castagnoli)))
	put(t, file("old.skr"), old)
	want := "old.skr does not state the unit"
	fails(t, want, "split", "-o", file("a.skr"), "--rest", file("b.skr"), file("old.skr"))
	fails(t, want, "filter", "-o", file("a.skr"), file("old.skr"))
	fails(t, want, "merge", "-o", file("a.skr"), file("new.skr"), file("old.skr"))
	fails(t, want, "convert", "-o", file("a.txt"), file("old.skr"))
	fails(t, want, "shuffle", "-o", file("a.bin"), file("old.skr"))
	fails(t, want, "label", "-o", file("a.bin"), "--nodes", "20", file("old.skr"))
	fails(t, want, "label", "-o", file("a.bin"), "--nodes", "0", "--per-game", "0", file("old.skr"))
	for name, known := range map[string]bool{"new.skr": true, "old.skr": false} {
		out := must(t, "stats", file("new.skr"), file(name))
		if strings.Contains(out, "scores, 1/256 pawn,") != known || strings.Contains(out, "unknown unit") == known {
			t.Errorf("statistics of %s: %s", name, out)
		}
	}
	must(t, "merge", "-o", file("a.skr"), "--unit", "256", file("old.skr"))
	if !slices.EqualFunc(gamesIn(t, file("a.skr")), gamesIn(t, file("new.skr")), sameGame) {
		t.Error("games differ")
	}
}

func sameGame(a, b record.Game) bool {
	return a.Start == b.Start && a.Result == b.Result && a.End == b.End && slices.Equal(a.Plies, b.Plies)
}

func TestConvert(t *testing.T) {
	file := folder(t)
	must(t, quick(file("games.skr"), "--games", "5", "--dfrc", "0.5")...)
	must(t, "convert", "-o", file("all.txt"), "--quiet=false", "--max-score", "0", file("games.skr"))
	var want strings.Builder
	for _, g := range gamesIn(t, file("games.skr")) {
		game := position.NewGame(g.Start)
		for _, ply := range g.Plies {
			points := float64(g.Result.HalfPoints()) / 2
			fmt.Fprintf(&want, "%s | %d | %.1f\n", game.Pos.FEN(), ply.Score, points)
			game.Play(ply.Move)
		}
	}
	if got := contents(t, file("all.txt")); string(got) != want.String() {
		t.Errorf("%d bytes of text instead of %d", len(got), want.Len())
	}
	must(t, "convert", "-o", file("all.bin"), file("all.txt"))
	must(t, "convert", "-o", file("again.txt"), file("all.bin"))
	if !bytes.Equal(contents(t, file("again.txt")), contents(t, file("all.txt"))) {
		t.Error("text to records to text differs")
	}
	fails(t, "negative", "convert", "-o", file("some.txt"), "--max-score", "-1", file("games.skr"))
	fails(t, "negative", "convert", "-o", file("some.txt"), "--min-move", "-1", file("games.skr"))
	must(t, "convert", "-o", file("some.txt"), "--min-move", "12", file("games.skr"))
	some := strings.Split(strings.TrimSpace(string(contents(t, file("some.txt")))), "\n")
	all := strings.Count(want.String(), "\n")
	if len(some) < 10 || len(some) > all*9/10 {
		t.Errorf("%d of %d positions pass the filter", len(some), all)
	}

	put(t, file("bad.txt"), some[0]+"\nnonsense\n")
	records := contents(t, file("all.bin"))
	records[32*3+30] = 7
	put(t, file("bad.bin"), records)
	put(t, file("short.bin"), records[:90])
	fails(t, "line 2", "convert", "-o", file("out.txt"), file("bad.txt"))
	fails(t, "byte 96", "convert", "-o", file("out.txt"), file("bad.bin"))
	fails(t, "byte 64", "convert", "-o", file("out.txt"), file("short.bin"))
	fails(t, "extension", "convert", "-o", file("out.txt"), file("odd.doc"))
}

// TestShuffle shuffles more data than fits in the memory it may use.
func TestShuffle(t *testing.T) {
	const n = 50000
	file := folder(t)
	var in bytes.Buffer
	for i := range n { // all different
		result := rules.BlackWins + rules.Result(i/20000)
		e := record.Entry{Position: position.Start(), Score: chess.Score(i % 20000), Result: result}
		if err := dataset.WriteEntry(&in, &e, dataset.Records); err != nil {
			t.Fatal(err)
		}
	}
	put(t, file("in.bin"), in.Bytes())
	if in.Len() <= 1<<20 {
		t.Errorf("%d bytes fit into 1 MiB of memory", in.Len())
	}
	fails(t, "at least 1 MiB", "shuffle", "-o", file("other.bin"), "--memory", "0", file("in.bin"))
	fails(t, "17592186044416 MiB", "shuffle", "-o", file("other.bin"), "--memory", "17592186044416", file("in.bin"))
	number := func(b []byte) int { return int(b[28]) + int(b[29])<<8 + int(b[30])*20000 }
	var outputs [][]byte
	for i, seed := range []string{"1", "1", "2"} {
		name := file(fmt.Sprint(i, ".bin"))
		must(t, "shuffle", "-o", name, "--memory", "1", "--seed", seed, file("in.bin"))
		out := contents(t, name)
		outputs = append(outputs, out)
		seen := make([]bool, n)
		moved := 0
		for at := 0; at < len(out); at += record.EntrySize {
			k := number(out[at:])
			if seen[k] {
				t.Fatalf("position %d occurs twice", k)
			}
			seen[k] = true
			moved += max(k-at/record.EntrySize, at/record.EntrySize-k)
		}
		// The mean distance between the places of a position is a third of the file.
		if len(out) != in.Len() || moved/n < n/3*97/100 || moved/n > n/3*103/100 {
			t.Errorf("%d bytes, want %d; mean distance %d, want about %d", len(out), in.Len(), moved/n, n/3)
		}
	}
	if !bytes.Equal(outputs[0], outputs[1]) || bytes.Equal(outputs[0], outputs[2]) {
		t.Error("the order does not depend on the seed alone")
	}
	if left, err := filepath.Glob(file(".shuffle*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestSeeds expects another seed to choose other games and positions.
func TestSeeds(t *testing.T) {
	file := folder(t)
	games := file("games.skr")
	must(t, quick(games, "--games", "12")...)
	for _, seed := range []string{"1", "2"} {
		name := func(s string) string { return file(s + seed) }
		must(t, "split", "-o", name("a")+".skr", "--rest", name("b")+".skr", "--share", "0.5", "--seed", seed, games)
		must(t, "filter", "-o", name("c")+".skr", "--share", "0.5", "--seed", seed, games)
		must(t, "label", "-o", name("d")+".txt", "--nodes", "0", "--per-game", "2", "--min-move", "15",
			"--seed", seed, games)
	}
	for name, command := range map[string]string{"a": "split", "c": "filter"} {
		if slices.EqualFunc(gamesIn(t, file(name+"1.skr")), gamesIn(t, file(name+"2.skr")), sameGame) {
			t.Errorf("%s: the same games with another seed", command)
		}
	}
	if bytes.Equal(contents(t, file("d1.txt")), contents(t, file("d2.txt"))) {
		t.Error("label: the same positions with another seed")
	}
	for _, e := range labels(t, file("d1.txt")) {
		if e.Position.Fullmoves() < 15 {
			t.Errorf("label: %s", &e)
		}
	}
}
