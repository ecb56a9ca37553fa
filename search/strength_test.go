package search

import (
	"slices"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
	"skein/syzygy"
)

// TestLevels checks the table of levels and the interpolation: more nodes, no
// larger bonuses and fewer oversights for a higher rating.
func TestLevels(t *testing.T) {
	if first, last := levels[0].Elo, levels[len(levels)-1].Elo; first > MinElo || last != MaxElo {
		t.Errorf("the levels are from %d to %d, not from %d to %d", first, last, MinElo, MaxElo)
	}
	kinds := 0
	for i, row := range Levels() {
		if got := (Strength{Elo: row.Elo}).level(); got != row && row.Elo >= MinElo && row.Elo < MaxElo {
			t.Errorf("Elo %d: %+v, not %+v", row.Elo, got, row)
		}
		if i == 0 {
			continue
		}
		above, below := row, levels[i-1]
		if above.Human != below.Human {
			kinds++
		} else if above.Nodes < below.Nodes || above.Bonus > below.Bonus {
			t.Errorf("%+v after %+v", above, below)
		}
		if above.Elo <= below.Elo || above.Human && !below.Human || above.Oversight > below.Oversight {
			t.Errorf("%+v after %+v", above, below)
		}
	}
	if kinds != 1 {
		t.Errorf("the kind of level changes %d times", kinds)
	}
	for elo := MinElo; elo < MaxElo; elo++ {
		l := Strength{Elo: elo}.level()
		if l.Elo != elo || l.Nodes < 1 || l.Lines < 1 || l.Bonus < 1 {
			t.Errorf("Elo %d: %+v", elo, l)
		}
	}
	if (Strength{Elo: MinElo}).level() != (Strength{Elo: 1}).level() {
		t.Error("Elo 1 is not the lowest level")
	}
	for _, elo := range []int{0, MaxElo, 9999} {
		if l := (Strength{Elo: elo}).level(); l != (Level{}) {
			t.Errorf("Elo %d is not full strength but %+v", elo, l)
		}
	}
}

// TestLevelsMix expects a rating between the two kinds of level to be played at
// both, the nearer more often.
func TestLevelsMix(t *testing.T) {
	i := slices.IndexFunc(levels, func(l Level) bool { return !l.Human })
	below, above := levels[i-1], levels[i]
	elo := (3*below.Elo + above.Elo) / 4
	human := 0
	for seed := range uint64(1000) {
		if (Strength{Elo: elo, Seed: seed}).level().Human {
			human++
		}
	}
	if human < 700 || human > 800 {
		t.Errorf("Elo %d between %d and %d: %d of 1000 searches are human", elo, below.Elo, above.Elo, human)
	}
}

func TestSkillElo(t *testing.T) {
	if SkillElo(0) != MinElo || SkillElo(-3) != MinElo || SkillElo(FullSkill) != 0 || SkillElo(99) != 0 {
		t.Errorf("skill 0: %d, full skill: %d", SkillElo(0), SkillElo(FullSkill))
	}
	for skill := 1; skill < FullSkill; skill++ {
		if a, b := SkillElo(skill-1), SkillElo(skill); a >= b || b >= MaxElo {
			t.Errorf("skill %d plays at %d, the one below at %d", skill, b, a)
		}
	}
}

// TestWeakBudget checks the nodes of limited play with one and more threads,
// with limits above and below the nodes of the level.
func TestWeakBudget(t *testing.T) {
	for _, threads := range []int{1, 3} {
		e := newEngine(t, threads, 4)
		for _, elo := range []int{MinElo, 1700, 2600} {
			for _, fen := range varied {
				g := newGame(t, fen)
				level := Strength{Elo: elo}.level()
				level.adaptTo(&g.Pos)
				budget := uint64(level.Nodes)
				for _, lim := range []Limits{{}, {Nodes: 1 << 40}, {Nodes: budget / 2}, {MultiPV: 3}, {Depth: 2}} {
					lim.Strength = Strength{Elo: elo, Seed: 1}
					r := e.Search(g, lim, nil)
					most := budget
					if lim.Nodes > 0 {
						most = min(most, lim.Nodes)
					}
					if r.Nodes > max(most, minNodes+1) || !movegen.IsLegal(&g.Pos, r.Best) ||
						lim.Depth > 0 && r.Depth > lim.Depth {
						t.Errorf("%d threads, Elo %d, %s, %+v: %+v", threads, elo, fen, lim, r)
					}
				}
			}
		}
		budget := uint64((Strength{Elo: 2600}).level().Nodes)
		for _, want := range []uint64{budget, budget / 2} {
			lim := Limits{Nodes: want, Strength: Strength{Elo: 2600}}
			if r := e.Search(newGame(t, kiwipete), lim, nil); r.Nodes != want {
				t.Errorf("%d threads: %d nodes instead of %d", threads, r.Nodes, want)
			}
		}
	}
}

