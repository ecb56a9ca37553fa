package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"skein/internal/cli"
	"skein/internal/record"
	"skein/internal/selfplay"
)

// TestMain makes the test binary run datagen if a test started it that way.
func TestMain(m *testing.M) {
	if os.Getenv("DATAGEN_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command returns a command that runs datagen in a process of its own.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "DATAGEN_TEST_MAIN=1")
	return cmd
}

// datagen runs datagen in this process and returns its output and error output.
func datagen(t *testing.T, args ...string) (string, string, error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err := program.Run(t.Context(), args, &stdout, &stderr)
	return stdout.String(), stderr.String(), err
}

// quick are flags for short games, about fifty to a block.
func quick(file string, more ...string) []string {
	flags := []string{"play", "-o", file, "--workers", "1", "--hash", "1", "--nodes", "50", "--hard", "200"}
	return append(append(flags, "--start-nodes", "200"), more...)
}

// fails runs datagen and fails the test unless that returns an error which
// contains want.
func fails(t *testing.T, want string, args ...string) {
	t.Helper()
	if _, _, err := datagen(t, args...); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%q: error %v, want one that contains %q", args, err, want)
	}
}

// folder creates a temporary folder and returns a function that returns the names of
// files in it.
func folder(t *testing.T) func(name string) string {
	t.Helper()
	dir := t.TempDir()
	return func(name string) string { return filepath.Join(dir, name) }
}

// put writes data to a file.
func put[T string | []byte](t *testing.T, name string, data T) {
	t.Helper()
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestKill repeatedly kills a run and continues it: no block is lost, and the
// final file is identical to that of an uninterrupted run.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	whole, killed := filepath.Join(dir, "whole.skr"), filepath.Join(dir, "killed.skr")
	games, kills := "200", 3
	if testing.Short() {
		games, kills = "50", 1
	}
	must(t, quick(whole, "--games", games)...)
	size, seed := int64(0), rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	for range kills {
		cmd := command(quick(killed, "--games", games)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if info, err := os.Stat(killed); err == nil && info.Size() > size+1000 {
				break
			}
		}
		time.Sleep(time.Duration(rng.IntN(50)) * time.Millisecond)
		cmd.Process.Kill()
		if err := cmd.Wait(); err == nil {
			break // it had finished
		}
		data := contents(t, killed)
		if int64(len(data)) < size {
			t.Fatalf("the file shrank from %d to %d bytes", size, len(data))
		}
		size = int64(len(data))
		// A power failure may leave part of a block.
		torn := append(bytes.Clone(data), data[20:20+rng.IntN(300)]...)
		put(t, killed, torn)
	}
	_, stderr, err := datagen(t, quick(killed, "--games", games)...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr, "continuing") {
		t.Errorf("no message about continuing: %q", stderr)
	}
	if !bytes.Equal(contents(t, killed), contents(t, whole)) {
		t.Error("the file differs from that of an uninterrupted run")
	}
	if out, _, err := datagen(t, "verify", killed); err != nil || !strings.Contains(out, "good, "+games+" games") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestInterrupt cancels the context of a run, as Ctrl-C does.
func TestInterrupt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games.skr")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(name); err == nil {
				time.Sleep(300 * time.Millisecond)
				cancel()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	err := program.Run(ctx, quick(name, "--workers", "2"), io.Discard, io.Discard)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if out, _, err := datagen(t, "verify", name); err != nil || !strings.Contains(out, "good") {
		t.Errorf("%q, %v", out, err)
	}
}

// TestInterruptSearch cancels commands in searches that would take years.
func TestInterruptSearch(t *testing.T) {
	dir := t.TempDir()
	games := filepath.Join(dir, "games.skr")
	must(t, quick(games, "--games", "1")...)
	must(t, "convert", "-o", filepath.Join(dir, "positions.bin"), games)
	for _, args := range [][]string{
		{"label", "-o", "x.bin", "--nodes", "1000000000000", games},
		{"rescore", "-o", "x.skr", "--nodes", "1000000000000", games},
		{"rescore", "-o", "x.bin", "--depth", "200", filepath.Join(dir, "positions.bin")},
	} {
		args[2] = filepath.Join(dir, args[2])
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if err := program.Run(ctx, args, io.Discard, io.Discard); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", args, err)
		}
		if _, err := os.Stat(args[2]); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: there is output, or %v", args, err)
		}
	}
}

