package search

import (
	"slices"
	"testing"
	"time"

	"skein/chess"
	"skein/movegen"
)

// TestCurrLines reports the lines of several threads as often as possible. It
// is meant for the race detector.
func TestCurrLines(t *testing.T) {
	const threads = 3
	e := newEngine(t, threads, 4)
	for _, fen := range varied[:4] {
		g := newGame(t, fen)
		seen := [threads]int{}
		c := NewControl(false)
		e.Search(g, Limits{Infinite: true, Control: c, CurrLines: 1}, func(info Info) {
			i, ok := info.(*CurrentLines)
			if !ok {
				return
			}
			for n, line := range i.Lines {
				if len(line) > 0 {
					seen[n]++
					playLine(t, g, line)
				}
			}
			if len(i.Lines) != threads {
				t.Errorf("%s: bad report %+v", fen, *i)
			}
			if slices.Min(seen[:]) > 5 {
				c.Stop()
			}
		})
	}
}

// TestRefutations expects a refutation of every root move but the best after
// each iteration.
func TestRefutations(t *testing.T) {
	e := newEngine(t, 1, 4)
	g := newGame(t, kiwipete)
	rows := map[int]map[chess.Move]int{}
	r := e.Search(g, Limits{Depth: 6, Refutations: 1}, func(info Info) {
		i, ok := info.(*Refutation)
		if !ok {
			return
		}
		if rows[i.Depth] == nil {
			rows[i.Depth] = map[chess.Move]int{}
		}
		rows[i.Depth][i.Move]++
		line := []chess.Move{i.Move, i.Reply}
		if i.Reply == chess.NoMove {
			line = line[:1]
		}
		playLine(t, g, line)
	})
	moves := movegen.Count(&g.Pos)
	for depth := 1; depth <= 6; depth++ {
		if len(rows[depth]) != moves-1 {
			t.Errorf("depth %d: %d of %d moves", depth, len(rows[depth]), moves)
		}
	}
	if _, ok := rows[6][r.Best]; ok {
		t.Errorf("the best move %s is refuted", r.Best)
	}
	for m, n := range rows[6] {
		if n != 2 { // after the iteration and at the end
			t.Errorf("depth 6, %s: %d times", m, n)
		}
	}

	// Not more often than the interval.
	n := 0
	e.Search(g, Limits{Depth: 6, Refutations: time.Hour}, func(i Info) {
		if _, ok := i.(*Refutation); ok {
			n++
		}
	})
	if n != moves-1 {
		t.Errorf("%d reports, want %d", n, moves-1)
	}

	// Only of the moves in SearchMoves.
	two := []chess.Move{findMove(t, &g.Pos, "a2a3"), findMove(t, &g.Pos, "e1a1")}
	e.Search(g, Limits{Depth: 6, Refutations: time.Hour, SearchMoves: two}, func(info Info) {
		if i, ok := info.(*Refutation); ok && !slices.Contains(two, i.Move) {
			t.Errorf("%s was not to be searched", i.Move)
		}
	})
}

// TestEnd ends searches in every way and checks the reason.
func TestEnd(t *testing.T) {
	const (
		ms        = time.Millisecond
		mated     = "8/8/8/8/8/1k6/7r/K7 w - - 0 1" // in one move
		mateInOne = "k7/8/1K6/8/8/8/8/7R w - - 0 1"
		stale     = "7k/8/8/8/8/8/5q2/7K w - - 0 1" // stalemate

		matedLater = "1NR2B2/5p2/5p2/1p1kpp2/1P2rp2/2P1pB2/2P1P1K1/8 b - - 0 1" // in two moves
	)
	clock := [2]time.Duration{200 * ms, 200 * ms}
	stopped := NewControl(false)
	stopped.Stop()
	for _, threads := range []int{1, 2} {
		e := newEngine(t, threads, 4)
		for _, tt := range []struct {
			fen  string
			lim  Limits
			want []End
		}{
			{kiwipete, Limits{Depth: 3}, []End{LastDepth}},
			{kiwipete, Limits{Nodes: 5000}, []End{NodesUsed}},
			{kiwipete, Limits{SoftNodes: 5000}, []End{NodesUsed}},
			{kiwipete, Limits{MoveTime: 20 * ms}, []End{SoftTime, HardTime}},
			{kiwipete, Limits{Clock: true, Time: clock}, []End{SoftTime, HardTime}},
			{kiwipete, Limits{Infinite: true, Control: stopped}, []End{Stopped}},
			{kiwipete, Limits{Depth: 1, Infinite: true, Control: stopped}, []End{Stopped, LastDepth}},
			{mateInOne, Limits{Mate: 1}, []End{MateFound}},
			{mated, Limits{Mate: 1}, []End{MateFound}},
			{matedLater, Limits{Mate: 1, Strength: Strength{Elo: 2300}}, []End{NodesUsed}},
			{stale, Limits{Depth: 3}, []End{NoMoves}},
		} {
			stall := time.Duration(e.run.stalls.longest.Load())
			r := e.Search(newGame(t, tt.fen), tt.lim, nil)
			if !slices.Contains(tt.want, r.End) {
				t.Errorf("%s, %+v: %v", tt.fen, tt.lim, r.End)
			}
			soft, hard := time.Duration(0), time.Duration(0)
			switch {
			case tt.lim.Clock:
				tm := newTimer(&tt.lim, chess.White, 1, stall, 0) // the move number of all these positions
				soft, hard = tm.soft, tm.hard
			case tt.lim.MoveTime > 0:
				soft, hard = tt.lim.MoveTime, tt.lim.MoveTime
			}
			if b := r.Budget; b.Soft != soft || b.Hard != hard || (b.Adapted == 0) != (soft == 0) || b.Adapted > hard {
				t.Errorf("%s, %+v: budget %+v", tt.fen, tt.lim, r.Budget)
			}
		}
	}
}

