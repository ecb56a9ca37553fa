package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/corpora"
	"skein/nets"
	"skein/notation"
	"skein/search"
)

// run carries out a command with input in.
func run(ctx context.Context, in string, args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = Run(ctx, Env{
		In: strings.NewReader(in), Out: &stdout, Err: &stderr, Name: "Skein test", NewEngine: newEngine,
	}, args)
	return status, stdout.String(), stderr.String()
}

// newEngine returns an engine with the embedded network, the only one there is.
func newEngine(threads, hash int, path string) (*search.Engine, error) {
	if path != "" {
		return nil, errors.New("no network " + path)
	}
	net, err := nets.Load("")
	if err != nil {
		return nil, err
	}
	return search.New(net, search.Options{Threads: threads, Hash: hash})
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	mateInTwo = "6k1/5ppp/4r3/8/8/8/3R4/K2R4 w - - 0 1"
	stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
	checkmate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
)

func TestArguments(t *testing.T) {
	suite := file(t, "7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd8;")
	for _, tt := range []struct {
		args   string // separated by |
		status int
		want   string // on either stream
	}{
		{"analyse|--help", 0, "usage: engine analyse"},
		{"analyze|-h", 0, "best lines"},
		{"epd|--help", 0, "usage: engine epd"},
		{"perft|--help", 0, "usage: engine perft"},
		{"analyse|--json|--depth|1|--multipv|256|--chess960|--fen|4k3/8/8/8/8/8/8/4K2R w K - 0 1", 0, `"pv":"e1h1`},
		{"epd|--depth|1|--chess960|" + file(t, "4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O;\n"), 0, "O-O"},
		{"perft|1|--chess960|--fen|4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", 0, "O-O-O"},
		{"analyse|--depth|3", 0, "best move: 1. "},
		{"analyze|--depth=3|e4|e5", 0, "best move: 2. "},
		{"analyse|--depth|1|1.|e4|e5 2.Nf3 2...Nc6|3.|Bb5|3.|...|a6|4.e5", 2, `ply 7: move "e5": illegal`},
		{"analyse|--depth|2|--|e4", 0, "best move: 1... "},
		{"analyse|--nodes|100", 0, "best move: 1. "},
		{"analyse|--time|20ms|--threads|2|--hash|1", 0, "best move: 1. "},
		{"analyse|--depth|4|--fen|" + mateInTwo, 0, "#2"},
		{"analyse|--depth|3|--fen|" + strings.Replace(mateInTwo, " w ", " b ", 1), 0, "best move: 1... "},
		{"analyse|--fen|" + checkmate, 0, checkmate + "\n\nblack is checkmated"},
		{"analyse|--json|--fen|" + checkmate, 0, `{"bestmove":"0000","san":""}`},
		{"analyse|--depth|3|--fen|" + stalemate, 0, "stalemate: black has no legal move"},
		{"analyse|--depth|3|--chess960|--fen|1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", 0, "castling KQkq"},
		{"analyse|--depth|3|--fen|1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", 2, "is Chess960"},
		{"analyse|--depth|3|--fen|nonsense", 2, "FEN: board"},
		{"analyse|--depth|3|--fen|", 2, "FEN: board: is missing"},
		{"analyse|--depth|3|e5", 2, `ply 1: move "e5": illegal`},
		{"analyse|--depth|3|e4 e5|e4", 2, `ply 3: move "e4": illegal`},
		{"analyse|" + suite, 2, " is a file: --pgn " + suite},
		{"analyse|--pgn|x.pgn|--html|x.html|--json", 2, "--json with --html needs --output"},
		{"analyse|--depth|x", 2, `invalid value "x"`},
		{"analyse|--depth|-1", 2, "--depth -1 is not between"},
		{"analyse|--depth|1000", 2, "--depth 1000 is not between"},
		{"analyse|--depth|0", 2, "--depth 0 is not between"},
		{"analyse|--nodes|0", 2, "--nodes 0 is not at least 1"},
		{"analyse|--nodes|-5", 2, `invalid value "-5"`},
		{"analyse|--time|-1s", 2,
			`--time: invalid value "-1s": expected seconds, or a duration such as 500ms, 10s or 1m30s`},
		{"analyse|--time|0s", 2, `invalid value "0s"`},
		{"analyse|--time|5 s", 2, `invalid value "5 s"`},
		{"analyse|--time|0", 2, `invalid value "0"`},
		{"analyse|--time|nan", 2, `invalid value "nan"`},
		{"analyse|--time|0.02", 0, "best move: 1. "},
		{"analyse|-time=0.02|-multipv|2", 0, "best move: 1. "},
		{"analyse|--threads|0", 2, "--threads 0 is not between"},
		{"analyse|--hash|0", 2, "--hash 0 is not at least"},
		{"analyse|--multipv|0", 2, "--multipv 0 is not between"},
		{"analyse|--nonsense", 2, "unknown flag --nonsense\nengine analyse: engine analyse --help lists"},
		{"analyse|--dept|3", 2, "unknown flag --dept; did you mean --depth?"},
		{"analyse|--pgn|x|--fen|y", 2, "--pgn cannot be combined with"},
		{"analyse|--pgn|x|--multipv|2", 2, "--pgn cannot be combined with --multipv"},
		{"analyse|--pgn|x|--resume", 2, "--resume needs --output"},
		{"analyse|--praise", 2, "--praise needs --pgn"},
		{"analyse|--pgn|x|--curve|round", 2, `curve "round" is neither lichess nor engine`},
		{"analyse|--pgn|/nonexistent/file", 1, "no such file"},
		{"analyse|--depth|1|--net|/nonexistent/net", 1, "no network /nonexistent/net"},
		{"epd", 2, "missing file name"},
		{"epd|--depth|-1|" + suite, 2, "--depth -1"},
		{"epd|--depth|0|" + suite, 2, "--depth 0"},
		{"epd|--early|-1|" + suite, 2, "--early -1"},
		{"epd|/nonexistent/file", 1, "no such file"},
		{"epd|--depth|3|" + suite, 0, "solved 1 of 1"},
		{"epd|" + suite + "|--depth|3", 0, "solved 1 of 1"},
		{"perft|3", 0, "8902 leaves"},
		{"perft|3|e4", 0, "13160 leaves"},
		{"perft|5|--fen|r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 0, "193690690 leaves"},
		{"perft|1|--fen|" + checkmate, 0, "0 leaves"},
		{"perft|1|--fen|", 2, "FEN: board: is missing"},
		{"perft", 2, "missing depth"},
		{"perft|0", 2, `depth "0"`},
		{"perft|3|Nd2", 2, `move "Nd2"`},
	} {
		status, out, errs := run(context.Background(), "", strings.Split(tt.args, "|")...)
		if status != tt.status || !strings.Contains(out+errs, tt.want) {
			t.Errorf("%s: exit status %d, output:\n%s\nerrors:\n%s", tt.args, status, out, errs)
		}
		if (status == 0) != (errs == "") {
			t.Errorf("%s: exit status %d and errors %q", tt.args, status, errs)
		}
	}
}

// TestSyzygy uses endgame tables, in good folders and bad.
func TestSyzygy(t *testing.T) {
	const (
		won     = "8/8/8/3k4/8/8/8/K6R w - - 0 1"
		spoiled = "8/8/8/3k4/8/8/8/K6R w - - 90 60" // a win, but for the fifty-move rule
	)
	const shown = 1 // cp of a spoiled win
	tables, empty := corpora.Path("syzygy"), t.TempDir()
	nowhere := filepath.Join(empty, "nowhere")
	suite := file(t, won+" bm Rh4; id \"rook\";\n")
	game := file(t, "[SetUp \"1\"]\n[FEN \""+spoiled+"\"]\n\n1. Kb2 Ke4 *\n")
	for _, tt := range []struct {
		args   []string
		status int
		want   string // on either stream
	}{
		{[]string{"analyse", "--json", "--depth", "3", "--fen", spoiled}, 0, `"tbhits":0`},
		{[]string{"analyse", "--json", "--depth", "3", "--fen", spoiled, "--syzygy", tables}, 0,
			fmt.Sprintf(`"cp":%d,`, shown)},
		{[]string{"analyse", "--json", "--depth", "3", "--fen", won, "--syzygy",
			empty + string(filepath.ListSeparator) + tables}, 0, `"tbhits":1`},
		{[]string{"analyse", "--pgn", game, "--depth", "2", "--syzygy", tables}, 0,
			fmt.Sprintf("[%%eval 0.%02d]", shown)},
		{[]string{"epd", "--json", suite, "--depth", "2", "--syzygy", tables}, 0, `"tbhits":1`},
		{[]string{"epd", suite, "--depth", "2", "--syzygy", nowhere}, 1, "nowhere"},
		{[]string{"analyse", "--depth", "2", "--syzygy", empty}, 1, "--syzygy " + empty + ": no tablebases found"},
		{[]string{"analyse", "--depth", "2", "--net", "missing", "--syzygy", tables}, 1, "no network missing"},
		{[]string{"analyse", "--syzygy"}, 2, "flag needs an argument"},
	} {
		status, out, errs := run(context.Background(), "", tt.args...)
		for line := range strings.Lines(errs) {
			if !strings.HasPrefix(line, "engine "+tt.args[0]+": ") {
				t.Errorf("%q: a line of the errors does not name the command: %s", tt.args, line)
			}
		}
		if status != tt.status || !strings.Contains(out+errs, tt.want) || (status == 0) != (errs == "") {
			t.Errorf("%q: exit status %d, output:\n%s\nerrors:\n%s", tt.args, status, out, errs)
		}
	}
}

// TestMissingTable warns of a table that is missing, and goes on.
func TestMissingTable(t *testing.T) {
	const name = "KQvK.rtbw"
	data, err := os.ReadFile(filepath.Join(corpora.Path("syzygy"), name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errs := run(context.Background(), "", "analyse", "--depth", "3", "--threads", "2", "--fen",
		"8/8/8/3k4/8/8/8/K6R w - - 0 1", "--syzygy", dir)
	if status != 0 || !strings.Contains(out, "best move") || strings.Count(errs, "engine analyse: ") != 1 ||
		!strings.Contains(errs, "KRvK") {
		t.Errorf("exit status %d, output:\n%s\nerrors:\n%s", status, out, errs)
	}
}

func TestHas(t *testing.T) {
	for name, want := range map[string]bool{"analyse": true, "analyze": true, "epd": true, "perft": true, "uci": false,
		"": false} {
		if Has(name) != want {
			t.Errorf("Has(%q) = %v", name, !want)
		}
	}
}

// TestInterrupt ends commands that would go on for long.
func TestInterrupt(t *testing.T) {
	suite := file(t, strings.Repeat("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n", 3))
	game := file(t, "1. e4 e5 2. Nf3 *")
	for _, tt := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"analyse"}, 0, "best move"},
		{[]string{"epd", suite, "--time", "1h"}, cli.ExitInterrupted, ""},
		{[]string{"analyse", "--pgn", game, "--time", "1h", "--hash", "1"}, cli.ExitInterrupted, ""},
		{[]string{"perft", "12"}, cli.ExitInterrupted, ""},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		status, out, errs := run(ctx, "", tt.args...)
		cancel()
		if status != tt.status || errs != "" || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit status %d, output:\n%s\nerrors:\n%s", tt.args, status, out, errs)
		}
	}
}

