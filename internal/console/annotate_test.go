package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"skein/internal/cli"
	"skein/internal/review"
	"skein/notation"
	"skein/search"
)

const annotatedGames = `[White "A"]
[Black "B"]

1. e4 {[%clk 0:01:00]} e5 2. Bc4 Nc6 3. Qh5 Nf6 $1 $18 $2 $18 {[%eval 0.1] old} 4. Qxf7# 1-0

[White "B"]

1. e4 e5 2. Ke3 *

[White "C"]
[Variant "Chess960"]
[FEN "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]

1. O-O-O *
`

// readGames reads PGN without errors.
func readGames(t *testing.T, pgn string) (games []*notation.Game) {
	t.Helper()
	for g, err := range notation.NewReader(strings.NewReader(pgn)).All() {
		if err != nil {
			t.Fatalf("%v\n%s", err, pgn)
		}
		games = append(games, g)
	}
	return games
}

func TestAnnotate(t *testing.T) {
	status, out, errs := run(context.Background(), annotatedGames, "analyse", "--pgn", "-", "--depth", "4")
	if status != cli.ExitFailure || !strings.Contains(errs, "-: game 2, line 8, column 13") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	read := readGames(t, out)
	if len(read) != 3 {
		t.Fatalf("%d games\n%s", len(read), out)
	}
	g := read[0]
	if got := g.Tags.Get("Annotator"); got != "Skein test, depth 4" {
		t.Errorf("annotator %q", got)
	}
	if got := g.Tags.Get("Opening"); got != "Bishop's Opening" {
		t.Errorf("opening %q", got)
	}
	if first := g.Main.Moves[0].Notes.Value().Comment; !strings.HasSuffix(first, "[%clk 0:01:00]") {
		t.Errorf("1. e4 has comment %q", first)
	}
	lost := g.Main.Moves[5].Notes.Value()
	if !bytes.Equal(lost.NAGs, []byte{4, 18}) || len(lost.Variations) != 1 ||
		!strings.HasPrefix(lost.Comment, "[%eval #1] Blunder, allows mate in 1. ") ||
		!strings.HasSuffix(lost.Comment, " was best. old") {
		t.Errorf("3... Nf6 is %+v\n%s", lost, out)
	}
	if end := g.Main.Moves[6].Notes.Value().Comment; end != "[%eval #0]" {
		t.Errorf("the mate has comment %q", end)
	}
	if !read[2].Chess960 || len(read[2].Main.Moves) != 1 {
		t.Errorf("game 3 is written\n%s", out)
	}
	if status, _, errs := run(context.Background(), "", "analyse", "--pgn", "-"); status != cli.ExitFailure ||
		!strings.Contains(errs, "no games") {
		t.Errorf("empty input: status %d, errors %q", status, errs)
	}
}

// TestAnnotateJSON reviews the games of two files, one of them twice, the other with an
// illegal move, and of one that is missing.
func TestAnnotateJSON(t *testing.T) {
	first := file(t, annotatedGames[:strings.Index(annotatedGames, `[White "B"]`)])
	second := file(t, "[White \"D\"]\n\n1. d4 Ke5 *\n")
	status, out, errs := run(context.Background(), "", "analyse", "--depth", "3", "--json", "--pgn", first,
		"--pgn", second, "missing", first)
	if status != cli.ExitFailure || strings.Count(errs, "\n") != 2 || !strings.Contains(errs, "missing") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	var games []review.Game
	for line := range strings.Lines(out) {
		var g review.Game
		if err := json.Unmarshal([]byte(line), &g); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		games = append(games, g)
	}
	if len(games) != 3 || games[1].Tags["White"] != "D" || games[2].Number != 3 {
		t.Fatalf("output\n%s", out)
	}
	if cut := &games[1]; len(cut.Plies) != 1 || !strings.Contains(cut.Error, "Ke5") || games[0].Error != "" {
		t.Errorf("a game with an illegal move has %d moves, the error %q", len(cut.Plies), cut.Error)
	}
	lost := &games[0].Plies[5]
	if lost.Verdict != review.Blunder || lost.Move != "g8f6" || len(lost.Best) == 0 || games[0].Black.Blunders != 1 {
		t.Errorf("3... Nf6 is %+v", lost)
	}
}