// TestWeakPonder expects a pondering search to stop at the nodes of its level,
// and to return only after PonderHit.
func TestWeakPonder(t *testing.T) {
	for _, threads := range []int{1, 3} {
		e := newEngine(t, threads, 1)
		lim := Limits{Control: NewControl(true), Strength: Strength{Elo: 2000}}
		done := make(chan Result)
		go func() { done <- e.Search(newGame(t, kiwipete), lim, nil) }()
		for deadline := time.Now().Add(time.Minute); e.run.halt.Load() == 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Error("still searching after a minute")
				break
			}
		}
		select {
		case r := <-done:
			t.Fatalf("returned %s while pondering", r.Best)
		default:
		}
		lim.Control.PonderHit()
		if r := <-done; r.Nodes > max(uint64((Strength{Elo: 2000}).level().Nodes), minNodes+1) {
			t.Errorf("%d threads: %d nodes", threads, r.Nodes)
		}
	}
}

// TestWeakVaries expects limited play to vary only with the seed, and full
// strength not to vary.
func TestWeakVaries(t *testing.T) {
	e := newEngine(t, 1, 1)
	for _, fen := range []string{position.StartFEN, varied[4]} {
		g := newGame(t, fen)
		play := func(elo int, seed uint64) chess.Move {
			e.NewGame()
			return e.Search(g, Limits{Nodes: 3000, Strength: Strength{Elo: elo, Seed: seed}}, nil).Best
		}
		for elo, want := range map[int]int{MinElo: 2, 0: 1} {
			seen := map[chess.Move]bool{}
			for seed := range uint64(40) {
				m := play(elo, seed)
				seen[m] = true
				if seed < 5 && play(elo, seed) != m {
					t.Errorf("%s, Elo %d, seed %d: %s, and then another move", fen, elo, seed, m)
				}
			}
			if len(seen) < want || elo == 0 && len(seen) > 1 {
				t.Errorf("%s, Elo %d: %d different moves, want %d", fen, elo, len(seen), want)
			}
		}
	}
}

// TestChooseLimited chooses among lines with given scores, and expects every line
// closer to the best than the largest bonus to be chosen sometimes, the best
// most often.
func TestChooseLimited(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, position.StartFEN)
	weak := &Level{Lines: 4, Bonus: 50}
	w := e.run.workers[0]
	choose := func(seed uint64, values []chess.Score) (chosen int) {
		w.prepare(g)
		moves := make([]chess.Move, len(values))
		for i, value := range values {
			rm := w.rootMoves[i]
			rm.value, rm.depth, moves[i] = value, 1, rm.move
		}
		chooseLimited(w, weak, seed)
		for i, m := range moves {
			if w.rootMoves[0].move == m {
				chosen = i
			}
		}
		for i := 1; i < len(moves); i++ { // the others keep their order
			want := moves[i]
			if i <= chosen {
				want = moves[i-1]
			}
			if w.rootMoves[i].move != want {
				t.Errorf("seed %d, %v: move %d after the choice of %d is %s, not %s",
					seed, values, i, chosen, w.rootMoves[i].move, want)
			}
		}
		return chosen
	}
	var counts [6]int
	for seed := range uint64(1000) {
		counts[choose(seed, []chess.Score{100, 80, 60, 40, 100, 100})]++
		for _, values := range [][]chess.Score{
			{100, 50, 0, -chess.Infinity},
			{chess.MateIn(3), chess.MateIn(5), chess.MateIn(5), 900},
			{chess.MatedIn(8), chess.MatedIn(6), chess.MatedIn(4), chess.MatedIn(2)},
		} {
			if i := choose(seed, values); i != 0 {
				t.Errorf("seed %d: of %v number %d", seed, values, i)
			}
		}
	}
	if counts[0] < counts[1] || counts[1] < counts[2] || counts[2] == 0 || counts[3]+counts[4]+counts[5] > 0 {
		t.Errorf("moves were chosen %v times", counts)
	}
}