// failingWriter is an output that fails.
type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// TestFailingOutput reports a failure to write, but not a closed pipe.
func TestFailingOutput(t *testing.T) {
	suite := file(t, "7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd8;\n")
	game := file(t, "1. e4 e5 2. Nf3 *")
	for _, args := range [][]string{{"analyse"}, {"analyse", "--json"}, {"epd", suite, "--depth", "2"},
		{"epd", suite, "--depth", "2", "--json"}, {"analyse", "--pgn", game, "--depth", "1"}, {"perft", "1"},
		{"perft", "--help"}} {
		for err, want := range map[error]string{
			errors.New("full"): "engine " + args[0] + ": full\n", fmt.Errorf("write: %w", syscall.EPIPE): "",
		} {
			var stderr bytes.Buffer
			status := Run(context.Background(), Env{Out: failingWriter{err}, Err: &stderr, NewEngine: newEngine}, args)
			if status != cli.ExitFailure || stderr.String() != want {
				t.Errorf("%s, %v: exit status %d, errors:\n%s", args, err, status, &stderr)
			}
		}
	}
}

// countingWriter counts the writes, all of which fail.
type countingWriter int

func (w *countingWriter) Write([]byte) (int, error) { *w++; return 0, syscall.EPIPE }

// TestPerftEndsWithOutput counts no further once the output cannot be written.
func TestPerftEndsWithOutput(t *testing.T) {
	suite := file(t, "k7/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\n")
	for _, args := range [][]string{{"perft", "1"}, {"perft", "--suite", suite, suite}} {
		var out countingWriter
		status := Run(t.Context(), Env{Out: &out, Err: io.Discard, NewEngine: newEngine}, args)
		if status != cli.ExitFailure || out != 1 {
			t.Errorf("%s: exit status %d after %d writes, want 1", args, status, out)
		}
	}
}

