package uci

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/search"
)

func TestAppendLine(t *testing.T) {
	e4, castle := chess.NewMove(12, 28), chess.NewCastling(chess.E8, chess.H8)
	const mateScore = 32000
	full := search.Line{
		Depth: 7, SelDepth: 12, MultiPV: 2, Score: -35, Nodes: 123456, Elapsed: 1500 * time.Millisecond,
		Hashfull: 17, TBHits: 3, PV: []chess.Move{e4, castle},
	}
	shown := strconv.Itoa(int(full.Score.Centipawns()))
	bounded := full
	bounded.Bound, bounded.Score = search.UpperBound, mateScore-5
	chess960 := settings{chess960: true, showWDL: true}
	for _, tt := range []struct {
		info search.Line
		s    settings
		want string
	}{
		{full, settings{}, "info depth 7 seldepth 12 multipv 2 score cp " + shown +
			" nodes 123456 nps 82304 hashfull 17 tbhits 3 time 1500 pv e2e4 e8g8\n"},
		{full, chess960, " pv e2e4 e8h8\n"},
		{full, chess960, " score cp " + shown + " wdl "},
		{bounded, settings{}, " score mate 3 upperbound nodes "},
		{search.Line{Score: -mateScore, MultiPV: 1}, settings{}, "info depth 0 score mate 0\n"},
		{search.Line{MultiPV: 1}, settings{}, "info depth 0 score cp 0\n"},
		{search.Line{MultiPV: 1, Drawn: true}, settings{showWDL: true}, "info depth 0 score cp 0 wdl 0 1000 0\n"},
		{search.Line{Depth: 1, Drawn: true}, settings{showWDL: true}, " score cp 0 wdl 0 1000 0 "},
		{search.Line{Depth: 1, Score: -mateScore + 2}, settings{}, " score mate -1 "},
		{search.Line{Depth: 1, Nodes: 1 << 60, Elapsed: time.Hour}, settings{}, " nps 320255973501901 "},
		{search.Line{Depth: 1, Nodes: 20}, settings{}, " nodes 20 nps 0 "},
	} {
		if got := string(appendLine(nil, &tt.info, &tt.s, noLoad)); !strings.Contains(got, tt.want) {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}

	if got, want := string(appendLine(nil, &full, &settings{}, 987)),
		" time 1500 cpuload 987 pv e2e4 e8g8\n"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	current := search.CurrentMove{Depth: 9, Move: castle, Number: 4}
	if got, want := string(appendCurrMove(nil, &current, false)),
		"info depth 9 currmove e8g8 currmovenumber 4\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAppendShown(t *testing.T) {
	e4, castle := chess.NewMove(12, 28), chess.NewCastling(chess.E8, chess.H8)
	lines := [][]chess.Move{{e4, castle}, nil, {e4}}
	refuted := search.Refutation{Move: e4, Reply: castle}
	unrefuted := search.Refutation{Move: castle}
	for _, tt := range []struct{ got, want []byte }{
		{appendCurrLines(nil, lines, false), []byte("info currline 1 e2e4 e8g8\ninfo currline 3 e2e4\n")},
		{appendCurrLines(nil, lines[:1], true), []byte("info currline 1 e2e4 e8h8\n")},
		{appendCurrLines(nil, lines[1:2], true), nil},
		{appendRefutation(nil, &refuted, false), []byte("info refutation e2e4 e8g8\n")},
		{appendRefutation(nil, &refuted, true), []byte("info refutation e2e4 e8h8\n")},
		{appendRefutation(nil, &unrefuted, false), []byte("info refutation e8g8\n")},
	} {
		if string(tt.got) != string(tt.want) {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// TestInfoAllocations reports without garbage.
func TestInfoAllocations(t *testing.T) {
	e4 := chess.NewMove(12, 28)
	d := New(nil, nil, io.Discard, Config{})
	d.load.begin(1)
	d.load.start = d.load.start.Add(-time.Second)
	for _, info := range []search.Info{
		&search.Line{Depth: 7, SelDepth: 12, MultiPV: 1, Nodes: 99, Elapsed: time.Second, PV: make([]chess.Move, 20)},
		&search.CurrentMove{Move: e4},
		&search.CurrentLines{Lines: [][]chess.Move{{e4}, {e4, e4}}},
		&search.Refutation{Move: e4, Reply: e4},
	} {
		d.writeInfo(info)
		if n := testing.AllocsPerRun(100, func() { d.writeInfo(info) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

// TestLoad measures the load of processors, where the system tells.
func TestLoad(t *testing.T) {
	for _, tt := range []struct {
		used, passed time.Duration
		threads      int
		want         int
	}{
		{0, time.Second, 1, 0},
		{time.Second, time.Second, 1, 1000},
		{time.Second, time.Second, 4, 250},
		{3999 * time.Millisecond, time.Second, 4, 999},
		{1010 * time.Millisecond, time.Second, 1, 1000},
		{-time.Millisecond, time.Second, 1, 0},
		{8760 * time.Hour, 8760 * time.Hour, 1024, 0},
		{1024 * 876 * time.Hour, 876 * time.Hour, 1024, 1000},
	} {
		if got := loadPermille(tt.used, tt.passed, tt.threads); got != tt.want {
			t.Errorf("%v in %v with %d threads: %d permille, want %d", tt.used, tt.passed, tt.threads, got, tt.want)
		}
	}

	out := newSink(t)
	d := New(nil, nil, out, Config{})
	info := search.Line{Depth: 1, PV: []chess.Move{chess.NewMove(12, 28)}}
	d.load.begin(2)
	d.load.start = d.load.start.Add(time.Minute)
	d.writeInfo(&info) // too early to tell
	d.load.start = d.load.start.Add(-time.Hour)
	d.writeInfo(&info)
	_, known := processorTime()
	for i, line := range out.all() {
		if strings.Contains(line, " cpuload ") != (known && i == 1) {
			t.Errorf("line %d: %q", i, line)
		}
	}
}

func TestBestMove(t *testing.T) {
	e4, e5 := chess.NewMove(12, 28), chess.NewMove(52, 36)
	for want, result := range map[string]search.Result{
		"bestmove e2e4 ponder e7e5": {Best: e4, Ponder: e5},
		"bestmove e2e4":             {Best: e4},
		"bestmove (none)":           {},
	} {
		out := newSink(t)
		out.Write(New(nil, nil, nil, Config{}).bestMove(result))
		if lines := out.all(); len(lines) != 1 || lines[0] != want {
			t.Errorf("got %q, want %q", lines, want)
		}
	}
}

func TestSearchLimits(t *testing.T) {
	const ms = time.Millisecond
	white := func(lim search.Limits) search.Limits { lim.Clock = true; return lim }
	for words, want := range map[string]search.Limits{
		"":                         {Infinite: true},
		"infinite":                 {Infinite: true},
		"infinite depth 3":         {Infinite: true, Depth: 3},
		"ponder depth 3":           {Depth: 3},
		"depth 0":                  {Depth: 1},
		"depth 3 depth 4":          {Depth: 4},
		"nodes 1000 movetime 20":   {Nodes: 1000, MoveTime: 20 * ms},
		"nodes -1":                 {Nodes: 1},
		"mate 3":                   {Mate: 3},
		"movetime 0":               {MoveTime: ms},
		"movestogo 5":              {Infinite: true, MovesToGo: 5},
		"depth depth 3":            {Depth: 3},
		"foo 3 depth bar nodes 12": {Nodes: 12},
		"depth 99999999999999999999": {
			Depth: 1<<31 - 1,
		},
		"wtime 1000 btime 2000 winc 10 binc 20 movestogo 7": white(search.Limits{
			Time: [2]time.Duration{1000 * ms, 2000 * ms}, Inc: [2]time.Duration{10 * ms, 20 * ms}, MovesToGo: 7}),
		"wtime -5 btime 0 movestogo -1": white(search.Limits{Time: [2]time.Duration{ms, ms}}),
		"btime 300":                     white(search.Limits{Time: [2]time.Duration{300 * ms, 300 * ms}}),
		"wtime 300.4 btime 60000,1":     white(search.Limits{Time: [2]time.Duration{300 * ms, 60000 * ms}}),
		"nodes 1,000":                   {Depth: 1},
		"movetime 333.33":               {MoveTime: 333 * ms},
		"winc 100": white(search.Limits{Time: [2]time.Duration{100 * ms, 0},
			Inc: [2]time.Duration{100 * ms, 0}}),
		"winc 0 binc 0": white(search.Limits{Time: [2]time.Duration{ms, 0}}),
		"binc 50": white(search.Limits{Time: [2]time.Duration{50 * ms, 0},
			Inc: [2]time.Duration{0, 50 * ms}}),
		"btime 300 binc 50": white(search.Limits{Time: [2]time.Duration{300 * ms, 300 * ms},
			Inc: [2]time.Duration{0, 50 * ms}}),
		"p1time 1000 p2time 2000 p1inc 10 p2inc 20": white(search.Limits{
			Time: [2]time.Duration{1000 * ms, 2000 * ms}, Inc: [2]time.Duration{10 * ms, 20 * ms}}),
		"winc -3 wtime 9":            white(search.Limits{Time: [2]time.Duration{9 * ms, 0}}),
		"wtime 99999999999999999999": white(search.Limits{Time: [2]time.Duration{365 * 24 * time.Hour, 0}}),
	} {
		r := parseGo(strings.Fields(words))
		got := r.searchLimits(chess.White)
		if !equalLimits(&got, &want) {
			t.Errorf("go %s: got %+v, want %+v", words, got, want)
		}
	}
	for words, want := range map[string]search.Limits{
		"wtime 1000 btime 2000 winc 10 binc 20": white(search.Limits{
			Time: [2]time.Duration{1000 * ms, 2000 * ms}, Inc: [2]time.Duration{10 * ms, 20 * ms}}),
		"wtime 300": white(search.Limits{Time: [2]time.Duration{300 * ms, 300 * ms}}),
	} {
		r := parseGo(strings.Fields(words))
		if got := r.searchLimits(chess.Black); !equalLimits(&got, &want) {
			t.Errorf("Black, go %s: got %+v, want %+v", words, got, want)
		}
	}
}

func equalLimits(a, b *search.Limits) bool {
	return a.Depth == b.Depth && a.Nodes == b.Nodes && a.Mate == b.Mate && a.MoveTime == b.MoveTime &&
		a.Infinite == b.Infinite &&
		a.Clock == b.Clock && a.Time == b.Time && a.Inc == b.Inc && a.MovesToGo == b.MovesToGo
}

func TestParseGoWords(t *testing.T) {
	r := parseGo(strings.Fields("searchmoves e2e4 d2d4 ponder g1f3 searchmoves b1c3 wtime 5 h2h3"))
	if got := strings.Join(r.searchMoves, " "); got != "e2e4 d2d4 b1c3" || !r.ponder {
		t.Errorf("moves %q, ponder %v", got, r.ponder)
	}
	r = parseGo(strings.Fields("wtime x btime nodes 99999999999999999999 perft"))
	if len(r.problems) != 4 {
		t.Errorf("problems %v", r.problems)
	}
}

func TestSplitOption(t *testing.T) {
	for args, want := range map[string][2]string{
		"name Hash value 16":                     {"Hash", "16"},
		"name  Clear \t Hash":                    {"Clear Hash", ""},
		"name SyzygyPath value  /a  b/c value d": {"SyzygyPath", "/a  b/c value d"},
		"name X value":                           {"X", ""},
	} {
		name, text, err := splitOption(args)
		if name != want[0] || text != want[1] || err != nil {
			t.Errorf("%q: got %q, %q, %v", args, name, text, err)
		}
	}
}
