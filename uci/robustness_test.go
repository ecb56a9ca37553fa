package uci

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"skein/position"
)

// want is what a session of the corpus must show beyond what holds for all: one
// legal bestmove for each go, one readyok for each isready, and no error that
// is not named here.
type want struct {
	errors  []string // the errors contain these, in this order
	output  []string // there are lines that begin so
	absent  []string // and none that begins so
	count   map[string]int
	fen     string // the position in the end; "" is the start position
	refused bool   // there is no position in the end, and each go has an error after those above
	best    []string
	endless bool // the search does not end before stop
	check   func(t *testing.T, d *Driver)
}

const (
	afterE4     = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	afterE4E5   = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	promoting   = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	hashDefault = "info string option Hash: "
)

var handshakeWants = map[string]want{
	"uci": {
		output: []string{"id name Skein test", "id author ", "option name Hash type spin default 16 min 1 max 33554432",
			"option name Clear Hash type button"},
		count: map[string]int{"uciok": 1},
	},
	"isready":            {},
	"uci|uci":            {count: map[string]int{"uciok": 2, "id name": 2}},
	"ucinewgame|isready": {},
	"quit":               {},
	"":                   {},
	"go infinite|quit":   {endless: true},
	"go infinite":        {endless: true},
}

var unknownWants = map[string]want{
	"xyzzy":         {errors: []string{`unknown command "xyzzy"`}},
	"":              {},
	"   ":           {},
	"joho debug on": {check: func(t *testing.T, d *Driver) { expect(t, "debug", d.debug.Load(), true) }},
	"debug on": {errors: []string{`debug: expected on or off, found "maybe"`},
		check: func(t *testing.T, d *Driver) { expect(t, "debug", d.debug.Load(), false) }},
	"register later":       {},
	"\x00\x01\x02":         {errors: []string{`unknown command "\x00\x01\x02"`}},
	strings.Repeat("A", 8): {errors: []string{`unknown command "AAAAAAAA`}},
	"isready\r":            {},
	"  isready  ":          {},
	"\tisready":            {},
	"ISREADY":              {errors: []string{`unknown command "ISREADY"`}},
}

var positionWants = map[string]want{
	"position":                          {errors: []string{"expected startpos or fen"}, refused: true},
	"position startpos":                 {},
	"position startpos moves":           {},
	"position startpos moves e2e4 e7e5": {fen: afterE4E5},
	"position startpos moves e2e5":      {errors: []string{`move 1: move "e2e5": illegal`}, refused: true},
	"position startpos moves e2e4 e2e4": {errors: []string{`move 2: move "e2e4": illegal: e2 is empty`},
		refused: true},
	"position startpos moves e7e5": {errors: []string{"white is to move"}, refused: true},
	"position startpos moves zz":   {errors: []string{"malformed"}, refused: true},
	"position startpos e2e4": {
		errors: []string{`expected moves after startpos, found "e2e4"`}, refused: true},
	"position fen":                           {errors: []string{"board: is missing"}, refused: true},
	"position fen 8/8/8/8/8/8/8/8 w - - 0 1": {errors: []string{"0 white kings"}, refused: true},
	"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4": {fen: afterE4},
	"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves e2e4":     {fen: afterE4},
	"position moves e2e4": {errors: []string{"expected startpos or fen"}, refused: true},
	"position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1": {
		fen: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
	},
	"position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1h1": {fen: "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1"},
	"position fen " + promoting +
		" moves a7a8": {errors: []string{"promotion letter is missing"}, refused: true},
	"position fen " + promoting + " moves a7a8Q": {fen: "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"},
	"position startpos moves 0000":               {errors: []string{"may not pass"}, refused: true},
	"position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3": {check: func(t *testing.T, d *Driver) {
		expect(t, "more than one repetition", d.game.Repetitions() > 1, true)
	}, fen: "any"},
	"position startpos startpos": {errors: []string{`expected moves after startpos, found "startpos"`}, refused: true},
	"position fen qqqqqqqq":      {errors: []string{"board"}, refused: true},
	"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999 1": {
		output: []string{"info string position accepted although it is invalid: FEN: halfmove clock: 99999"},
		fen:    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 150 1",
	},
}