// TestWeakMates expects every level from 2000 on to play a mate in one, that of
// 1600 nearly always, and lower ones the more often the higher they are.
func TestWeakMates(t *testing.T) {
	e := newEngine(t, 1, 1)
	const seeds = 24
	for _, fen := range []string{
		"k7/8/1K6/8/8/8/8/7R w - - 0 1",
		"6k1/5ppp/8/8/8/2Q5/5PPP/3R2K1 w - - 0 1",
		"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
	} {
		g := newGame(t, fen)
		found := func(elo int) (n int) {
			for seed := range uint64(seeds) {
				e.NewGame()
				lim := Limits{Depth: 3, MultiPV: 1 + int(seed)%2, Strength: Strength{Elo: elo, Seed: seed}}
				end := g.Pos.After(e.Search(g, lim, nil).Best)
				if end.InCheck() && movegen.Count(&end) == 0 {
					n++
				}
			}
			return n
		}
		if low, middle := found(MinElo), found(1200); low > middle || middle < seeds*3/4 {
			t.Errorf("%s: mated %d of %d times at %d, %d times at 1200", fen, low, seeds, MinElo, middle)
		}
		for elo, least := range map[int]int{1600: seeds - 1, 2000: seeds, 2400: seeds, 2700: seeds} {
			if n := found(elo); n < least {
				t.Errorf("%s: mated %d of %d times at %d", fen, n, seeds, elo)
			}
		}
	}
}

// TestWeakReports expects the requested number of lines, and the move played as
// the first of the last report.
func TestWeakReports(t *testing.T) {
	e := newEngine(t, 1, 1)
	for _, multiPV := range []int{0, 1, 2, 40} {
		for _, fen := range varied {
			g := newGame(t, fen)
			legal := movegen.Count(&g.Pos)
			first, most := chess.NoMove, 0
			r := e.Search(g, Limits{MultiPV: multiPV, Strength: Strength{Elo: 1800, Seed: 7}}, OnLine(func(i *Line) {
				if most = max(most, i.MultiPV); i.MultiPV == 1 {
					first = i.PV[0]
				}
			}))
			if r.Best != first || most != min(max(multiPV, 1), legal) {
				t.Errorf("%s, %d lines: %d lines, the last with %s, played %s", fen, multiPV, most, first, r.Best)
			}
		}
	}
}

// TestWeakSearchMoves expects limited play to choose only among SearchMoves.
func TestWeakSearchMoves(t *testing.T) {
	e := newEngine(t, 2, 1)
	g := newGame(t, kiwipete)
	allowed := []chess.Move{findMove(t, &g.Pos, "a2a3"), findMove(t, &g.Pos, "e1a1"), findMove(t, &g.Pos, "e2a6")}
	seen := map[chess.Move]bool{}
	for seed := range uint64(20) {
		r := e.Search(g, Limits{SearchMoves: allowed[:2], Strength: Strength{Elo: MinElo, Seed: seed}}, nil)
		seen[r.Best] = true
		if r.Best != allowed[0] && r.Best != allowed[1] {
			t.Errorf("seed %d: %s", seed, r.Best)
		}
	}
}

// TestWeakWithoutTables checks that limited play does not use tablebases.
func TestWeakWithoutTables(t *testing.T) {
	tables := syzygy.Open(corpora.Path("syzygy"), func(err error) { t.Error(err) })
	defer tables.Close()
	e := newEngine(t, 1, 1)
	e.SetTablebase(Tablebase{Tables: tables, ProbeLimit: syzygy.MaxMen, ProbeDepth: 1, FiftyMoves: true})
	g := newGame(t, "8/8/8/3k4/8/8/8/K6R w - - 0 1")
	for elo, want := range map[int]bool{0: true, MaxElo - 1: false} {
		e.NewGame()
		hits := uint64(0)
		report := OnLine(func(i *Line) { hits = max(hits, i.TBHits) })
		e.Search(g, Limits{Depth: 4, Strength: Strength{Elo: elo}}, report)
		if (hits > 0) != want {
			t.Errorf("Elo %d: %d positions found in tables", elo, hits)
		}
	}
}

// TestWeakAllocation is TestNoAllocation for limited play.
func TestWeakAllocation(t *testing.T) {
	e := newEngine(t, 1, 1)
	g := newGame(t, kiwipete)
	if n := testing.AllocsPerRun(10, func() {
		e.Search(g, Limits{Strength: Strength{Elo: 1800, Seed: 3}}, func(Info) {})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestLimitedLines expects limited play to search all lines among which it chooses.
func TestLimitedLines(t *testing.T) {
	w := ready(t, position.StartFEN, Limits{Strength: Strength{Elo: 3000}})
	if n := w.lines(); n < 2 || n != w.shared.level.Lines {
		t.Errorf("%d lines, to choose among %d", n, w.shared.level.Lines)
	}
}
