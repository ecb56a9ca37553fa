package uci

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/corpora"
	"skein/search"
)

// dictate carries out lines with the driver and returns what it answers.
func dictate(t *testing.T, prepare func(*Driver), lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	d := New(newEngine(t), nil, &out, Config{Version: "test"})
	if prepare != nil {
		prepare(d)
	}
	d.RunCommands(context.Background(), lines)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestUGIOutcomes(t *testing.T) {
	const shuffle = " g1f3 g8f6 f3g1 f6g8"
	for _, tt := range []struct{ name, position, gameOver, result, p1Turn string }{
		{"start", "startpos", "false", "none", "true"},
		{"white mates", "startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", "true", "p1win", "false"},
		{"black mates", "startpos moves f2f3 e7e5 g2g4 d8h4", "true", "p2win", "true"},
		{"stalemate", "fen 7k/5Q2/8/6K1/8/8/8/8 w - - 0 1 moves g5g6", "true", "draw", "false"},
		{"second occurrence", "startpos moves" + shuffle, "false", "none", "true"},
		{"threefold", "startpos moves" + shuffle + shuffle, "true", "draw", "true"},
		{"threefold gone", "startpos moves" + shuffle + shuffle + " e2e4", "false", "none", "false"},
		{"99 plies", "fen 7k/8/8/8/8/8/8/R6K w - - 98 80 moves a1a2", "false", "none", "false"},
		{"fifty moves", "fen 7k/8/8/8/8/8/8/R6K w - - 99 80 moves a1a2", "true", "draw", "false"},
		{"mate with the fiftieth move", "fen 7k/8/6K1/8/8/8/8/R7 w - - 99 80 moves a1a8", "true", "p1win", "false"},
		{"bare kings", "fen 7k/8/8/8/8/8/7r/6K1 w - - 0 1 moves g1h2", "true", "draw", "false"},
		{"a knight", "fen 7k/8/8/8/8/8/8/N6K w - - 0 1", "true", "draw", "true"},
		{"bishops on squares of one color", "fen 5b1k/8/8/8/8/8/8/K1B5 w - - 0 1", "true", "draw", "true"},
		{"bishops on squares of two colors", "fen 4b2k/8/8/8/8/8/8/K1B5 w - - 0 1", "false", "none", "true"},
		{"two knights", "fen 7k/8/8/8/8/8/8/NN5K w - - 0 1", "false", "none", "true"},
	} {
		got := dictate(t, nil, "ugi", "uginewgame", "position "+tt.position, "query gameover", "query result",
			"query p1turn")
		got = got[slices.Index(got, "ugiok")+1:]
		if want := []string{"response " + tt.gameOver, "response " + tt.result,
			"response " + tt.p1Turn}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, want)
		}
	}
}

func TestUGISession(t *testing.T) {
	got := dictate(t, nil, "ugi", "isready", "go p1time 1000 p2time 1000 p1inc 10 p2inc 10 depth 3", "uci",
		"go depth 3", "query nonsense")
	if !slices.Contains(got, "ugiok") || !slices.Contains(got, "readyok") || !slices.Contains(got, "uciok") {
		t.Errorf("answers\n%s", strings.Join(got, "\n"))
	}
	var best [][]string
	for _, line := range got {
		if fields := strings.Fields(line); fields[0] == "bestmove" {
			best = append(best, fields)
		}
	}
	if len(best) != 2 || len(best[0]) != 2 || len(best[1]) != 4 {
		t.Errorf("bestmoves %q, want two words in UGI and four in UCI", best)
	}
	const want = `info string ERROR: query: expected gameover, p1turn or result, found "nonsense"`
	if last := got[len(got)-1]; last != want {
		t.Errorf("the last answer is %q, want %q", last, want)
	}
}

// TestUGIGame plays a game to its end, asking as a referee would.
func TestUGIGame(t *testing.T) {
	moves := ""
	for ply := 0; ; ply++ {
		got := dictate(t, nil, "ugi", "position fen 7k/8/8/8/8/8/PP6/KQ6 w - - 0 1"+moves, "query result",
			"go nodes 3000")
		result, best := "", ""
		for _, line := range got {
			if r, ok := strings.CutPrefix(line, "response "); ok {
				result = r
			}
			if m, ok := strings.CutPrefix(line, "bestmove "); ok {
				best = m
			}
		}
		if result != "none" {
			if result != "p1win" {
				t.Errorf("a queen and two pawns up: %s after%s", result, moves)
			}
			return
		}
		if ply == 0 {
			moves = " moves"
		}
		if ply > 200 {
			t.Fatalf("no end after%s", moves)
		}
		moves += " " + best
	}
}

