package search

import (
	"math"
	"math/bits"
	"testing"
	"time"
	"unsafe"

	"skein/chess"
	"skein/internal/invariant"
	"skein/position"
)

// TestAllot checks that time limits are positive, at most the time left, and
// leave enough for the next moves.
func TestAllot(t *testing.T) {
	for _, left := range []time.Duration{
		-time.Second, 0, 1, time.Millisecond, 10 * time.Millisecond, time.Second, time.Minute, time.Hour,
	} {
		for _, inc := range []time.Duration{-time.Second, 0, time.Millisecond, time.Second, time.Minute} {
			for _, movesToGo := range []int{0, 1, 2, 5, 40, 1000} {
				for _, overhead := range []time.Duration{0, 10 * time.Millisecond, 5 * time.Second} {
					soft, hard := allot(left, inc, movesToGo, overhead)
					if soft <= 0 || hard < soft {
						t.Errorf("allot(%v, %v, %d, %v) = %v, %v", left, inc, movesToGo, overhead, soft, hard)
					}
					most := max(left-overhead, left/4, time.Millisecond)
					if hard > most {
						t.Errorf("allot(%v, %v, %d, %v): %v of %v", left, inc, movesToGo, overhead, hard, most)
					}
					if hard > max(most-stallReserve, most/2) {
						t.Errorf("allot(%v, %v, %d, %v): %v leaves no reserve", left, inc, movesToGo, overhead, hard)
					}
					if n := time.Duration(min(movesToGo, 40)); movesToGo > 1 && soft*n > most+max(inc, 0)*n {
						t.Errorf("allot(%v, %v, %d, %v): %v a move will not last", left, inc, movesToGo, overhead, soft)
					}
				}
			}
		}
	}
}

// TestSave checks that less time is given only where the clock would not last for some
// stalls, and always some.
func TestSave(t *testing.T) {
	const limit, left = 20 * time.Millisecond, 100 * time.Millisecond
	for _, tt := range []struct{ left, inc, stall, want time.Duration }{
		{left, 0, 0, limit},
		{left, left, left / stallsKept, limit},
		{left, left, 2 * left / stallsKept, limit / 2},
		{left, 0, left / (stallsKept + stalledMoves) / 2, limit},
		{left, -left, left / stallsKept, limit / 1000 * (1000 * stallsKept / (stallsKept + stalledMoves))},
		{left, 0, time.Hour, 1},
		{-left, 0, time.Second, 1},
		{-left, 0, 0, limit},
	} {
		if got := save(limit, tt.left, tt.inc, tt.stall); got != tt.want {
			t.Errorf("with %v + %v left and stalls of %v: %v, want %v", tt.left, tt.inc, tt.stall, got, tt.want)
		}
	}
}

// TestLateLook expects a thread that looked at the clock before others and tells so later
// to fake no stall.
func TestLateLook(t *testing.T) {
	var s stalls
	s.begin(299 * time.Millisecond)
	for _, ms := range []time.Duration{300, 10, 301} {
		s.note(ms * time.Millisecond)
	}
	if got := time.Duration(s.longest.Load()); got != time.Millisecond {
		t.Errorf("a stall of %v", got)
	}
}