func TestPlay(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "games.skr")
	_, stderr, err := datagen(t, quick(name, "--games", "4", "--dfrc", "0.5")...)
	if err != nil || !strings.Contains(stderr, "nodes/position") || !strings.Contains(stderr, ": 4 games,") {
		t.Fatalf("%q, %v", stderr, err)
	}
	first := contents(t, name)
	// More games, which follow the old ones.
	must(t, quick(name, "--games", "6", "--dfrc", "0.5")...)
	if more := contents(t, name); !bytes.HasPrefix(more, first) || len(more) == len(first) {
		t.Error("the file was not continued")
	}
	if out, _, err := datagen(t, "verify", name); err != nil || !strings.Contains(out, "good, 6 games") {
		t.Errorf("%q, %v", out, err)
	}
	// A file with enough positions is left unchanged.
	before := contents(t, name)
	must(t, quick(name, "--positions", "10", "--dfrc", "0.5")...)
	if !bytes.Equal(before, contents(t, name)) {
		t.Error("a file with enough positions was changed")
	}
	fails(t, "dfrc=0.5", quick(name, "--games", "9", "--dfrc", "0.4")...)

	positions := filepath.Join(dir, "positions.skr")
	must(t, quick(positions, "--positions", "300", "--seed", "7")...)
	out, _, err := datagen(t, "stats", positions)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(out)
	if n, err := strconv.Atoi(strings.TrimSuffix(fields[3], ",")); err != nil || n < 300 || n > 900 {
		t.Errorf("%d positions, want a few more than 300", n)
	}
	for _, part := range []string{"results", "score", "pieces", "plies"} {
		if !strings.Contains(out, part) {
			t.Errorf("stats does not print %q:\n%s", part, out)
		}
	}
}