// TestElapsedWhileWaiting waits for a stop after a search that ended within an iteration: its last line does not
// count that time.
func TestElapsedWhileWaiting(t *testing.T) {
	e := newEngine(t, 1, 1)
	c := NewControl(false)
	go func() {
		for End(e.run.halt.Load()) != NodesUsed {
			time.Sleep(time.Millisecond)
		}
		c.Stop()
	}()
	last := Line{}
	r := e.Search(newGame(t, kiwipete), Limits{Nodes: 5000, Infinite: true, Control: c},
		OnLine(func(l *Line) { last = *l }))
	if r.End != NodesUsed || last.Nodes != r.Nodes || last.Elapsed != r.Elapsed {
		t.Errorf("%v after %v, %d nodes; last line after %v, %d", r.End, r.Elapsed, r.Nodes, last.Elapsed, last.Nodes)
	}
}

func TestMemory(t *testing.T) {
	e := newEngine(t, 1, 1)
	e.NewGame()
	if m := e.Memory(); m != (Memory{}) {
		t.Errorf("before the first search: %+v", m)
	}
	e.Search(newGame(t, kiwipete), Limits{Nodes: 100_000}, nil)
	for _, permille := range [...]int{e.Memory().Table, e.Memory().Quiet, e.Memory().Capture, e.Memory().Continuation} {
		if permille < 1 || permille > 1000 {
			t.Errorf("after it: %+v", e.Memory())
		}
	}
}

// TestNodeTime expects a search whose time passes with nodes to be the same every
// time, and to end by that time.
func TestNodeTime(t *testing.T) {
	e := newEngine(t, 1, 1)
	const left, node = time.Second, 5 * time.Microsecond
	limits := Limits{Clock: true, Time: [2]time.Duration{left, left}, NodeTime: node}
	var first Result
	for i := range 2 {
		e.NewGame()
		r := e.Search(newGame(t, kiwipete), limits, nil)
		if used := time.Duration(r.Nodes) * node; used > r.Budget.Hard+2048*node || used < r.Budget.Soft/4 {
			t.Errorf("%d nodes, budget %+v", r.Nodes, r.Budget)
		}
		if i == 0 {
			first = r
		} else if r.Nodes != first.Nodes || r.Best != first.Best || r.Score != first.Score || r.End != first.End {
			t.Errorf("first %+v, then %+v", first, r)
		}
	}
}

// TestTableAges expects a search not to count what earlier ones left in the table.
func TestTableAges(t *testing.T) {
	e := newEngine(t, 1, 1)
	e.Search(newGame(t, kiwipete), Limits{Nodes: 200_000}, nil)
	before := e.Memory().Table
	e.Search(newGame(t, varied[0]), Limits{Depth: 1}, nil)
	if after := e.Memory().Table; before < 50 || after >= before/2 {
		t.Errorf("%d permille, then %d", before, after)
	}
}

// TestCurrLinesInterval expects the interval before the first report of lines and after each.
func TestCurrLinesInterval(t *testing.T) {
	w := ready(t, kiwipete, Limits{CurrLines: time.Hour})
	r := w.watcher.(*run)
	first := r.requests.due
	r.requests.asked, r.requests.due = true, 0 // the lines are due
	r.polled(w)
	if first != time.Hour || r.requests.due < time.Hour {
		t.Errorf("due after %v, then %v", first, r.requests.due)
	}
}