var goWants = map[string]want{
	"go":                                    {endless: true},
	"go depth 0":                            {output: []string{"info depth 1 "}, absent: []string{"info depth 2 "}},
	"go depth -1":                           {output: []string{"info depth 1 "}, absent: []string{"info depth 2 "}},
	"go depth 999":                          {endless: true},
	"go depth abc":                          {errors: []string{`go depth: "abc" is not a number`}},
	"go depth":                              {errors: []string{"go depth: the number is missing"}},
	"go nodes 1":                            {},
	"go nodes 0":                            {},
	"go nodes -5":                           {},
	"go movetime 0":                         {},
	"go movetime -1":                        {},
	"go movetime 1":                         {},
	"go wtime 0 btime 0":                    {},
	"go wtime -100 btime -100":              {},
	"go wtime 1 btime 1 winc 0 binc 0":      {},
	"go wtime 100":                          {},
	"go btime 100":                          {},
	"go wtime 1000 btime 1000 movestogo 0":  {},
	"go wtime 1000 btime 1000 movestogo -3": {},
	"go wtime 1000 btime 1000 movestogo 1":  {},
	"go wtime 99999999999999999999 btime 1": {errors: []string{`wtime: "99999999999999999999" is out of range`},
		endless: true},
	"go winc 100 binc 100":             {},
	"go searchmoves e2e4 d2d4 depth 3": {best: []string{"e2e4", "d2d4"}},
	"go searchmoves e2e5 depth 2":      {errors: []string{`go searchmoves: move "e2e5": illegal`}},
	"go searchmoves depth 2":           {output: []string{"info depth 2 "}},
	"go mate 1":                        {endless: true},
	"go mate 0":                        {endless: true},
	"go infinite depth 1":              {endless: true},
	"go ponder":                        {endless: true},
	"go depth 2 depth 3":               {output: []string{"info depth 3 "}, absent: []string{"info depth 4 "}},
	"go depth 3 go depth 4":            {output: []string{"info depth 4 "}, absent: []string{"info depth 5 "}},
	"go perft 3":                       {output: []string{"a2a3: 380", "Nodes searched: 8902"}},
	"go movetime 50 nodes 10 depth 30": {},
}

var sequenceWants = map[string]want{
	"stop":                        {},
	"ponderhit":                   {},
	"go infinite|stop|stop":       {},
	"go depth 1|go depth 1":       {},
	"go infinite|ucinewgame|stop": {},
	"go infinite|isready|stop":    {},
	"go infinite|position startpos moves e2e4|stop": {fen: afterE4},
	"go infinite|setoption name Hash value 32|stop": {},
	"go ponder wtime 1000 btime 1000|ponderhit":     {},
}

var setOptionWants = map[string]want{
	"setoption":                     {errors: []string{`expected name, found ""`}},
	"setoption name":                {errors: []string{"missing option name"}},
	"setoption name Hash":           {errors: []string{`option Hash: expected a number, found ""`}},
	"setoption name Hash value":     {errors: []string{`option Hash: expected a number, found ""`}},
	"setoption name Hash value abc": {errors: []string{`option Hash: expected a number, found "abc"`}},
	"setoption name Hash value -1": {output: []string{hashDefault +
		`"-1" is out of range, using 1`}},
	"setoption name Hash value 0": {output: []string{hashDefault +
		`"0" is out of range, using 1`}},
	"setoption name Hash value 99999999999": {output: []string{hashDefault +
		`"99999999999" is out of range, using 33554432`}, errors: []string{"no memory"}},
	"setoption name hash value 16":    {},
	"setoption name Hash value 16 32": {errors: []string{`expected a number, found "16 32"`}},
	"setoption value 16 name Hash":    {errors: []string{`expected name, found "value"`}},
	"setoption name Threads value 0": {
		output: []string{`info string option Threads: "0" is out of range, using 1`}},
	"setoption name Threads value 100000": {
		output: []string{`info string option Threads: "100000" is out of range, using 1024`}},
	"setoption name SyzygyPath value /nonexistent": {errors: []string{"/nonexistent: no such file"}},
	"setoption name SyzygyPath value <empty>":      {},
	"setoption name SyzygyPath value /path with spaces/x:y": {
		errors: []string{"/path with spaces/x: no such file", "y: no such file"}},
	"setoption name UCI_Chess960 value true": {check: func(t *testing.T, d *Driver) {
		expect(t, "chess960", d.settings.chess960, true)
	}},
	"setoption name UCI_Chess960 value TRUE": {check: func(t *testing.T, d *Driver) {
		expect(t, "chess960", d.settings.chess960, true)
	}},
	"setoption name UCI_Chess960 value maybe": {errors: []string{`expected true or false, found "maybe"`}},
	"setoption name NoSuch Option value x":    {errors: []string{`unknown option "NoSuch Option"`}},
	"setoption name Clear Hash":               {},
	"setoption name MultiPV value 500": {output: []string{"info depth 3 seldepth",
		`info string option MultiPV: "500" is out of range, using 256`},
		check: func(t *testing.T, d *Driver) { expect(t, "MultiPV", d.settings.multiPV, 256) }},
	"setoption name MultiPV value 0": {
		output: []string{`info string option MultiPV: "0" is out of range, using 1`},
		check:  func(t *testing.T, d *Driver) { expect(t, "MultiPV", d.settings.multiPV, 1) }},
	"setoption name Move Overhead value 5000": {check: func(t *testing.T, d *Driver) {
		expect(t, "overhead", d.settings.moveOverhead, 5*time.Second)
	}},
}