func TestBook(t *testing.T) {
	dir := t.TempDir()
	book, name := filepath.Join(dir, "book.epd"), filepath.Join(dir, "games.skr")
	const epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - "
	put(t, book, epd+"hmvc 0;\n")
	must(t, quick(name, "--games", "1", "--book", book)...)
	r, err := record.NewReader(bytes.NewReader(contents(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	var g record.Game
	if err := r.Read(&g); err != nil || g.Start.FEN() != epd+"0 1" {
		t.Error(g.Start.FEN(), err)
	}
	put(t, book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n")
	fails(t, "games of other settings", quick(name, "--games", "1", "--book", book)...)
	fails(t, "decompress it first", quick(name, "--games", "1", "--book", book+".gz")...)
}

// TestDamage damages a block: verify reports its place, stats and play refuse the
// file, and recover copies the other blocks.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "games.skr")
	must(t, quick(name, "--games", "60")...)
	data := contents(t, name)
	damaged, saved := filepath.Join(dir, "damaged.skr"), filepath.Join(dir, "saved.skr")
	block := bytes.Index(data, []byte("SkBl"))
	data[block+100]++
	put(t, damaged, data)
	out, _, err := datagen(t, "verify", name, damaged)
	if err == nil || !strings.Contains(err.Error(), "1 of 2") || !strings.Contains(out, name+": good") ||
		!strings.Contains(out, fmt.Sprintf("%s: byte %d, block 0, game 0: ", damaged, block)) {
		t.Errorf("%q, %v", out, err)
	}
	fails(t, "block 0", "stats", damaged)
	fails(t, "block 0", quick(damaged, "--games", "300")...)
	if out, _, err := datagen(t, "recover", "-o", saved, damaged); err != nil || !strings.Contains(out, "games") {
		t.Errorf("%q, %v", out, err)
	}
	if out, _, err := datagen(t, "verify", saved); err != nil || !strings.Contains(out, "good") {
		t.Errorf("%q, %v", out, err)
	}
	fails(t, "other settings", quick(saved, "--games", "300")...)
	fails(t, ".skr", "recover", "-o", filepath.Join(dir, "saved.bin"), damaged)
	fails(t, "is compressed", "recover", "-o", filepath.Join(dir, "other.skr"), damaged+".gz")
	text := filepath.Join(dir, "text.skr")
	put(t, text, "no games")
	fails(t, text+": ", "recover", "-o", filepath.Join(dir, "other.skr"), text)
}

// TestRecoverPGN recovers the valid games of PGN, with which convert ends at the first
// error.
func TestRecoverPGN(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.pgn"), filepath.Join(dir, "out.skr")
	const games = "1. e4 {+0.3/10 1s} e5 {+0.1/10 1s} 1-0\n\n1. d4 {+0.3/10} Ke6 {+0.3/10} 0-1\n\n1. c4 0-1\n\n" +
		"1. d4 {+0.2/10} 1/2-1/2\n\n1. e4 {+0.3/"
	put(t, in, games)
	fails(t, "game 2, line 3, column 17: ", "convert", "-o", out, in)
	report, told, err := datagen(t, "recover", "-o", out, in)
	want := out + ": 2 games, 3 positions\nskipped 1 games without a result or scores\nskipped 2 invalid games\n"
	if err != nil || report != want {
		t.Errorf("%q, %v", report, err)
	}
	for _, want := range []string{in + ": game 2, line 3, column 17: ", in + ": game 5, line 9, column 7: "} {
		if !strings.Contains(told, want) {
			t.Errorf("%q does not say %q", told, want)
		}
	}
	if got := gamesIn(t, out); len(got) != 2 || len(got[0].Plies) != 2 || len(got[1].Plies) != 1 {
		t.Error(got)
	}
}

// TestIllegalMove verifies a file with correct checksums and an illegal move.
func TestIllegalMove(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.skr"), filepath.Join(dir, "bad.skr")
	must(t, quick(good, "--games", "1")...)
	r, err := record.NewReader(bytes.NewReader(contents(t, good)))
	if err != nil {
		t.Fatal(err)
	}
	var g record.Game
	if err := r.Read(&g); err != nil {
		t.Fatal(err)
	}
	g.Plies[3].Move = g.Plies[1].Move // its piece is no longer on that square
	w, _, err := record.Open(t.Context(), bad, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&g), w.Close()); err != nil {
		t.Fatal(err)
	}
	out, _, err := datagen(t, "verify", bad)
	place := record.Place{Offset: 20 + 20} // after the headers of the file and of the block
	want := fmt.Sprintf("byte %d, block 0, game 0: ply 3: move", place.PlyOffset(3))
	if err == nil || !strings.Contains(out, want) {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

// TestLevel selects a level of the kernels that does not exist.
func TestLevel(t *testing.T) {
	cmd := command("help")
	cmd.Env = append(cmd.Env, "SKEIN_SIMD=sse9")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), `datagen: SKEIN_SIMD="sse9" is not one of`) {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestErrors(t *testing.T) {
	name := filepath.Join(t.TempDir(), "games.skr")
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "no command"},
		{[]string{"plat"}, `unknown command "plat"`},
		{[]string{"play"}, "-o FILE"},
		{[]string{"play", "-o", name, "x"}, `"x"`},
		{[]string{"play", "-o", name, "--frc", "2"}, "share"},
		{[]string{"play", "-o", name, "--workers", "0"}, "workers"},
		{[]string{"play", "-o", name, "--net", "none.nnue"}, "none.nnue"},
		{[]string{"play", "-o", name, "--book", "none.epd"}, "none.epd"},
		{[]string{"play", "-o", name, "--book", "none.epd", "--random-plies", "6"}, "--random-plies has no effect"},
		{[]string{"play", "-o", name, "--book-plies", "2"}, "--book-plies has no effect without --book"},
		{[]string{"play", "-o", name, "--start-nodes", "0", "--start-score", "9"}, "--start-score has no effect"},
		{[]string{"play", "-o", name, "--win-plies", "0", "--win-score", "900"}, "--win-score has no effect"},
		{[]string{"play", "-o", name, "--draw-plies", "0", "--draw-move", "9"}, "--draw-move has no effect"},
		{[]string{"play", "-o", name, "--random-plies", "0", "--games", "22"}, "only 21 different games"},
		{[]string{"filter", "-o", name, "none.skr", "--seed", "3"}, "--seed has no effect without --share"},
		{[]string{"play", "-o", name, "--book", "none.epd", "--frc", "0.7", "--dfrc", "0.3"}, "--book has no effect"},
		{[]string{"rescore", "-o", name, "none.bin", "--hash", "4"}, "--hash has no effect without --nodes"},
		{[]string{"rescore", "-o", name, "none.pgn", "--unlabelled"}, "--unlabelled has no effect"},
		{[]string{"verify"}, "no file"},
		{[]string{"verify", "none.skr"}, "1 of 1"},
		{[]string{"stats", "none.skr"}, "none.skr"},
		{[]string{"recover", "none.skr"}, "-o OUT"},
		{[]string{"merge", "none.skr"}, "-o OUT"},
		{[]string{"split", "-o", name, "none.skr"}, "--rest OUT2"},
		{[]string{"split", "-o", name, "--rest", name, "none.skr"}, "same file"},
		{[]string{"convert", "-o", name, "none.txt"}, "games"},
		{[]string{"convert", "-o", "x.epd", "none.txt"}, "x.epd: its extension is none of .skr, .bin and .txt"},
		{[]string{"shuffle", "-o", "x.txt", "none.txt"}, ".bin"},
	} {
		fails(t, test.want, test.args...)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a failed command created a file")
	}
	if stdout, _, err := datagen(t, "play", "--help"); err != nil || !strings.Contains(stdout, "--draw-plies") {
		t.Error("no help", err)
	}
}

func TestProgress(t *testing.T) {
	p := newProgress(io.Discard, 10, 1000, 0, 3000)
	defer p.stop()
	if p.reached() {
		t.Error("reached too early")
	}
	p.add(1, selfplay.Tally{Positions: 500, Nodes: 1_000_000, Rejected: 2})
	want := "games 11, positions 1500, 50 positions/s, 2000 nodes/position, 2 starts rejected, 50 %, 30s left"
	if r := p.report(10 * time.Second); r.String() != want {
		t.Errorf("%q instead of %q", r.String(), want)
	}
	p.goalGames, p.tally.Rejected = 12, 1 // nearer
	want = "games 11, positions 1500, 50 positions/s, 2000 nodes/position, 1 start rejected, 92 %, 10s left"
	if r := p.report(10 * time.Second); r.String() != want {
		t.Errorf("%q instead of %q", r.String(), want)
	}
	p.goalGames = 0
	p.add(1, selfplay.Tally{Positions: 1500})
	if !p.reached() {
		t.Error("not reached")
	}
}

// TestPlayFlags sets every flag of play.
func TestPlayFlags(t *testing.T) {
	flags := cli.NewFlags("datagen play")
	j := newJob(flags)
	const args = "-o x.skr --games 1 --positions 2 --net n --workers 3 --seed 4 --hash 5 --nodes 6 --hard 7 " +
		"--book b --random-plies 8 --book-plies 9 --frc 0.25 --dfrc 0.5 --start-score 10 --start-nodes 11 " +
		"--win-score 12 --win-plies 13 --draw-score 14 --draw-plies 15 --draw-move 16 --max-plies 17 --syzygy s"
	if err := flags.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	want := job{
		config: selfplay.Config{
			Seed: 4, Hash: 5, SoftNodes: 6, HardNodes: 7, MaxPlies: 17,
			Openings: selfplay.Openings{RandomPlies: 8, BookPlies: 9, FRC: 0.25, DFRC: 0.5, MaxScore: 10,
				VerifyNodes: 11},
			Adjudication: selfplay.Adjudication{WinScore: 12, WinPlies: 13, DrawScore: 14, DrawPlies: 15,
				DrawMove: 16},
		},
		file: "x.skr", book: "b", net: "n", syzygy: "s", games: 1, positions: 2, workers: 3,
	}
	if !reflect.DeepEqual(*j, want) {
		t.Errorf("%+v, want %+v", *j, want)
	}
}