func TestBook(t *testing.T) {
	book := corpora.Path("polyglot/openings-cc0.bin")
	use := []string{"setoption name BookFile value " + book, "setoption name OwnBook value true"}
	// Its key and two moves are in the book.
	const position = "position fen rnbqkb1r/pp3ppp/4pn2/2p5/2BP4/4PN2/PP3PPP/RNBQK2R w KQkq - 0 6"
	first := func(d *Driver) { d.random = func() uint64 { return 0 } }
	last := func(d *Driver) { d.random = func() uint64 { return 14 } }
	for _, tt := range []struct {
		name    string
		prepare func(*Driver)
		lines   []string
		want    string // the last line; "" is a search
	}{
		{"first", first, append(slices.Clone(use), position, "go movetime 10"), "bestmove e1g1"},
		{"last", last, append(slices.Clone(use), position, "go wtime 1000 btime 1000"), "bestmove d1e2"},
		{"Chess960", first, append(slices.Clone(use), "setoption name UCI_Chess960 value true", position, "go depth 2"),
			"bestmove e1h1"},
		{"off", first, append(slices.Clone(use), "setoption name OwnBook value false", position, "go depth 2"), ""},
		{"closed", first, append(slices.Clone(use), "setoption name BookFile value <empty>", position, "go depth 2"),
			""},
		{"analysis", first, append(slices.Clone(use), "setoption name UCI_AnalyseMode value true", position,
			"go depth 2"), ""},
		{"chosen moves", first, append(slices.Clone(use), position, "go depth 2 searchmoves a2a3"), ""},
		{"mate", first, append(slices.Clone(use), position, "go mate 1 depth 2"), ""},
		{"no such position", first,
			append(slices.Clone(use), "position fen 4k3/8/8/8/8/8/8/4K2R w - - 0 1", "go depth 2"), ""},
		{"bad file", first, append(slices.Clone(use), "setoption name BookFile value /nonexistent", position,
			"go depth 2"), "bestmove e1g1"},
	} {
		got := dictate(t, tt.prepare, tt.lines...)
		end := got[len(got)-1]
		searched := slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, "info depth") })
		if searched != (tt.want == "") || !searched && end != tt.want || !strings.HasPrefix(end, "bestmove ") {
			t.Errorf("%s: answers\n%s", tt.name, strings.Join(got, "\n"))
		}
		if said := slices.Contains(got, "info string book move, one of 2"); said == searched {
			t.Errorf("%s: answers\n%s", tt.name, strings.Join(got, "\n"))
		}
	}
	d := New(newEngine(t), nil, &bytes.Buffer{}, Config{})
	defer d.closeFiles()
	d.settings.ownBook = true
	if err := errors.Join(d.setBookFile(value{text: book}), d.setPosition(d.parse(position))); err != nil {
		t.Fatal(err)
	}
	infinite, depth := search.Limits{Infinite: true}, search.Limits{Depth: 1}
	if d.bookMove(&depth, false) == chess.NoMove || d.bookMove(&depth, true) != chess.NoMove ||
		d.bookMove(&infinite, false) != chess.NoMove {
		t.Error("go depth 1 is not answered from the book, or go ponder or go infinite is")
	}
	short := filepath.Join(t.TempDir(), "short.bin")
	if err := os.WriteFile(short, make([]byte, 5), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := dictate(t, nil, "setoption name BookFile value "+short); !strings.Contains(got[0],
		"not a PolyGlot book") {
		t.Errorf("answer %q", got)
	}
}

// TestDoubleStep follows what keys of books know of double steps.
func TestDoubleStep(t *testing.T) {
	for line, want := range map[string]string{
		"position startpos":                 "-",
		"position startpos moves e2e4":      "e3",
		"position startpos moves e2e4 e7e6": "-",
		"position startpos moves e2e3 d7d5": "d6",
		"position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1":    "e3",
		"position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq":           "-",
		"position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 moves a1a3":                      "-",
		"position fen 1k6/8/8/2r2pPK/8/8/8/8 w - f6 0 1":                              "f6",
		"position fen 1k6/8/8/2r2pPK/8/8/8/8 w - f6 0 1 moves h5h4":                   "-",
		"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves": "-",
	} {
		d := New(newEngine(t), nil, &bytes.Buffer{}, Config{})
		if err := d.RunCommands(context.Background(), []string{line}); err != nil || d.doubleStep.String() != want {
			t.Errorf("%s: %v, %v, want %s", line, d.doubleStep, err, want)
		}
	}
}