// TestReviewEngines expects a single game to be searched by all threads, several by one
// each, and no more engines than games.
func TestReviewEngines(t *testing.T) {
	for _, tt := range []struct {
		games int
		flags []string
		want  string // threads and MiB of each engine
	}{
		{1, nil, "3*96"},
		{2, nil, "1*32 1*32"},
		{5, nil, "1*32 1*32 1*32"},
		{1, []string{"--hash", "7"}, "3*7"},
		{2, []string{"--hash", "7"}, "1*7 1*7"},
	} {
		var made []string
		create := func(threads, hash int, net string) (*search.Engine, error) {
			made = append(made, fmt.Sprintf("%d*%d", threads, hash))
			return newEngine(threads, 1, net)
		}
		args := []string{"analyse", "--depth", "1", "--threads", "3", "--pgn", file(t, manyGames(tt.games))}
		status := Run(t.Context(), Env{Out: io.Discard, Err: io.Discard, NewEngine: create}, append(args, tt.flags...))
		if got := strings.Join(made, " "); got != tt.want || status != 0 {
			t.Errorf("%d games %q: engines %s, want %s, status %d", tt.games, tt.flags, got, tt.want, status)
		}
	}
}

// TestCountGames counts the games of files, but not those of the standard input.
func TestCountGames(t *testing.T) {
	c := &call{ctx: t.Context()}
	first := file(t, "1. d4 *\n\n1. e4 e5 *\n")
	if games, searches, err := c.countGames([]string{first, "missing"}); games != 2 || searches != 5 || err != nil {
		t.Error(games, searches, err)
	}
	if games, searches, err := c.countGames([]string{first, "-"}); games != 0 || searches != 0 || err != nil {
		t.Error(games, searches, err)
	}
}

// manyGames returns games with different moves in PGN.
func manyGames(n int) string {
	var s strings.Builder
	first := []string{"a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4", "Na3", "Nc3", "g3", "g4", "h3", "h4"}
	for i := range n {
		fmt.Fprintf(&s, "[White \"W%d\"]\n[Black \"B\"]\n\n1. %s %s 2. Nf3 Nf6 3. Ng1 Ng8 *\n\n", i%3, first[i%16],
			strings.NewReplacer("3", "6", "4", "5").Replace(first[i/16%16]))
	}
	return s.String()
}

