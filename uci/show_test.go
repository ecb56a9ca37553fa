package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

// castlings has castling for both sides at the root and soon after it.
const castlings = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// startShowing begins a session that shows lines and refutations as often as
// it can.
func startShowing(t *testing.T, setup ...string) *session {
	t.Helper()
	s := startSession(t, Config{})
	s.driver.interval = 1
	for _, line := range setup {
		s.send(line)
	}
	return s
}

// checkLine checks that the moves can be played one after the other from p and
// are written as they should be.
func checkLine(t *testing.T, p position.Position, moves []string, chess960 bool, line string) {
	t.Helper()
	if len(moves) == 0 {
		t.Errorf("%s: no moves", line)
	}
	for _, text := range moves {
		m, err := notation.ParseUCI(&p, text)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return
		}
		if right := notation.FormatUCI(m, chess960); right != text {
			t.Errorf("%s: %s instead of %s", line, text, right)
		}
		p = p.After(m)
	}
}

// TestEvaluation expects the evaluation from White's view, whoever moves.
func TestEvaluation(t *testing.T) {
	for board, want := range map[string]string{
		"4k3/8/8/8/8/8/8/Q3K3": "Evaluation: +",
		"q3k3/8/8/8/8/8/8/4K3": "Evaluation: -",
	} {
		lines := converse(t, Config{}, "position fen "+board+" w - - 0 1", "eval",
			"position fen "+board+" b - - 0 1", "eval")
		if count(lines, want) != 2 {
			t.Errorf("%s: output %q, want twice %s", board, lines, want)
		}
	}
}

// TestClearHash expects a search to take fewer nodes after a deeper one than after
// Clear Hash.
func TestClearHash(t *testing.T) {
	lines := converse(t, Config{}, "go depth 14", "go depth 5", "setoption name Clear Hash", "go depth 5")
	last, nodes := 0, []int{}
	for _, line := range lines {
		f := strings.Fields(line)
		switch i := slices.Index(f, "nodes"); {
		case f[0] == "bestmove":
			nodes = append(nodes, last)
		case i > 0:
			last, _ = strconv.Atoi(f[i+1])
		}
	}
	if len(nodes) != 3 || nodes[2] < nodes[1]*5/4 {
		t.Errorf("%d nodes: a deep search, a shallow one, and the same after Clear Hash", nodes)
	}
}

// TestShowCurrLine watches two threads in both notations of castling.
func TestShowCurrLine(t *testing.T) {
	for _, chess960 := range []bool{false, true} {
		s := startShowing(t, "setoption name Threads value 2",
			fmt.Sprintf("setoption name UCI_Chess960 value %v", chess960),
			"setoption name UCI_ShowCurrLine value true", "position fen "+castlings, "go infinite")
		s.await("lines of both threads", func(lines []string) bool {
			return count(lines, "info currline 1 ") > 1 && count(lines, "info currline 2 ") > 1
		})
		s.send("stop")
		s.awaitAnswers()
		for _, line := range s.end() {
			if moves, ok := strings.CutPrefix(line, "info currline "); ok {
				checkLine(t, s.searches[0].Pos, strings.Fields(moves)[1:], chess960, line)
			}
		}
	}
}

// TestShowRefutations checks that every move but the best of the lines shown is
// answered at the end, as far as it was searched.
func TestShowRefutations(t *testing.T) {
	for _, chess960 := range []bool{false, true} {
		for multiPV := 1; multiPV <= 2; multiPV++ {
			s := startShowing(t, fmt.Sprintf("setoption name UCI_Chess960 value %v", chess960),
				fmt.Sprintf("setoption name MultiPV value %d", multiPV),
				"setoption name UCI_ShowRefutations value true", "position fen "+castlings, "go depth 9")
			s.awaitAnswers()
			lines := s.end()
			root := &s.searches[0].Pos
			best := strings.Fields(lines[len(lines)-1])[1]
			i := len(lines) - 1
			answered := map[string]bool{}
			for ; strings.HasPrefix(lines[i-1], "info refutation ") &&
				len(answered) < movegen.Count(root)-multiPV; i-- {
				moves := strings.Fields(lines[i-1])[2:]
				if moves[0] == best || answered[moves[0]] || len(moves) > 2 {
					t.Errorf("%s before bestmove %s", lines[i-1], best)
				}
				answered[moves[0]] = len(moves) == 2
				checkLine(t, *root, moves, chess960, lines[i-1])
			}
			known := 0
			for _, ok := range answered {
				if ok {
					known++
				}
			}
			if len(answered) != movegen.Count(root)-multiPV || known < len(answered)/2 {
				t.Errorf("MultiPV %d: answers to %d of %d moves, %d lines:\n%s", multiPV, known, movegen.Count(root),
					len(answered), strings.Join(lines, "\n"))
			}
			castling := notation.FormatUCI(chess.NewCastling(chess.E1, chess.H1), chess960)
			if count(lines, "info refutation "+castling) == 0 {
				t.Errorf("no answer to %s", castling)
			}
		}
	}
}