func TestAnalyseJSON(t *testing.T) {
	status, out, errs := run(context.Background(), "", "analyse", "--json", "--depth", "5", "--multipv", "2", "--fen",
		mateInTwo)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var last struct{ BestMove, SAN, Ponder string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.BestMove == "" ||
		last.SAN == "" || last.Ponder == "" {
		t.Errorf("%v: %s", err, lines[len(lines)-1])
	}
	seen := map[int]bool{}
	for _, line := range lines[:len(lines)-1] {
		var l report
		if err := json.Unmarshal([]byte(line), &l); err != nil || (l.CP == nil) == (l.Mate == nil) || l.PV == "" ||
			l.SAN == "" || l.Depth < 1 {
			t.Errorf("%v: %s", err, line)
		}
		seen[l.MultiPV] = true
	}
	if !seen[1] || !seen[2] || len(seen) != 2 {
		t.Errorf("lines %v", seen)
	}
}

const tests = `# suite
7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd8#; id "back rank";
7k/6pp/8/8/8/8/8/K2R4 w - - am Rd8; id "avoid";
6k1/5ppp/4r3/8/8/8/3R4/K2R4 w - - dm 2;
6k1/5ppp/4r3/8/8/8/3R4/K2R4 w - - bm #2;
7k/6pp/8/8/8/8/8/K2R4 w - - c0 "Rd8=10, Rd7=3";
7k/6pp/8/8/8/8/8/K2R4 w - - bm Ke9;
7k/6pp/8/8/8/8/8/K2R4 w - - id "nothing";
nonsense
`

func TestEPD(t *testing.T) {
	status, out, errs := run(context.Background(), tests, "epd", "-", "--depth", "6")
	if status != cli.ExitFailure {
		t.Errorf("exit status %d", status)
	}
	for _, want := range []string{`-: line 7: EPD: bm: move "Ke9": malformed`, "-: line 8: nothing to test",
		"-: line 9: EPD: "} {
		if !strings.Contains(errs, want) {
			t.Errorf("errors without %q:\n%s", want, errs)
		}
	}
	for _, want := range []string{"back rank", "not Rd8#", "mate 2", "no. 3 ", "solved 4 of 5 (80.0%)",
		"points 10 of 10 (100.0%)"} {
		if !strings.Contains(out, want) {
			t.Errorf("output without %q:\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
}

func TestEPDJSON(t *testing.T) {
	_, out, _ := run(context.Background(), tests, "epd", "-", "--depth", "6", "--json", "--early", "2")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines:\n%s", len(lines), out)
	}
	for i, line := range lines[:5] {
		var r testReport
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.N != i+1 || r.Solved != (i != 1) ||
			r.Solved && (r.Depth < 1 || r.Reached > r.Depth+2) || i == 0 && r.Reached != r.Depth+2 ||
			r.Solved != (r.TimeMS != nil) {
			t.Errorf("%v: %s", err, line)
		}
	}
	var sum struct{ Tests, Solved, Points int }
	if err := json.Unmarshal([]byte(lines[5]), &sum); err != nil || sum.Tests != 5 || sum.Solved != 4 ||
		sum.Points != 10 {
		t.Errorf("%v: %s", err, lines[5])
	}
}

// TestSolvedBy expects mates in fewer moves to solve a test, and no others.
func TestSolvedBy(t *testing.T) {
	for _, tt := range []struct {
		mate  int
		score chess.Score
		want  bool
	}{
		{2, chess.MateIn(3), true}, {2, chess.MateIn(1), true}, {2, chess.MateIn(5), false}, {2, 0, false},
		{2, chess.MatedIn(2), false}, {-1, chess.MatedIn(2), true}, {-1, chess.MatedIn(4), false},
		{-1, chess.MateIn(1), false},
	} {
		if got := (&test{mate: tt.mate}).solvedBy(chess.NoMove, tt.score); got != tt.want {
			t.Errorf("mate %d, score %v: %v", tt.mate, tt.score, got)
		}
	}
}

// TestSum writes the totals of a suite.
func TestSum(t *testing.T) {
	var out bytes.Buffer
	w := newSuiteWriter(&call{Env: Env{Out: &out, Err: io.Discard}}, false, false)
	err := w.sum(&totals{tests: 3, solved: 2, scored: 1, points: 3, mostPoints: 12, time: 8 * time.Second,
		solvedTime: 3 * time.Second, nodes: 1000})
	const want = "\nsolved 2 of 3 (66.7%), each in 1.50s on average\npoints 3 of 12 (25.0%)\n1.00k nodes in 8.00s\n"
	if out.String() != want || err != nil {
		t.Errorf("%q, %v, want %q", &out, err, want)
	}
}

// TestEPDCastlingJSON writes castling as protocols do.
func TestEPDCastlingJSON(t *testing.T) {
	e, err := notation.ParseEPD("4k3/8/8/8/8/8/8/4K2R w K - bm O-O;", false)
	if err != nil {
		t.Fatal(err)
	}
	for chess960, want := range map[bool]string{false: `"found":"e1g1","san":"O-O"`,
		true: `"found":"e1h1","san":"O-O"`} {
		var out, errs bytes.Buffer
		w := newSuiteWriter(&call{Env: Env{Out: &out, Err: &errs}}, true, chess960)
		if err := w.row(1, &test{epd: e}, &outcome{found: chess.NewCastling(chess.E1, chess.H1)}); err != nil ||
			!strings.Contains(out.String(), want) {
			t.Errorf("Chess960 %v: %v, %s", chess960, err, &out)
		}
	}
}

// TestDefaultThreads starts a process for which the runtime has found one processor,
// as in a container with that limit.
func TestDefaultThreads(t *testing.T) {
	const variable = "SKEIN_TEST_DEFAULT_THREADS"
	if os.Getenv(variable) != "" {
		fmt.Printf("threads %d\n", defaultThreads())
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestDefaultThreads$")
	cmd.Env = append(os.Environ(), variable+"=1", "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "threads 1\n") {
		t.Errorf("error %v, output\n%s", err, out)
	}
}

// TestParseTime reads seconds with and without a unit.
func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2": 2 * time.Second, "0.5": time.Second / 2, "1e2": 100 * time.Second, "1m30s": 90 * time.Second,
		"": 0, "0": 0, "-1": 0, "NaN": 0, "Inf": 0, "1e300": 0, "s": 0,
	} {
		if got, err := parseTime(text); got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestEPDValue expects the value from White's point of view, whoever moves.
func TestEPDValue(t *testing.T) {
	const mate = "k2r4/8/8/8/8/8/6PP/7K b - - bm Rd1#;\n"
	if _, out, _ := run(context.Background(), mate, "epd", "-", "--depth", "3", "--json"); !strings.Contains(out,
		`"mate":-1,`) {
		t.Error(out)
	}
}

// TestEPDApart expects a test not to profit from an earlier one.
func TestEPDApart(t *testing.T) {
	const line = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm Bxa6;\n"
	_, out, _ := run(context.Background(), line+line, "epd", "-", "--depth", "8", "--json")
	var r [2]testReport
	for i, text := range strings.Split(out, "\n")[:2] {
		if err := json.Unmarshal([]byte(text), &r[i]); err != nil {
			t.Fatal(err)
		}
	}
	if r[0].Nodes == 0 || r[0].Nodes != r[1].Nodes {
		t.Errorf("%d nodes, then %d", r[0].Nodes, r[1].Nodes)
	}
}

// TestEngineFlags expects the engine that the flags of each command ask for.
func TestEngineFlags(t *testing.T) {
	suite := file(t, "7k/6pp/8/8/8/8/8/K2R4 w - - bm Rd8;\n")
	for _, args := range [][]string{{"analyse"}, {"epd", suite}, {"serve", "--port", "0"}} {
		made := ""
		create := func(threads, hash int, net string) (*search.Engine, error) {
			made = fmt.Sprintf("%d*%d %s", threads, hash, net)
			return nil, errors.New("enough")
		}
		args = append(args, "--threads", "3", "--hash", "7", "--net", "x.nnue")
		Run(t.Context(), Env{Out: io.Discard, Err: io.Discard, NewEngine: create}, args)
		if made != "3*7 x.nnue" {
			t.Errorf("%s: engine %s", args[0], made)
		}
	}
}