// TestResume kills a review, cuts off its output within a game, and resumes it: the
// output has the same bytes as that of a run to the end, and so has the summary.
func TestResume(t *testing.T) {
	const variable = "SKEIN_TEST_RESUME"
	if args := os.Getenv(variable); args != "" {
		os.Exit(Run(context.Background(), Env{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr,
			Name: "Skein test", NewEngine: newEngine}, strings.Split(args, "|")))
	}
	input := file(t, manyGames(24))
	for _, flags := range [][]string{nil, {"--json"}, {"--curve", "engine"}} {
		dir := t.TempDir()
		whole, killed := filepath.Join(dir, "whole"), filepath.Join(dir, "killed")
		args := []string{"analyse", "--depth", "4", "--hash", "1", "--threads", "2", "--pgn", input}
		args = append(args, flags...)
		status, summary, errs := run(context.Background(), "", append(args, "-o", whole)...)
		if status != 0 || !strings.Contains(summary, "accuracy") {
			t.Fatalf("status %d, errors %q, output\n%s", status, errs, summary)
		}
		want := readFile(t, whole)

		cmd := exec.Command(os.Args[0], "-test.run=^TestResume$")
		cmd.Env = append(os.Environ(), variable+"="+strings.Join(append(args, "-o", killed), "|"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); len(readFile(t, killed)) < len(want)/8; {
			if time.Sleep(time.Millisecond); time.Now().After(deadline) {
				break
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
		part := readFile(t, killed)
		if len(part) == len(want) {
			t.Log("the review ended before it was killed")
			part = part[:len(part)/2]
		}
		if len(part) < 100 || len(part) > len(want) {
			t.Fatalf("%q: killed after %d of %d bytes", flags, len(part), len(want))
		}
		for _, cut := range []int{0, 70} {
			if err := os.WriteFile(killed, part[:len(part)-cut], 0o644); err != nil {
				t.Fatal(err)
			}
			status, again, errs := run(context.Background(), "", append(args, "-o", killed, "--resume")...)
			if status != 0 || again != summary {
				t.Fatalf("%q: status %d, errors %q, output\n%s\nwithout interruption\n%s", flags, status, errs, again,
					summary)
			}
			if got := readFile(t, killed); !bytes.Equal(got, want) {
				t.Fatalf("%q: %d bytes cut off: the resumed output differs", flags, cut)
			}
		}
	}
}

// readFile returns what is in a file, nothing if it does not exist.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return data
}

// TestResumeRefused resumes outputs that are not from the same run.
func TestResumeRefused(t *testing.T) {
	games := manyGames(4)
	input := file(t, games)
	out := filepath.Join(t.TempDir(), "out.pgn")
	args := []string{"analyse", "--depth", "1", "--pgn", input, "-o", out}
	if status, _, errs := run(context.Background(), "", args...); status != 0 {
		t.Fatal(errs)
	}
	want := readFile(t, out)
	other := file(t, games[strings.Index(games, `[White "W1"]`):])
	for _, tt := range []struct {
		args []string
		want string
	}{
		{args, "exists already; --resume continues it"},
		{[]string{"analyse", "--depth", "2", "--pgn", input, "-o", out, "--resume"},
			`game 1 was reviewed by "Skein test, depth 1", now it is "Skein test, depth 2"`},
		{[]string{"analyse", "--depth", "1", "--pgn", other, "-o", out, "--resume"},
			"game 1 is another one than in the input"},
		{[]string{"analyse", "--depth", "1", "--pgn", file(t, "\n"), "-o", out, "--resume"},
			"game 1 is not in the input"},
		{[]string{"analyse", "--depth", "1", "--pgn", input, "-o", input, "--resume"}, "is also an input"},
		{[]string{"analyse", "--depth", "1", "--pgn", input, "-o", file(t, games), "--resume"},
			"evaluations are missing"},
		{[]string{"analyse", "--depth", "1", "--json", "--pgn", input, "-o", out, "--resume"}, "game 1: invalid"},
	} {
		status, _, errs := run(context.Background(), "", tt.args...)
		if status != cli.ExitFailure || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, errors %q, want %q", tt.args, status, errs, tt.want)
		}
		if !bytes.Equal(readFile(t, out), want) || string(readFile(t, input)) != games {
			t.Fatalf("%q changed a file", tt.args)
		}
	}
}

// TestSkipForgets keeps no games that were passed over, even if they were not read to
// their end.
func TestSkipForgets(t *testing.T) {
	games, output := file(t, "1. e4 e5 2. Ke3 *\n\n1. d4 Kd7 *\n"), file(t, "")
	if status, _, errs := run(t.Context(), "", "analyse", "--pgn", games, "--depth", "1", "-o", output); status != 1 {
		t.Fatalf("exit status %d, errors:\n%s", status, errs)
	}
	out, err := openReviewFile(output, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.close()
	c := &call{Env: Env{Err: io.Discard, Name: "Skein test"}, ctx: t.Context(), flags: cli.NewFlags("engine analyse")}
	a := annotator{call: c, analysis: &analysis{}, out: out, progress: &progress{},
		source: &gameSource{call: c, reading: t.Context(), names: []string{games}}}
	a.options = review.Options{Limits: search.Limits{Depth: 1}, Engine: c.Name}
	if err := a.skip(); err != nil || a.games != 2 {
		t.Fatalf("%d games skipped, error %v", a.games, err)
	}
	a.source.cut.Range(func(g, _ any) bool {
		t.Errorf("%v is kept", g.(*notation.Game).Moves())
		return true
	})
}

// TestResumeKeepsOthers resumes files that are no reviews, or end with something
// else: they are refused and remain as they are.
func TestResumeKeepsOthers(t *testing.T) {
	games := manyGames(2)
	input := file(t, games)
	args := []string{"analyse", "--depth", "1", "--pgn", input, "-o"}
	reviewed := map[bool]string{}
	for _, asJSON := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "out")
		args := append(slices.Clone(args), name, fmt.Sprintf("--json=%v", asJSON))
		if status, _, errs := run(context.Background(), "", args...); status != 0 {
			t.Fatal(errs)
		}
		reviewed[asJSON] = string(readFile(t, name))
	}
	single := games[:strings.Index(games, "*")+2]
	for _, tt := range []struct {
		name, text string
		asJSON     bool
	}{
		{"text", "shopping: eggs, flour\n", false},
		{"text for JSON", "shopping: eggs, flour", true},
		{"a game without an empty line at its end", single, false},
		{"games with line breaks of Windows", strings.ReplaceAll(games, "\n", "\r\n"), false},
		{"a review with such line breaks", strings.ReplaceAll(reviewed[false], "\n", "\r\n"), false},
		{"JSON for PGN", reviewed[true], false},
		{"a game after a review", reviewed[false] + single, false},
		{"text after a review", reviewed[false] + "my own notes", false},
		{"text after JSON", reviewed[true] + "my own notes", true},
	} {
		name := file(t, tt.text)
		args := append(slices.Clone(args), name, "--resume", fmt.Sprintf("--json=%v", tt.asJSON))
		status, _, errs := run(context.Background(), "", args...)
		if status != cli.ExitFailure || !strings.Contains(errs, "this is not the beginning of a review") {
			t.Errorf("%s: status %d, errors %q", tt.name, status, errs)
		}
		if got := string(readFile(t, name)); got != tt.text {
			t.Errorf("%s: the file is now %q", tt.name, got)
		}
	}
}