// TestStalls measures a stall, also while pondering, and expects the next searches to be
// shorter until it is forgotten.
func TestStalls(t *testing.T) {
	for _, ponder := range []bool{false, true} {
		e := newEngine(t, 1, 1)
		r := &e.run
		hard := func() time.Duration {
			lim := Limits{Clock: true, MoveOverhead: 10 * time.Millisecond, Control: NewControl(ponder)}
			lim.Time[chess.White], lim.Inc[chess.White] = time.Second, time.Second
			r.begin(newGame(t, position.StartFEN), lim, nil, &e.tablebase)
			return r.timer.hard
		}
		calm := hard()
		r.timer.start = r.timer.start.Add(-maxStall / 2) // as if nothing ran meanwhile
		r.checkTime()
		if got := hard(); got > calm*6/10 {
			t.Errorf("pondering %v: after a stall %v, before %v", ponder, got, calm)
		}
		for range 40 {
			hard()
		}
		if got := hard(); got != calm {
			t.Errorf("pondering %v: long after a stall %v, before %v", ponder, got, calm)
		}
		r.begin(newGame(t, position.StartFEN), Limits{}, nil, &e.tablebase)
		r.timer.start = r.timer.start.Add(-time.Hour)
		r.checkTime()
		r.used()
		if got := hard(); got != calm {
			t.Errorf("after a search without limits %v, before %v", got, calm)
		}
		r.timer.start = r.timer.start.Add(-time.Hour)
		r.checkTime()
		if got := time.Duration(r.stalls.longest.Load()); got != maxStall {
			t.Errorf("a pause of an hour counts as %v", got)
		}
	}
}

// TestAccount expects the time that a move lost outside its search, if the next one is
// the next of the same side.
func TestAccount(t *testing.T) {
	const left, inc, used, lost = 2000, 100, 500, 300 // milliseconds
	clock := func(left time.Duration) Limits {
		lim := Limits{Clock: true}
		lim.Time[chess.White], lim.Inc[chess.White] = left*time.Millisecond, inc*time.Millisecond
		return lim
	}
	first, next := clock(left), clock(left-used-lost+inc)
	nodes := first
	nodes.NodeTime = time.Microsecond
	for _, tt := range []struct {
		name   string
		first  Limits
		ponder bool
		us     chess.Color
		number int
		next   Limits
		want   time.Duration
	}{
		{"lost", first, false, chess.White, 8, next, lost},
		{"gained", first, false, chess.White, 8, clock(left), inc - used},
		{"another move", first, false, chess.White, 9, next, 0},
		{"the same move", first, false, chess.White, 7, next, 0},
		{"another side", first, false, chess.Black, 8, next, 0},
		{"ponder", first, true, chess.White, 8, next, 0},
		{"nodes as time before", nodes, false, chess.White, 8, next, 0},
		{"nodes as time", first, false, chess.White, 8, nodes, 0},
		{"no clock before", Limits{}, false, chess.White, 8, next, 0},
		{"no clock", first, false, chess.White, 8, Limits{}, 0},
	} {
		var a account
		if got := a.begin(&tt.first, chess.White, 7, tt.ponder); got != 0 {
			t.Errorf("%s: %v lost before the first move", tt.name, got)
		}
		a.end(used * time.Millisecond)
		if got := a.begin(&tt.next, tt.us, tt.number, false); got != tt.want*time.Millisecond {
			t.Errorf("%s: %v lost, want %v", tt.name, got, tt.want*time.Millisecond)
		}
		if a.lag != tt.want*time.Millisecond/4 {
			t.Errorf("%s: a mean of %v", tt.name, a.lag)
		}
	}
	for move, want := range map[int]time.Duration{8: lost, 9: 0} {
		var a account
		a.begin(&first, chess.White, 7, false)
		a.end(used * time.Millisecond)
		if got := a.begin(&first, chess.White, 8, true); got != 0 {
			t.Errorf("%v lost before pondering", got)
		}
		a.end(time.Hour)
		if got := a.begin(&next, chess.White, move, false); got != want*time.Millisecond {
			t.Errorf("move %d: %v lost after pondering on move 8, want %v", move, got, want*time.Millisecond)
		}
	}
}