var terminalWants = map[string]want{
	"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1": {output: []string{"info depth 0 score mate 0"},
		best: []string{"(none)"}, fen: "any"},
	"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": {output: []string{"info depth 0 score cp 0"},
		best: []string{"(none)"}, fen: "any"},
	"8/8/8/4k3/8/8/4K3/8 w - - 0 1":                        {fen: "any"},
	"8/8/8/4k3/8/8/4K2R/8 w - - 99 200":                    {fen: "any"},
	"8/8/8/4k3/8/8/4K2R/8 w - - 120 200":                   {fen: "any"},
	"k7/8/1K6/8/8/8/8/7R w - - 0 1":                        {fen: "any", best: []string{"h1h8"}},
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1": {fen: "any"},
	"8/8/8/8/8/5k2/5p2/5K2 w - - 0 1": {output: []string{"info depth 0 score cp 0"},
		best: []string{"(none)"}, fen: "any"},
	"5k2/5P2/5K2/8/8/8/8/8 w - - 0 1": {fen: "any"},
	"8/8/8/8/8/7k/7p/7K w - - 0 1": {output: []string{"info depth 0 score cp 0"},
		best: []string{"(none)"}, fen: "any"},
}

func expect[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// row is one session of the corpus.
type row struct {
	Category string
	Input    []string
	Expect   string
}

// find returns what the row must show: the entry of its category under the
// lines that make it special, or under the beginning of an overlong one.
func (r *row) find() (key string, w want, ok bool) {
	input := r.Input
	var wants map[string]want
	switch r.Category {
	case "handshake":
		key, wants = strings.Join(input, "|"), handshakeWants
	case "unknown":
		key, wants = input[0], unknownWants
	case "position":
		key, wants = input[0], positionWants
	case "go":
		key, wants = input[1], goWants
	case "sequence":
		rest := slices.DeleteFunc(slices.Clone(input[1:]), func(s string) bool {
			return s == "isready" && !strings.Contains(strings.Join(input, "|"), "isready|stop")
		})
		key, wants = strings.Join(rest, "|"), sequenceWants
	case "setoption":
		key, wants = input[1], setOptionWants
	case "terminal":
		key, wants = strings.TrimPrefix(input[0], "position fen "), terminalWants
	}
	if w, ok = wants[key]; ok {
		return key, w, true
	}
	const overlong = 200
	best := ""
	for prefix := range wants {
		if len(key) > overlong && len(prefix) > len(best) && strings.HasPrefix(key, prefix) {
			best = prefix
		}
	}
	if best != "" {
		return best, wants[best], true
	}
	return key, want{}, false
}

func readRows(t *testing.T) []row {
	t.Helper()
	f, err := os.Open("testdata/uci/robustness.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []row
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var r row
		if err := json.Unmarshal(scanner.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestRobustness(t *testing.T) {
	used := make(map[string]bool)
	rows := readRows(t)
	for _, r := range rows {
		key, w, ok := r.find()
		used[r.Category+key] = true
		name := key
		if len(name) > 60 {
			name = name[:60]
		}
		t.Run(r.Category+"/"+name, func(t *testing.T) {
			if !ok {
				t.Fatalf("no expectation for this row: %s", r.Expect)
			}
			runRow(t, &r, &w)
		})
	}
	all := len(handshakeWants) + len(unknownWants) + len(positionWants) + len(goWants) + len(sequenceWants) +
		len(setOptionWants) + len(terminalWants)
	if len(rows) != all || len(used) != all {
		t.Errorf("%d rows use %d of %d expectations", len(rows), len(used), all)
	}
}

func runRow(t *testing.T, r *row, w *want) {
	s := startSession(t, Config{Version: "test"})
	limitThreads(s.driver)
	for _, line := range r.Input {
		switch {
		case strings.HasPrefix(line, "(wait"):
			if !w.endless {
				s.awaitAnswers()
				s.await("the output wanted", func(lines []string) bool {
					return !slices.ContainsFunc(w.output, func(prefix string) bool { return count(lines, prefix) == 0 })
				})
				continue
			}
			time.Sleep(10 * time.Millisecond)
			if n := count(s.all(), "bestmove"); n > 0 {
				t.Errorf("answered before stop")
			}
		default:
			s.send(line)
		}
	}
	if r.Category != "handshake" || !w.endless {
		s.awaitAnswers()
	}
	checkRow(t, w, s.end(), s.driver)
}

// limitThreads spares the machine a thousand threads.
func limitThreads(d *Driver) {
	for i := range d.options {
		if o := &d.options[i]; o.name == "Threads" {
			set := o.apply
			o.apply = func(v value) error {
				v.number = min(v.number, 2)
				return set(v)
			}
		}
	}
}

func checkRow(t *testing.T, w *want, lines []string, d *Driver) {
	var failures []string
	for _, line := range lines {
		if failure, ok := strings.CutPrefix(line, "info string ERROR: "); ok {
			failures = append(failures, failure)
			if len(failure) > 160 {
				t.Errorf("an error of %d bytes", len(failure))
			}
		}
	}
	wanted := slices.Clone(w.errors)
	if w.refused {
		again := []string{"go: the last position was refused: "}
		wanted = append(wanted, slices.Repeat(again, count(lines, "bestmove 0000"))...)
	}
	if !slices.EqualFunc(failures, wanted, strings.Contains) {
		t.Errorf("errors %q, want %q", failures, wanted)
	}
	for _, prefix := range w.output {
		if count(lines, prefix) == 0 {
			t.Errorf("no line %q; output:\n%s", prefix, strings.Join(lines, "\n"))
		}
	}
	for _, prefix := range w.absent {
		if count(lines, prefix) > 0 {
			t.Errorf("a line %q", prefix)
		}
	}
	for prefix, n := range w.count {
		if got := count(lines, prefix); got != n {
			t.Errorf("%d lines %q, want %d", got, prefix, n)
		}
	}
	fen := w.fen
	if fen == "" {
		fen = position.StartFEN
	}
	if (d.game == nil) != w.refused {
		t.Errorf("no position: %v, want %v", d.game == nil, w.refused)
	} else if !w.refused && fen != "any" && d.game.Pos.FEN() != fen {
		t.Errorf("position %s, want %s", d.game.Pos.FEN(), fen)
	}
	if w.best != nil {
		i := slices.IndexFunc(lines, func(s string) bool { return strings.HasPrefix(s, "bestmove") })
		if i < 0 || !slices.Contains(w.best, strings.Fields(lines[i])[1]) {
			t.Errorf("bestmove is not one of %v; output:\n%s", w.best, strings.Join(lines, "\n"))
		}
	}
	if w.check != nil {
		w.check(t, d)
	}
}

// TestScores checks the scores that the terminal sessions of the corpus ask for.
func TestScores(t *testing.T) {
	for fen, want := range map[string]string{
		"8/8/8/4k3/8/8/4K3/8 w - - 0 1": " score cp 0 ",
		"k7/8/1K6/8/8/8/8/7R w - - 0 1": " score mate 1 ",
	} {
		lines := converse(t, Config{}, "position fen "+fen, "go depth 4")
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("%s: no%s; output:\n%s", fen, want, strings.Join(lines, "\n"))
		}
	}
	// Never more lines than moves.
	lines := converse(t, Config{}, "setoption name MultiPV value 256", "go depth 3")
	if count(lines, "info depth 3 ") < 20 || strings.Contains(strings.Join(lines, "\n"), " multipv 21 ") {
		t.Errorf("not 20 lines; output:\n%s", strings.Join(lines, "\n"))
	}
}