// TestShowsNothingUnasked looks for what only GUIs that ask for it should get.
func TestShowsNothingUnasked(t *testing.T) {
	s := startShowing(t, "uci", "register later", "setoption name UCI_ShowCurrLine value true",
		"setoption name UCI_ShowCurrLine value false", "go depth 8")
	s.awaitAnswers()
	lines := s.end()
	for _, word := range []string{"info currline", "info refutation", "copyprotection", "registration", "info string"} {
		if count(lines, word) > 0 {
			t.Errorf("%s in\n%s", word, strings.Join(lines, "\n"))
		}
	}
	for _, option := range []string{"UCI_ShowCurrLine", "UCI_ShowRefutations"} {
		if want := "option name " + option + " type check default false"; !slices.Contains(lines, want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestExplains asks with debug why searches ended.
func TestExplains(t *testing.T) {
	const mateInOne = "k7/8/1K6/8/8/8/8/7R w - - 0 1"
	for _, tt := range []struct{ position, words, want string }{
		{"startpos", "depth 3", "last depth: depth 3,"},
		{"startpos", "nodes 5000", "nodes used up: "},
		{"startpos", "movetime 30", "time limit: "},
		{"startpos", "movetime 30", "time limits: soft 20 ms, adapted 20 ms, hard 20 ms"},
		{"startpos", "wtime 300 btime 300", "time limit: "},
		{"startpos", "infinite", "stopped: "},
		{"startpos", "infinite", "time limits: soft none, adapted none, hard none"},
		{"fen " + mateInOne, "mate 1", "mate found: "},
		{"fen " + mated, "depth 3", "no moves: depth 0, 0 nodes"},
	} {
		s := startSession(t, Config{Describe: func() string { return "network N" }})
		s.send("debug on")
		s.send("position " + tt.position)
		s.send("go " + tt.words)
		if tt.words == "infinite" {
			s.await("an iteration", func(lines []string) bool { return count(lines, "info depth 1 ") > 0 })
			s.send("stop")
		}
		s.awaitAnswers()
		lines := s.end()
		i := slices.IndexFunc(lines,
			func(line string) bool { return strings.HasPrefix(line, "info string ended after ") })
		if i < 0 || !strings.Contains(lines[i], tt.want) ||
			!strings.HasPrefix(lines[i+1], "info string threads 1, permille in use: hash ") ||
			!strings.HasSuffix(lines[i+1], ", network N") || !strings.HasPrefix(lines[i+2], "bestmove ") {
			t.Errorf("go %s: no %q in:\n%s", tt.words, tt.want, strings.Join(lines, "\n"))
		}
	}
}

// TestGoRemarks checks what is said about words that go does not understand or
// cannot use.
func TestGoRemarks(t *testing.T) {
	for words, want := range map[string]string{
		"dept 5 depth 2":                     `info string go: ignored "dept 5"`,
		"depth 2 2":                          `info string go: ignored "2"`,
		"searchmoves e2e5 e7e5 depth 2":      "info string go searchmoves: no legal move given",
		"searchmoves e2e5 depth 2 mat 3":     `info string go: ignored "mat 3"`,
		"movetime 10ms depth 1":              `info string ERROR: go movetime: "10ms" is not a number`,
		"depth 2 searchmoves e2e4 e7e8q":     `info string ERROR: go searchmoves: move "e7e8q": illegal`,
		"wtime 1000 btime movestogo depth 1": "info string ERROR: go btime: the number is missing",
	} {
		if lines := converse(t, Config{}, "go "+words); count(lines, want) != 1 {
			t.Errorf("go %s: no %q in:\n%s", words, want, strings.Join(lines, "\n"))
		}
	}
	for _, words := range []string{"depth 1", "searchmoves e2e4 e2e5 depth 1",
		"wtime 10 btime 10 winc 1 binc 1 movestogo 3", "nodes 10 mate 2 movetime 5"} {
		lines := converse(t, Config{}, "go "+words)
		if count(lines, "info string go") != 0 {
			t.Errorf("go %s:\n%s", words, strings.Join(lines, "\n"))
		}
	}
}

// TestNewGame expects a search of a new game to be as if there had been none before.
func TestNewGame(t *testing.T) {
	for _, command := range []string{"ucinewgame", "uginewgame"} {
		last, nodes := "", []string{}
		for _, line := range converse(t, Config{}, "go depth 8", command, "go depth 8") {
			f := strings.Fields(line)
			switch i := slices.Index(f, "nodes"); {
			case f[0] == "bestmove":
				nodes = append(nodes, last)
			case i > 0:
				last = f[i+1]
			}
		}
		if len(nodes) != 2 || nodes[0] != nodes[1] {
			t.Errorf("%s: %q nodes", command, nodes)
		}
	}
}