// TestLostTime expects a shorter search after a move that lost time, in the same game.
func TestLostTime(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{Clock: true, Depth: 1}
	hard := func() time.Duration {
		lim.Time[chess.White] = 2 * time.Second
		e.run.begin(newGame(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 2"), lim, nil, &e.tablebase)
		return e.run.timer.hard
	}
	calm := hard()
	search := func() {
		lim.Time[chess.White] = 3 * time.Second
		e.Search(newGame(t, "4k3/8/8/8/8/8/8/4K2R w - - 0 1"), lim, nil)
	}
	search()
	if got := hard(); got > calm*6/10 {
		t.Errorf("after a lost second %v, before %v", got, calm)
	}
	search()
	e.NewGame()
	if n := e.run.account.number; n != 0 {
		t.Errorf("a new game follows move %d of the last", n)
	}
}

// TestLag expects an increment that is lost on the way not to be counted on.
func TestLag(t *testing.T) {
	lim := Limits{Clock: true}
	lim.Time[chess.White], lim.Inc[chess.White] = time.Minute, time.Second
	lagging := newTimer(&lim, chess.White, 1, 0, time.Second)
	slower := newTimer(&lim, chess.White, 1, 0, time.Minute)
	lim.Inc[chess.White] = 0
	if want := newTimer(&lim, chess.White, 1, 0, 0); lagging.soft != want.soft || slower.soft != want.soft {
		t.Errorf("%v and %v, without an increment %v", lagging.soft, slower.soft, want.soft)
	}
}

func TestTimerDefaults(t *testing.T) {
	tm := newTimer(&Limits{}, chess.White, 1, 0, 0)
	if tm.soft != forever || tm.hard != forever {
		t.Errorf("no limits: %+v", tm)
	}
	tm = newTimer(&Limits{MoveTime: time.Second, MoveOverhead: 10 * time.Millisecond}, chess.White, 1, 0, 0)
	if tm.hard != 990*time.Millisecond {
		t.Errorf("movetime: %v", tm.hard)
	}
	tm = newTimer(&Limits{MoveTime: -time.Second}, chess.White, 1, 0, 0)
	if tm.hard <= 0 || tm.hard > time.Millisecond {
		t.Errorf("movetime that has run out: %v", tm.hard)
	}
}

func TestScores(t *testing.T) {
	for _, score := range []chess.Score{0, 500, -500, chess.MateIn(7), chess.MatedIn(8)} {
		for _, ply := range []int{0, 3, chess.MaxPly} {
			if got := fromTable(toTable(score, ply), ply, 0); got != score {
				t.Errorf("score %d at ply %d comes back as %d", score, ply, got)
			}
		}
	}
	if toTable(chess.MateIn(9), 4) != int16(chess.MateIn(5)) {
		t.Error("a mate 5 plies from here is stored as another")
	}
	for _, test := range []struct {
		stored    chess.Score
		halfmoves int
		want      chess.Score // at ply 2
	}{
		{chess.MateIn(5), 95, chess.MateIn(7)},
		{chess.MateIn(5), 96, chess.MaxEval},
		{chess.MatedIn(6), 94, chess.MatedIn(8)},
		{chess.MatedIn(6), 95, -chess.MaxEval},
		{chess.TableWin - 20, 80, chess.TableWin - 22},
		{chess.TableWin - 20, 81, chess.MaxEval},
		{20 - chess.TableWin, 81, -chess.MaxEval},
		{500, 99, 500},
	} {
		if got := fromTable(int16(test.stored), 2, test.halfmoves); got != test.want {
			t.Errorf("%d from the table at clock %d is %d, not %d", test.stored, test.halfmoves, got, test.want)
		}
	}
	lastWin := 0
	for s := chess.Score(-30000); s <= 30000; s += 10 {
		w, d, l := WDL(s)
		if w+d+l != 1000 || w < lastWin || w < 0 || d < 0 || l < 0 {
			t.Fatalf("WDL of %d: %d %d %d", s, w, d, l)
		}
		if mw, md, ml := WDL(-s); mw != l || md != d || ml != w {
			t.Fatalf("WDL of %d: %d %d %d, of %d: %d %d %d", s, w, d, l, -s, mw, md, ml)
		}
		lastWin = w
	}
	if w, d, _ := WDL(chess.UnitsPerPawn); w != 500 || d < 400 {
		t.Errorf("with a pawn more %d of 1000 games are won and %d drawn", w, d)
	}
}

// TestUnscaled checks that Unscaled inverts the scaling of evaluations up to
// rounding.
func TestUnscaled(t *testing.T) {
	for fen, tolerance := range map[string]chess.Score{
		position.StartFEN:                   4,
		"8/5k2/8/8/4P3/8/4K3/8 w - - 60 90": 4,
		"r1bqkb1r/ppp2ppp/2n2n2/3pp3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99 60": 4,
		"8/2b2k2/8/3p4/4P3/4KB2/5P2/8 w - - 10 60":                         12,
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		for value := chess.Score(-4000); value <= 4000; value += 37 {
			score := Scaled(value, &p)
			if got := Unscaled(score, &p); abs(got-value) > tolerance {
				t.Errorf("%s: %d is scaled to %d and back to %d", fen, value, score, got)
			}
		}
		for _, score := range []chess.Score{
			chess.TableWin - 5, -chess.TableWin, chess.MateScore - 7, 5 - chess.MateScore,
		} {
			if got := Unscaled(score, &p); got != score {
				t.Errorf("a certain result of %d became %d", score, got)
			}
		}
	}
}

// TestEndgameScale checks which endgames count as those of opposite bishops, and how
// much of their evaluation is left.
func TestEndgameScale(t *testing.T) {
	for fen, want := range map[string]int{
		"8/2b2k2/8/3p4/8/4KB2/5P2/8 w - - 0 60":    oppositeBishopsBase,
		"8/2b2k2/8/3p4/4P3/4KB2/5P2/8 b - - 0 60":  oppositeBishopsBase + oppositeBishopsPawn,
		"8/2b2k2/8/ppp5/8/4KB2/8/8 w - - 0 60":     oppositeBishopsBase + 3*oppositeBishopsPawn,
		"8/1b3k2/8/3p4/4P3/4KB2/5P2/8 w - - 0 60":  1024, // the same color
		"8/2b2k2/8/3p4/4P3/4KB2/5P2/7R w - - 0 60": 1024,
		"8/2b2k2/8/3p4/4P3/4KBB1/5P2/8 w - - 0 60": 1024,
		"8/2b2k2/n7/3p4/4P3/4KB2/5P2/8 w - - 0 60": 1024,
		"8/5k2/8/3p4/4P3/4KBB1/5P2/8 w - - 0 60":   1024, // both of one side
		"8/2b2k2/8/3p4/4P3/4K3/5P2/8 w - - 0 60":   1024,
		"8/2b2kq1/8/3p4/4P3/4KB2/5P2/8 w - - 0 60": 1024,
		"8/2b1bk2/8/3p4/4P3/4KB2/5P2/8 w - - 0 60": 1024,
	} {
		p, err := position.Parse(fen, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := int(endgameScale(&p)); got != want {
			t.Errorf("%s: %d/1024 of the evaluation, want %d", fen, got, want)
		}
	}
}

// TestLog2 compares the integer logarithm with that of package math.
func TestLog2(t *testing.T) {
	for x := 1; x < 1000; x++ {
		if want := math.Log2(float64(x)) * 1024; math.Abs(float64(log2(x))-want) > 1.01 {
			t.Errorf("log2(%d) = %d, want %.1f", x, log2(x), want)
		}
	}
}

// TestReductions checks that reductions do not decrease with depth or move
// number, are never negative for quiet moves, and do reduce.
func TestReductions(t *testing.T) {
	for _, quiet := range []bool{true, false} {
		for depth := 1; depth < 100; depth++ {
			for move := 1; move < 100; move++ {
				r := lmrReduction(depth, move, quiet)
				if quiet && r < 0 || r > lmrReduction(depth+1, move, quiet) || r > lmrReduction(depth, move+1, quiet) {
					t.Fatalf("reduction %d at depth %d, move %d, quiet: %t", r, depth, move, quiet)
				}
			}
		}
		if r := lmrReduction(40, 40, quiet); r < 1024 {
			t.Errorf("reduction %d at depth 40, move 40, quiet: %t", r, quiet)
		}
	}
}

// TestGravity checks that history values stay within their bounds.
func TestGravity(t *testing.T) {
	var h int16
	for range 1000 {
		gravity(&h, historyBonus(100))
	}
	if h < historyMax*9/10 || h > historyMax {
		t.Errorf("after a thousand rewards: %d", h)
	}
	for range 1000 {
		gravity(&h, -historyBonus(100))
	}
	if h > -historyMax*9/10 || h < -historyMax {
		t.Errorf("after a thousand punishments: %d", h)
	}
}

// TestPatience expects more time if the score falls within a search or since
// the last one, if the best move is new, or if it took few of the nodes.
func TestPatience(t *testing.T) {
	move := chess.NewMove(12, 28)
	after := func(trend trend, m chess.Move, share int, scores ...chess.Score) (patience int) {
		for _, s := range scores {
			patience = trend.patience(m, s, share)
		}
		return patience
	}
	calm := after(trend{}, move, 500, 20, 20, 20)
	if got := after(trend{}, move, 500, 20, 20, -10); got <= calm {
		t.Errorf("a falling score has %d permille, a constant one %d", got, calm)
	}
	last := trend{best: move, last: 60}
	next := last.next(chess.White)
	if got := after(next, move, 500, 20, 20, 20); got <= calm {
		t.Errorf("a score below that of the last search has %d permille, a first one %d", got, calm)
	}
	if got := next.next(chess.White); got != next {
		t.Errorf("after a search without an iteration: %+v, want %+v", got, next)
	}
	if got := last.next(chess.Black); got != (trend{us: chess.Black}) {
		t.Errorf("after a search for the other side: %+v", got)
	}
	if got := after(trend{best: chess.NewMove(11, 27)}, move, 500, 0); got <= calm {
		t.Errorf("a new move has %d permille, an old one %d", got, calm)
	}
	if got := after(trend{}, move, 100, 20, 20, 20); got <= calm {
		t.Errorf("a move with few nodes has %d permille, one with half of them %d", got, calm)
	}
}

// TestDue expects a search one of whose limits passed while it pondered to end soon
// after the ponder hit, within an iteration, and not before.
func TestDue(t *testing.T) {
	for _, tt := range []struct {
		nodes uint64 // searched, of a millisecond each
		soft  uint64 // limit of nodes
		want  End
	}{{10, 0, 0}, {2000, 0, SoftTime}, {10, 11, 0}, {10, 10, NodesUsed}} {
		e := newEngine(t, 1, 1)
		control := NewControl(true)
		lim := Limits{Clock: true, Control: control, NodeTime: time.Millisecond, SoftNodes: tt.soft}
		lim.Time[chess.White] = 10 * time.Second
		e.run.begin(newGame(t, position.StartFEN), lim, nil, &e.tablebase)
		w := e.run.workers[0]
		w.nodes = tt.nodes
		w.publish()
		if e.run.finished(w) {
			t.Errorf("%d nodes: finished while pondering", tt.nodes)
		}
		e.run.checkTime()
		if got := End(e.run.halt.Load()); got != 0 {
			t.Errorf("%d nodes: ended while pondering, %v", tt.nodes, got)
		}
		control.PonderHit()
		e.run.checkTime()
		if got := End(e.run.halt.Load()); got != tt.want {
			t.Errorf("%d nodes: after the ponder hit %v, want %v", tt.nodes, got, tt.want)
		}
	}
}

// TestForcedMove expects a search for a forced move to record its score for the next
// search.
func TestForcedMove(t *testing.T) {
	e := newEngine(t, 1, 1)
	lim := Limits{Clock: true, NodeTime: time.Microsecond}
	lim.Time[chess.White] = time.Second
	e.Search(newGame(t, "7k/8/8/8/8/8/1r6/K6r w - - 0 1"), lim, nil)
	if next := e.run.trend.next(chess.White); !next.known || next.before >= 0 {
		t.Errorf("known %v, %d", next.known, next.before)
	}
}

// TestExcludedRootMoves expects searches of some root moves alone to leave the
// corrections as they are, as their scores are not those of the position.
func TestExcludedRootMoves(t *testing.T) {
	g := newGame(t, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
	for _, tt := range []struct {
		lim  Limits
		want bool
	}{
		{Limits{Depth: 6}, true},
		// One ply, after which quiescence searches, which correct nothing.
		{Limits{Depth: 1, SearchMoves: []chess.Move{findMove(t, &g.Pos, "d1h5")}}, false},
	} {
		e := newEngine(t, 1, 1)
		e.Search(g, tt.lim, nil)
		if got := e.run.workers[0].corrections != (corrections{}); got != tt.want {
			t.Errorf("depth %d: corrected %v, want %v", tt.lim.Depth, got, tt.want)
		}
	}
}

// TestFrameSize expects frames to fill an odd number of cache lines, so that
// consecutive frames are not mapped to the same cache sets, where words have 64 bits.
func TestFrameSize(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("frames are laid out for 64 bits")
	}
	if size := unsafe.Sizeof(frame{}); !invariant.Enabled && size%128 != 64 {
		t.Errorf("a frame takes %d bytes", size)
	}
}

// TestHistoriesAligned expects rows of histories to begin at cache lines, as
// prefetchQuiets loads no more lines than a row fills.
func TestHistoriesAligned(t *testing.T) {
	if bits.UintSize < 64 || invariant.Enabled {
		t.Skip("workers are laid out for 64 bits, without checks")
	}
	var w worker
	for _, offset := range []uintptr{unsafe.Offsetof(w.continuation), unsafe.Offsetof(w.pawn)} {
		if offset%64 != 0 {
			t.Errorf("histories at %d, which is not a multiple of 64", offset)
		}
	}
}

// TestDueForgotten expects what was due in a search that pondered not to end the next one.
func TestDueForgotten(t *testing.T) {
	e := newEngine(t, 1, 1)
	e.run.due.Store(uint32(SoftTime))
	if r := e.Search(newGame(t, kiwipete), Limits{Depth: 6}, nil); r.End != LastDepth || r.Depth != 6 {
		t.Errorf("%v at depth %d", r.End, r.Depth)
	}
}

// TestRootNodes expects the nodes of the root moves to add up to those of the search.
func TestRootNodes(t *testing.T) {
	e := newEngine(t, 1, 1)
	r, sum := e.Search(newGame(t, kiwipete), Limits{Depth: 8}, nil), uint64(0)
	for _, rm := range e.run.workers[0].rootMoves {
		sum += rm.nodes
	}
	if sum != r.Nodes {
		t.Errorf("%d of %d nodes", sum, r.Nodes)
	}
}

// TestHistoriesKept expects a search to begin with the histories of the one before, except
// those by ply from the root.
func TestHistoriesKept(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	e.Search(g, Limits{Nodes: 100_000}, nil)
	w, none := e.run.workers[0], new(histories).lowPly
	before, learned := e.Memory(), w.lowPly != none
	e.run.begin(g, Limits{}, nil, &e.tablebase)
	if after := e.Memory(); before.Quiet == 0 || after != before {
		t.Errorf("%+v, then %+v", before, after)
	}
	if !learned || w.lowPly != none {
		t.Error("histories by ply were not learned, or are kept")
	}
}

// TestNodesPerSecond expects no division by a time of 0.
func TestNodesPerSecond(t *testing.T) {
	for elapsed, want := range map[time.Duration]uint64{0: 0, 2 * time.Second: 250} {
		if got := NodesPerSecond(500, elapsed); got != want {
			t.Errorf("500 in %v are %d a second, want %d", elapsed, got, want)
		}
	}
}