// TestFaultyGames reviews games that cannot be read to their ends: their reviews tell
// so, and can be read, but for a start that cannot.
func TestFaultyGames(t *testing.T) {
	input := file(t, "[Event \"a\"]\n\n1. e4 {best} e5 2. Nf3 Nc6 {solid} 3. Q}zz Nf6 0-1\n\n"+
		"[Event \"b\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 1-0\n\n")
	out := filepath.Join(t.TempDir(), "out.pgn")
	status, _, errs := run(context.Background(), "", "analyse", "--depth", "1", "--pgn", input, "-o", out)
	if status != cli.ExitFailure || !strings.Contains(errs, "Crazyhouse") {
		t.Errorf("status %d, errors %q", status, errs)
	}
	text := strings.Join(strings.Fields(string(readFile(t, out))), " ")
	for _, want := range []string{"best", "solid Not everything could be read: game 1,", `[Variant "Crazyhouse"]`,
		`Not everything could be read: game 2, line 6, column 1: unknown variant "Crazyhouse"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the output has no %q:\n%s", want, text)
		}
	}
	_, again, errs := run(context.Background(), "", "analyse", "--depth", "1", "--pgn", out)
	if n := strings.Count(again, "Not everything"); n != 2 {
		t.Errorf("reviewed again, the output tells %d times that not everything could be read:\n%s", n, again)
	}
	if strings.Count(errs, "\n") != 1 || !strings.Contains(errs, `game 2, line 25, column 1: unknown variant`) {
		t.Errorf("the output cannot be read: %s", errs)
	}
}

// TestProgress describes reviews that have begun, with and without a known end.
func TestProgress(t *testing.T) {
	for _, tt := range []struct {
		p    *progress
		want string
	}{
		{&progress{finished: 2, done: 7}, "2 games done, 7 positions"},
		{&progress{games: 4, searches: 40, done: 10}, "0 of 4 games done, 25 %, 30s left"},
		{&progress{games: 4, searches: 40, finished: 2, skipped: 20, done: 10}, "2 of 4 games done, 75 %, 10s left"},
		{&progress{games: 4, searches: 40}, "0 of 4 games done, 0 %, 6m40s left"},
	} {
		if got := tt.p.text(10 * time.Second); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestGamesAboveProgress draws no progress between clearing it and writing a game.
func TestGamesAboveProgress(t *testing.T) {
	g, err := notation.NewReader(strings.NewReader("1. e4 *")).Read()
	if err != nil {
		t.Fatal(err)
	}
	p := &progress{}
	a := annotator{call: &call{}, analysis: &analysis{}, source: &gameSource{}, stop: func() {}, progress: p}
	out := lockedWriter{lock: &p.line.mu}
	reviewed := &review.Game{Plies: make([]review.Ply, 1)}
	if err := a.emit(review.NewWriter(&out, true))(g, reviewed); err != nil || out.writes != 1 || out.free {
		t.Errorf("error %v, %d writes, progress could be drawn: %v", err, out.writes, out.free)
	}
}

// lockedWriter notes whether a lock was free when it was written to.
type lockedWriter struct {
	lock   *sync.Mutex
	writes int
	free   bool
}

func (w *lockedWriter) Write(b []byte) (int, error) {
	w.writes++
	if w.lock.TryLock() {
		w.free = true
		w.lock.Unlock()
	}
	return len(b), nil
}

// TestManyPlayers sums up more players than are listed.
func TestManyPlayers(t *testing.T) {
	var out bytes.Buffer
	a := annotator{call: &call{Env: Env{Out: &out}}, out: &reviewFile{}}
	for n := range maxPlayers + 3 {
		var g review.Game
		g.White.Player, g.White.Moves = fmt.Sprintf("player %d", n), 1
		a.totals.Add(&g)
	}
	if err := a.summary(); err != nil || !strings.HasSuffix(out.String(), "\nand 3 others\n") ||
		strings.Count(out.String(), "\n") != maxPlayers+2 {
		t.Errorf("%v\n%s", err, &out)
	}
}

// TestAnnotateFails fails to write a review while further games may come: the command
// ends.
func TestAnnotateFails(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, strings.Repeat("1. e4 *\n\n", 3))
	done := make(chan int)
	var errs bytes.Buffer
	go func() {
		env := Env{In: r, Out: closedPipe{}, Err: &errs, Name: "Skein test", NewEngine: newEngine}
		done <- Run(context.Background(), env, []string{"analyse", "--pgn", "-", "--depth", "1"})
	}()
	select {
	case status := <-done:
		if status == 0 || strings.Contains(errs.String(), "cancel") {
			t.Errorf("status %d, errors %q", status, errs.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("the command does not end")
	}
}

// closedPipe fails every write.
type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestPraise marks the sacrifice of a queen only if that is asked for.
func TestPraise(t *testing.T) {
	input := file(t, "[FEN \"4kb1r/p2rqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2K4R w k - 0 14\"]\n\n"+
		"14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n")
	for _, praise := range []bool{false, true} {
		_, out, errs := run(t.Context(), "", "analyse", "--pgn", input, "--nodes", "10000", "--threads", "1",
			"--hash", "4", fmt.Sprintf("--praise=%v", praise))
		nags := readGames(t, out)[0].Main.Moves[4].Notes.Value().NAGs
		if slices.Contains(nags, 3) != praise {
			t.Errorf("praise %v: glyphs %v, errors %q", praise, nags, errs)
		}
	}
}
