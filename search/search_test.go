package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/nets"
	"skein/position"
)

func newEngine(t testing.TB, threads, hash int) *Engine {
	t.Helper()
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(net, Options{Threads: threads, Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func newGame(t testing.TB, fen string, moves ...string) *position.Game {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	g := position.NewGame(p)
	for _, text := range moves {
		g.Play(findMove(t, &g.Pos, text))
	}
	return g
}

func findMove(t testing.TB, p *position.Position, text string) chess.Move {
	t.Helper()
	for _, m := range movegen.Legal(p) {
		if m.String() == text {
			return m
		}
	}
	t.Fatalf("no move %s in %s", text, p.FEN())
	return chess.NoMove
}

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// varied are positions of many kinds.
var varied = []string{
	position.StartFEN,
	kiwipete,
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"qnrnkbbr/ppp1p1pp/5p2/8/1Pp2P2/8/P2PP1PP/QNRNKBBR w KQkq - 0 4",
	"r1bq1rk1/ppp1ppbp/2np1np1/8/2PP4/PP2PN2/1B3PPP/RN1QKB1R b KQ - 0 1",
	"8/8/8/4k3/8/8/4K2R/8 w - - 96 120",
	"7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
	"8/8/8/8/8/5k2/5p2/5K2 b - - 0 1",
	"3r1k2/5p1p/1b4p1/p2pP1P1/3R3P/3KN1B1/5P2/8 b - - 0 41",
}

// mateLine matches a line of a test suite of mates: "FEN bm #N;".
var mateLine = regexp.MustCompile(`^(.*) bm #(-?\d+);`)

// TestMates searches for mates of the test suite, for and against the side to
// move, and expects their exact distance: up to three moves, five with the
// whole corpora, two in short runs. Most are compositions with zugzwang and
// quiet key moves, which pruning hides at low depth, so a small share may be
// missed with few nodes.
func TestMates(t *testing.T) {
	lines, err := corpora.Lines(corpora.Path("epd/mates-dev.epd"))
	if err != nil {
		t.Fatal(err)
	}
	longest := 3
	switch {
	case os.Getenv("SKEIN_CORPORA") != "":
		longest = 5
	case testing.Short():
		longest = 2
	}
	e := newEngine(t, 1, 16)
	played, asked, total := 0, 0, 0
	for _, line := range lines {
		match := mateLine.FindStringSubmatch(line.Text)
		if match == nil {
			t.Errorf("%s: not a mate: %s", line.Where, line.Text)
			continue
		}
		want, _ := strconv.Atoi(match[2])
		if abs(want) > longest {
			continue
		}
		total++
		g := newGame(t, match[1])
		played += flag(findsMate(t, e, g, want, Limits{Nodes: 1_000_000}))
		if findsMate(t, e, g, want, Limits{Nodes: 300_000, Mate: abs(want)}) {
			asked++
		} else {
			t.Logf("%s: mate in %d not found: %s", line.Where, want, match[1])
		}
	}
	t.Logf("%d of %d, %d asked for", played, total, asked)
	if played*10 < total*6 || asked*100 < total*97 {
		t.Errorf("only %d of %d mates found, %d asked for", played, total, asked)
	}
}

// findsMate reports whether a search finds the mate in exactly want moves, and
// checks its line.
func findsMate(t *testing.T, e *Engine, g *position.Game, want int, lim Limits) (found bool) {
	t.Helper()
	e.NewGame()
	lim.Control = NewControl(false)
	e.Search(g, lim, OnLine(func(i *Line) {
		if n, ok := i.Score.Mate(); ok && n == want && i.Bound == Exact {
			found = true
			checkMatePV(t, g, i)
			lim.Control.Stop()
		}
	}))
	return found
}

// TestMateSearchApart checks that the table entries of a search for a mate are
// not found by other searches.
func TestMateSearchApart(t *testing.T) {
	e := newEngine(t, 1, 16)
	g := newGame(t, position.StartFEN)
	if r := e.Search(g, Limits{Mate: 2}, nil); r.Depth != chess.MaxPly-1 {
		t.Errorf("a search without a mate ended at depth %d", r.Depth)
	}
	if entry, hit := e.run.table.Probe(g.Pos.Key()); hit {
		t.Errorf("the table has an entry for the root: %+v", entry)
	}

	// A mate one move longer than asked for is one, and better than any other check.
	g = newGame(t, "2r3k1/5ppp/8/8/8/8/qq1Q1PPP/3R2K1 w - - 0 1")
	r := e.Search(g, Limits{Mate: 1, Depth: 5}, nil)
	if moves, _ := r.Score.Mate(); moves != 2 || r.Best.String() != "d2d8" {
		t.Errorf("asked for a mate in one: %s with %d, want d2d8, which mates in two", r.Best, r.Score)
	}
}

// TestBareKingApart checks that entries of a search in which a king may become alone are
// not found by one in which it is: their evaluations differ.
func TestBareKingApart(t *testing.T) {
	e := newEngine(t, 1, 16)
	g := newGame(t, "8/8/8/4k3/8/3p4/3K4/7R w - - 0 1")
	e.Search(g, Limits{Nodes: 20_000}, nil)
	g.Play(chess.NewMove(chess.D2, chess.D3))
	if _, hit := e.run.table.Probe(g.Pos.Key()); !hit {
		t.Fatal("the capture was not searched")
	}
	w := e.run.workers[0]
	w.prepare(g)
	if _, hit := e.run.table.Probe(w.tableKey(0)); hit {
		t.Error("an entry from before the capture is found after it")
	}
}

// checkMatePV checks that the line of a mate score, if complete, ends in mate
// and is as long as the score says.
func checkMatePV(t *testing.T, g *position.Game, i *Line) {
	t.Helper()
	n, _ := i.Score.Mate()
	plies := 2*n - 1
	if n <= 0 {
		plies = -2 * n
	}
	if len(i.PV) > plies {
		t.Errorf("%s: mate in %d with a line of %d plies: %v", g.Pos.FEN(), n, len(i.PV), i.PV)
	}
	end := playLine(t, g, i.PV)
	if len(i.PV) == plies && (!end.Pos.InCheck() || movegen.Count(&end.Pos) > 0) {
		t.Errorf("%s: line of mate in %d ends without mate: %v", g.Pos.FEN(), n, i.PV)
	}
}

// playLine plays a line on a copy of g and fails the test at an illegal move.
func playLine(t *testing.T, g *position.Game, pv []chess.Move) *position.Game {
	t.Helper()
	end := g.Clone()
	for i, m := range pv {
		if !movegen.IsLegal(&end.Pos, m) {
			t.Fatalf("%s: move %d of the line is illegal: %v", g.Pos.FEN(), i+1, pv)
		}
		end.Play(m)
	}
	return end
}

// TestWinsEndgames mates a bare king with a queen, with a rook, and with a bishop and a
// knight.
func TestWinsEndgames(t *testing.T) {
	if raceEnabled {
		t.Skip("one thread only, and slow")
	}
	for _, fen := range []string{
		"8/8/8/3k4/8/8/8/QK6 w - - 0 1",
		"4k3/8/8/8/8/8/8/4K2Q b - - 0 1",
		"8/8/8/3k4/8/8/8/RK6 w - - 0 1",
		"8/8/8/8/3k4/8/8/R3K3 w Q - 0 1",
		"8/8/3k4/8/8/8/8/2B1KN2 w - - 0 1",
		"8/8/8/4k3/8/8/8/1B1K3N w - - 0 1",
	} {
		e := newEngine(t, 1, 16)
		g := newGame(t, fen)
		for ply := 0; movegen.Count(&g.Pos) > 0; ply++ {
			if ply > 100 || g.Pos.Halfmoves() >= 100 || g.Pos.InsufficientMaterial() || g.Repetitions() > 1 {
				t.Fatalf("%s: not won, reached %s", fen, g.Pos.FEN())
			}
			g.Play(e.Search(g, Limits{Nodes: 25_000, Depth: 40}, nil).Best)
		}
		if !g.Pos.InCheck() {
			t.Errorf("%s: stalemate: %s", fen, g.Pos.FEN())
		}
	}
}

// TestReportedLines checks that reported lines are legal, do not continue after a draw
// or mate, and have valid scores.
func TestReportedLines(t *testing.T) {
	for _, threads := range []int{1, 3} {
		e := newEngine(t, threads, 4)
		for _, fen := range varied {
			g := newGame(t, fen)
			last := chess.NoMove
			r := e.Search(g, Limits{Nodes: 40_000, MultiPV: 3}, OnLine(func(i *Line) {
				if i.MultiPV == 1 {
					last = i.PV[0]
				}
				if len(i.PV) == 0 || i.MultiPV < 1 || i.MultiPV > 3 || i.Hashfull > 1000 {
					t.Errorf("%s: bad report %+v", fen, *i)
				}
				end := g.Clone()
				for n, m := range i.PV {
					p := &end.Pos
					if n > 0 && (p.Halfmoves() >= 100 || p.InsufficientMaterial() || end.Repetitions() > 1) {
						t.Errorf("%s: line continues after a draw: %v", fen, i.PV)
					}
					if !movegen.IsLegal(p, m) {
						t.Fatalf("%s: illegal line %v", fen, i.PV)
					}
					end.Play(m)
				}
			}))
			if r.Best != last {
				t.Errorf("%s: best move %s, but the last line began with %s", fen, r.Best, last)
			}
		}
	}
}

// TestDeterministic searches the same positions twice, with a new game in
// between, and expects the same number of nodes.
func TestDeterministic(t *testing.T) {
	e := newEngine(t, 1, 1)
	run := func() (nodes []uint64) {
		e.NewGame()
		for _, fen := range varied {
			nodes = append(nodes, e.Search(newGame(t, fen), Limits{Depth: 8}, nil).Nodes)
		}
		return nodes
	}
	first := run()
	e.Search(newGame(t, kiwipete), Limits{Nodes: 50_000}, nil)
	if second := run(); fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("nodes %v, then %v", first, second)
	}
}

func TestLimits(t *testing.T) {
	e := newEngine(t, 1, 4)
	g := newGame(t, kiwipete)

	if r := e.Search(g, Limits{Depth: 5}, nil); r.Depth != 5 {
		t.Errorf("depth 5: reached %d", r.Depth)
	}
	for _, nodes := range []uint64{1, 1000, 1024, 4096, 50_000} {
		e.NewGame()
		r := e.Search(g, Limits{Nodes: nodes}, nil)
		if r.Nodes > max(nodes, 2001) || !movegen.IsLegal(&g.Pos, r.Best) {
			t.Errorf("nodes %d: %+v", nodes, r)
		}
		if nodes > 4000 && r.Nodes != nodes {
			t.Errorf("nodes %d: searched %d", nodes, r.Nodes)
		}
	}
	if r := e.Search(g, Limits{SoftNodes: 10_000}, nil); r.Nodes < 10_000 || r.Depth < 2 {
		t.Errorf("soft nodes 10000: %+v", r)
	}
	for _, lim := range []Limits{
		{MoveTime: time.Millisecond},
		{Clock: true, Time: [2]time.Duration{time.Millisecond, time.Millisecond}},
		{Clock: true, Time: [2]time.Duration{-time.Second, -time.Second}},
		{Clock: true},
		{
			Clock: true, Time: [2]time.Duration{20 * time.Millisecond, time.Hour},
			Inc: [2]time.Duration{time.Millisecond, 0}, MovesToGo: 1,
		},
	} {
		lim.MoveOverhead = 10 * time.Millisecond
		if r := e.Search(g, lim, nil); !movegen.IsLegal(&g.Pos, r.Best) {
			t.Errorf("%+v: best move %s", lim, r.Best)
		}
	}

	allowed := []chess.Move{findMove(t, &g.Pos, "a2a3"), findMove(t, &g.Pos, "e1a1")}
	r := e.Search(g, Limits{Depth: 6, SearchMoves: allowed}, nil)
	if r.Best != allowed[0] && r.Best != allowed[1] {
		t.Errorf("searchmoves: %s", r.Best)
	}

	lines := map[int]chess.Move{}
	e.Search(g, Limits{Depth: 4, MultiPV: 500}, OnLine(func(i *Line) {
		if i.Depth == 4 {
			lines[i.MultiPV] = i.PV[0]
		}
	}))
	if len(lines) != movegen.Count(&g.Pos) {
		t.Errorf("multipv 500: %d lines", len(lines))
	}
	seen := map[chess.Move]bool{}
	for _, m := range lines {
		seen[m] = true
	}
	if len(seen) != len(lines) {
		t.Errorf("multipv: %d different moves in %d lines", len(seen), len(lines))
	}

	mate := newGame(t, "k7/8/1K6/8/8/8/8/7R w - - 0 1")
	r = e.Search(mate, Limits{Mate: 1}, nil)
	if n, ok := r.Score.Mate(); !ok || n != 1 || r.Best.String() != "h1h8" {
		t.Errorf("mate 1: %+v", r)
	}
}

// TestReply finds the reply to the best move in the table, also after a search for a
// mate, whose entries have keys of their own.
func TestReply(t *testing.T) {
	g := newGame(t, "k7/8/2K5/8/8/8/8/7R w - - 0 1")
	for _, lim := range []Limits{{Depth: 6}, {Mate: 2}} {
		e := newEngine(t, 1, 1)
		r := e.Search(g, lim, nil)
		if reply := e.run.workers[0].reply(r.Best); r.Best == chess.NoMove || reply == chess.NoMove {
			t.Errorf("%+v: best move %v, reply %v", lim, r.Best, reply)
		}
	}
}

// TestSearchMoves searches some moves, and all if none of those given is legal.
func TestSearchMoves(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, "7k/8/8/8/8/8/6q1/K6R b - - 0 1") // in check
	evasion := findMove(t, &g.Pos, "h8g8")
	illegal := chess.NewMove(chess.A1, chess.A2)
	if r := e.Search(g, Limits{Depth: 3, SearchMoves: []chess.Move{illegal, evasion}}, nil); r.Best != evasion {
		t.Errorf("%v instead of %v", r.Best, evasion)
	}
	e.NewGame()
	all := e.Search(g, Limits{Depth: 1}, nil)
	e.NewGame()
	none := e.Search(g, Limits{Depth: 1, SearchMoves: []chess.Move{illegal}}, nil)
	if none.Best != all.Best || none.Score != all.Score {
		t.Errorf("without a legal move %v, %d instead of %v, %d", none.Best, none.Score, all.Best, all.Score)
	}
}

// TestResultBound ends a search of a position after each number of nodes. The score
// must be that of the last line reported, unless it is a bound.
func TestResultBound(t *testing.T) {
	e := newEngine(t, 1, 1)
	bounds := map[Bound]int{}
	for nodes := uint64(2500); nodes < 60_000; nodes += 1500 {
		e.NewGame()
		var last Line
		r := e.Search(newGame(t, kiwipete), Limits{Nodes: nodes}, OnLine(func(i *Line) { last = *i }))
		if bounds[r.Bound]++; r.Bound == Exact && (last.Score != r.Score || last.Bound != Exact) {
			t.Errorf("%d nodes: score %d, last line %+v", nodes, r.Score, last)
		}
	}
	if bounds[Exact] == 0 || bounds[LowerBound]+bounds[UpperBound] == 0 {
		t.Errorf("bounds of results: %v", bounds)
	}
}

// TestNoMoves searches positions without a legal move.
func TestNoMoves(t *testing.T) {
	e := newEngine(t, 2, 1)
	for fen, want := range map[string]chess.Score{
		"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1": -chess.MateScore,
		"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1": 0,
	} {
		reports := 0
		r := e.Search(newGame(t, fen), Limits{Depth: 3}, OnLine(func(i *Line) {
			reports++
			if i.Score != want || i.Depth != 0 {
				t.Errorf("%s: reported %+v", fen, *i)
			}
		}))
		if r.Best != chess.NoMove || r.Ponder != chess.NoMove || reports != 1 {
			t.Errorf("%s: %+v after %d reports", fen, r, reports)
		}
	}
}

// TestDraws expects a draw by repetition in the game, by the fifty-move rule,
// and by insufficient material, and that mate on the hundredth ply takes
// precedence.
func TestDraws(t *testing.T) {
	e := newEngine(t, 1, 1)
	tests := []struct {
		name, fen string
		moves     []string
		allowed   string // the only root move
		want      chess.Score
	}{
		{"third occurrence", "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
			[]string{"e1d1", "e8d8", "d1e1", "d8e8", "e1d1", "e8d8", "d1e1"}, "d8e8", 0},
		{"hundredth ply", "4k3/8/8/8/8/8/8/4K2Q w - - 99 80", nil, "e1e2", 0},
		{"mate on the hundredth ply", "k7/8/1K6/8/8/8/8/7R w - - 99 80", nil, "h1h8", chess.MateScore - 1},
		{"last piece taken", "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", nil, "", 0},
		{"bare kings", "8/8/8/4k3/8/8/4K3/8 w - - 0 1", nil, "", 0},
	}
	for _, tt := range tests {
		e.NewGame()
		g := newGame(t, tt.fen, tt.moves...)
		lim := Limits{Depth: 4}
		if tt.allowed != "" {
			lim.SearchMoves = []chess.Move{findMove(t, &g.Pos, tt.allowed)}
		}
		if r := e.Search(g, lim, nil); r.Score != tt.want {
			t.Errorf("%s: score %d, want %d", tt.name, r.Score, tt.want)
		}
	}
}

// TestZugzwang expects the mates after 1. Ra6 and 1. Rf1, and that 1. Qxh4+ wins: Black is
// in zugzwang then, which null move pruning without verification misses.
func TestZugzwang(t *testing.T) {
	e := newEngine(t, 1, 16)
	for _, tt := range []struct {
		fen, best string
		least     chess.Score
		nodes     uint64
	}{
		{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", chess.MateScore - 10, 100_000},
		{"8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", "e1f1", chess.MateScore - 30, 1_500_000},
		{"8/6B1/p5p1/Pp4kp/1P5r/5P1Q/4q1PK/8 w - - 0 1", "h3h4", 4 * chess.UnitsPerPawn, 1_200_000},
	} {
		e.NewGame()
		r := e.Search(newGame(t, tt.fen), Limits{Nodes: tt.nodes}, nil)
		if r.Score < tt.least || r.Best.String() != tt.best {
			t.Errorf("%s: %s with score %d, want %s with %d or more", tt.fen, r.Best, r.Score, tt.best, tt.least)
		}
	}
}

// TestNoAllocation checks that a search with one thread allocates no memory.
func TestNoAllocation(t *testing.T) {
	e := newEngine(t, 1, 1)
	var games []*position.Game
	for _, fen := range varied {
		games = append(games, newGame(t, fen))
	}
	if n := testing.AllocsPerRun(3, func() {
		for _, g := range games {
			e.Search(g, Limits{Depth: 7, CurrLines: 1, Refutations: 1}, func(Info) {})
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestInterleavings starts, stops and ponders searches of many threads with a
// small table at random times. It is meant for the race detector.
func TestInterleavings(t *testing.T) {
	rounds := 200
	if raceEnabled {
		rounds = 400
	}
	goroutines := runtime.NumGoroutine()
	e := newEngine(t, 8, 1)
	rng := rand.New(rand.NewPCG(1, 2))
	pause := func() { time.Sleep(time.Duration(rng.IntN(5000)) * time.Microsecond) }
	for round := range rounds {
		g := newGame(t, varied[rng.IntN(6)])
		lim := Limits{Control: NewControl(rng.IntN(2) == 0), MultiPV: rng.IntN(3)}
		switch rng.IntN(4) {
		case 0:
			lim.Infinite = true
		case 1:
			lim.Depth = 1 + rng.IntN(6)
		case 2:
			lim.Nodes = uint64(rng.IntN(20_000))
		case 3:
			lim.Clock = true
			lim.Time = [2]time.Duration{10 * time.Millisecond, 10 * time.Millisecond}
		}
		done := make(chan Result)
		go func() { done <- e.Search(g, lim, func(Info) {}) }()
		pause()
		if rng.IntN(2) == 0 {
			lim.Control.PonderHit()
			pause()
		}
		lim.Control.Stop()
		if rng.IntN(4) == 0 {
			lim.Control.PonderHit() // too late, without effect
			lim.Control.Stop()
		}
		if r := <-done; !movegen.IsLegal(&g.Pos, r.Best) {
			t.Fatalf("round %d: %s has no move %s", round, g.Pos.FEN(), r.Best)
		}
		if rng.IntN(10) == 0 {
			e.NewGame()
		}
		if rng.IntN(50) == 0 {
			err := errors.Join(e.SetThreads(1+rng.IntN(8)), e.SetHash(1+rng.IntN(2)))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	awaitGoroutines(t, goroutines)
}

// awaitGoroutines fails the test unless soon no more goroutines run than before.
func awaitGoroutines(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// TestClear expects the first search after NewGame and SetNetwork to be as the very
// first one, and an empty table after ClearHash.
func TestClear(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	nodes := func() uint64 { return e.Search(g, Limits{Depth: 8}, nil).Nodes }
	first := nodes()
	for name, forget := range map[string]func() error{
		"NewGame":    func() error { e.NewGame(); return nil },
		"SetNetwork": func() error { return e.SetNetwork(e.Network()) },
	} {
		if n := nodes(); n == first {
			t.Errorf("the table is of no use: %d nodes", n)
		}
		if err := forget(); err != nil {
			t.Fatal(err)
		}
		if n := nodes(); n != first {
			t.Errorf("%d nodes after %s, %d before", n, name, first)
		}
	}
	e.ClearHash()
	if entry, hit := e.run.table.Probe(g.Pos.Key()); hit {
		t.Errorf("an entry after ClearHash: %+v", entry)
	}
}

// TestAnswersOnlyWhenAsked checks that an infinite or pondering search returns
// only after Stop or PonderHit, even without a legal move.
func TestAnswersOnlyWhenAsked(t *testing.T) {
	e := newEngine(t, 2, 1)
	for _, fen := range []string{"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "k7/8/1K6/8/8/8/8/7R w - - 0 1", position.StartFEN} {
		for _, ponder := range []bool{false, true} {
			lim := Limits{Control: NewControl(ponder), Infinite: !ponder, Depth: 1, MoveTime: time.Millisecond}
			done := make(chan Result, 1)
			go func() { done <- e.Search(newGame(t, fen), lim, nil) }()
			time.Sleep(20 * time.Millisecond)
			select {
			case <-done:
				t.Errorf("%s, ponder %v: answered too early", fen, ponder)
				continue
			default:
			}
			if ponder {
				lim.Control.PonderHit()
			} else {
				lim.Control.Stop()
			}
			<-done
		}
	}
}
