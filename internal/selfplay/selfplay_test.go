package selfplay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/internal/record"
	"skein/nets"
	"skein/nnue"
	"skein/position"
	"skein/rules"
	"skein/search"
)

func network(t testing.TB) *nnue.Network {
	t.Helper()
	net, err := nnue.Read(bytes.NewReader(nets.Default))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// quick returns settings for many short games.
func quick() Config {
	c := DefaultConfig()
	c.Hash, c.SoftNodes, c.HardNodes = 1, 100, 400
	c.Openings.VerifyNodes = 500
	return c
}

// play returns games first to first+n-1 and their tally.
func play(t *testing.T, c Config, first uint64, n, workers int) ([]record.Game, Tally) {
	t.Helper()
	var games []record.Game
	var sum Tally
	err := Run(t.Context(), network(t), &c, first, workers, func(g *record.Game, tally Tally) (bool, error) {
		games = append(games, *g)
		sum.Add(tally)
		return len(games) < n, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return games, sum
}

// TestDeterministic plays the same games with one worker, with three, and in
// two runs.
func TestDeterministic(t *testing.T) {
	c := quick()
	c.Openings.DFRC = 0.3
	n := 8
	if testing.Short() {
		n = 4
	}
	games, tally := play(t, c, 0, n, 1)
	for name, again := range map[string]func() []record.Game{
		"one worker":    func() []record.Game { g, _ := play(t, c, 0, n, 1); return g },
		"three workers": func() []record.Game { g, _ := play(t, c, 0, n, 3); return g },
		"continued": func() []record.Game {
			g, _ := play(t, c, uint64(n/2), n/2, 1)
			return append(games[:n/2:n/2], g...)
		},
	} {
		if got := again(); !reflect.DeepEqual(got, games) {
			t.Errorf("%s: different games", name)
		}
	}
	c.Seed++
	if other, _ := play(t, c, 0, 1, 1); reflect.DeepEqual(other[0], games[0]) {
		t.Error("the same game with another seed")
	}
	if games[0].Start == games[1].Start {
		t.Error("two games with the same start position")
	}
	positions := 0
	for _, g := range games {
		positions += len(g.Plies)
	}
	if tally.Positions != int64(positions) || tally.Nodes < uint64(positions) || tally.VerifyNodes == 0 {
		t.Errorf("%d positions, tally %+v", positions, tally)
	}
}

// TestClock plays games on a clock of nodes: they are the same every time, and each
// side keeps within its time up to what the search's granularity may add, and uses the
// increments.
func TestClock(t *testing.T) {
	c := quick()
	c.SoftNodes, c.HardNodes = 0, 0
	clock, err := ParseClock("100ms+10ms", time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	c.Clock = clock
	games, tally := play(t, c, 0, 2, 1)
	if again, _ := play(t, c, 0, 2, 2); !reflect.DeepEqual(again, games) {
		t.Error("different games on the same clock")
	}
	plies := 0
	for _, g := range games {
		plies += len(g.Plies)
	}
	const granularity = 2048 // nodes per move
	most := 2*2*clock.Time + time.Duration(plies)*(clock.Inc+granularity*clock.NodeTime)
	if used := time.Duration(tally.Nodes) * clock.NodeTime; used > most || used < time.Duration(plies)*clock.Inc/2 {
		t.Errorf("%v used in %d plies of two games", used, plies)
	}
	for _, text := range []string{"", "2", "2s+", "-1s+1ms", "0s", "1s+-1s", "1s+1ms+1ms"} {
		if c, err := ParseClock(text, time.Microsecond); err == nil {
			t.Errorf("%q was read as %+v", text, c)
		}
	}
	if _, err := ParseClock("1s", 0); err == nil {
		t.Error("nodes that take no time were accepted")
	}
}

// TestForgets expects the same games from engines that played others before and
// from new engines.
func TestForgets(t *testing.T) {
	net, c := network(t), DefaultConfig()
	c.Hash, c.SoftNodes, c.HardNodes, c.Openings.VerifyNodes = 1, 100, 1000, 0
	player := func() *Player {
		p, err := NewPlayer(net, &c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	old := player()
	for n := range uint64(10) {
		got, _, err := old.play(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := player().play(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("game %d differs after other games", n)
		}
	}
}

// TestHistories checks that the engines of a player are independent: a game's
// moves are those of two engines that each search only the positions of their
// own side.
func TestHistories(t *testing.T) {
	c := quick()
	c.Openings.VerifyNodes = 0
	games, _ := play(t, c, 0, 1, 1)
	var engines [2]*search.Engine
	for i := range engines {
		e, err := search.New(network(t), search.Options{Threads: 1, Hash: c.Hash})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		engines[i] = e
	}
	g := position.NewGame(games[0].Start)
	for i, ply := range games[0].Plies {
		r := engines[g.Pos.SideToMove()].Search(g, search.Limits{SoftNodes: c.SoftNodes, Nodes: c.HardNodes}, nil)
		score := recorded(r.Score, &g.Pos)
		if r.Best != ply.Move || score != ply.Score {
			t.Fatalf("ply %d: %v %d instead of %v %d", i, r.Best, score, ply.Move, ply.Score)
		}
		g.Play(ply.Move)
	}
}

// TestGames plays games without adjudication until the rules end them.
func TestGames(t *testing.T) {
	c := quick()
	c.Adjudication = Adjudication{}
	c.MaxPlies = 120
	c.Openings.FRC = 0.5
	games, _ := play(t, c, 0, 20, 2)
	ends := map[record.End]int{}
	for i := range games {
		g := &games[i]
		ends[g.End]++
		if err := g.Replay(nil); err != nil {
			t.Errorf("game %d: %v", i, err)
		}
		at := position.NewGame(g.Start)
		for j, ply := range g.Plies {
			if outcome := rules.EndedOrClaimable(at); outcome.Over() {
				t.Errorf("game %d continues at ply %d after %v", i, j, outcome.Reason)
			}
			at.Play(ply.Move)
		}
		if len(g.Plies) > c.MaxPlies || g.End == record.Length && len(g.Plies) < c.MaxPlies {
			t.Errorf("game %d: %v after %d plies", i, g.End, len(g.Plies))
		}
	}
	if ends[record.Checkmate] == 0 || len(ends) < 2 ||
		ends[record.ScoreWin]+ends[record.ScoreDraw]+ends[record.Unknown] > 0 {
		t.Error("ends:", ends)
	}

	c = quick()
	c.MaxPlies = 0 // no limit
	c.Adjudication.WinPlies = 2
	c.Adjudication.WinScore = 300
	c.Adjudication.Tablebase = func(p *position.Position) (rules.Result, bool) {
		return rules.BlackWins, p.Fullmoves() == 20
	}
	games, _ = play(t, c, 0, 30, 2)
	ends = map[record.End]int{}
	for i := range games {
		g := &games[i]
		ends[g.End]++
		n := len(g.Plies)
		switch g.End {
		case record.TablebaseEnd:
			if g.Result != rules.BlackWins {
				t.Errorf("game %d: %v", i, g.Result)
			}
		case record.ScoreWin:
			scores := searchScores(g)
			a, b := scores[n-1], scores[n-2]
			if min(a, b) < 295 && max(a, b) > -295 || (a > 0) != (g.Result == rules.WhiteWins) { // they are rounded
				t.Errorf("game %d: %v won at %d and %d", i, g.Result, b, a)
			}
		}
	}
	if ends[record.TablebaseEnd] == 0 || ends[record.ScoreWin] == 0 {
		t.Error("ends:", ends)
	}
}

// searchScores returns the scores of a game as the search saw them, up to rounding, from
// White's view.
func searchScores(g *record.Game) []chess.Score {
	var scores []chess.Score
	p := g.Start
	for _, ply := range g.Plies {
		score := ply.Score
		if !score.IsDecisive() {
			score = search.Scaled(score, &p)
		}
		scores = append(scores, score)
		p = p.After(ply.Move)
	}
	return scores
}

// TestAdjudicatesSearchScores plays an endgame of bishops of opposite colors, of which the
// network expects a win and the search knows better.
func TestAdjudicatesSearchScores(t *testing.T) {
	c := quick()
	c.Openings = Openings{Book: []position.Position{parse(t, "4k3/2pb1ppp/8/8/8/4B3/PPP2PPP/4K3 w - - 0 1")}}
	c.MaxPlies = 40
	c.Adjudication = Adjudication{WinScore: 500, WinPlies: 1}
	games, _ := play(t, c, 0, 1, 1)
	g := &games[0]
	highest := chess.Score(0)
	for i, score := range searchScores(g) {
		highest = max(highest, g.Plies[i].Score)
		if score < 495 == (i == len(g.Plies)-1 && g.End == record.ScoreWin) {
			t.Errorf("ply %d of %d, %v: score %d, recorded %d", i+1, len(g.Plies), g.End, score, g.Plies[i].Score)
		}
	}
	if highest < 500 {
		t.Errorf("no recorded score is above %d", highest)
	}
}

// TestRecorded expects scores of games from the view of White, without the scaling of the
// search, which would apply it again to what a network learned from them.
func TestRecorded(t *testing.T) {
	p := parse(t, "4k3/r6p/8/8/8/8/R6P/4K3 b - - 60 80")
	if got, want := recorded(300, &p), -search.Unscaled(300, &p); got != want || want == -300 {
		t.Errorf("%d instead of %d", got, want)
	}
}

func TestAdjudicator(t *testing.T) {
	a := Adjudication{WinScore: 1000, WinPlies: 3, DrawScore: 10, DrawPlies: 2, DrawMove: 5}
	for _, test := range []struct {
		rule      Adjudication
		firstMove int
		scores    []chess.Score
		end       record.End
		result    rules.Result
	}{
		{a, 1, []chess.Score{1000, 2000, 31990}, record.ScoreWin, rules.WhiteWins},
		{a, 1, []chess.Score{-1000, -2000, -1000}, record.ScoreWin, rules.BlackWins},
		{a, 1, []chess.Score{1000, -1000, 1000, -1000}, record.Unknown, rules.NoResult},
		{a, 1, []chess.Score{1000, 1000, 999, 1000, 1000}, record.Unknown, rules.NoResult},
		{a, 1, []chess.Score{0, 0, 0, 0, 0}, record.Unknown, rules.NoResult}, // the fifth score is at move 5
		{a, 1, []chess.Score{0, 0, 0, 0, 0, 0}, record.ScoreDraw, rules.Draw},
		{a, 5, []chess.Score{10, -10}, record.ScoreDraw, rules.Draw},
		{a, 5, []chess.Score{10, 11, 0}, record.Unknown, rules.NoResult},
		{a, 5, []chess.Score{-500, -500, -11, 0}, record.Unknown, rules.NoResult},
		{Adjudication{}, 5, []chess.Score{0, 0, 5000, 5000, 5000, -5000}, record.Unknown, rules.NoResult},
	} {
		judge := adjudicator{Adjudication: &test.rule}
		for i, score := range test.scores {
			result, end, over := judge.see(score, test.firstMove+i)
			want := record.Unknown
			if i == len(test.scores)-1 {
				want = test.end
			}
			if end != want || over != (want != record.Unknown) || over && result != test.result {
				t.Errorf("%v, score %d: %v by %v", test.scores, i, result, end)
			}
		}
	}
}

func parse(t *testing.T, fen string) position.Position {
	t.Helper()
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCollectFinishes collects games after the context is done: those being played
// are waited for, and the next two are not begun.
func TestCollectFinishes(t *testing.T) {
	numbers, results := make(chan uint64, 4), make(chan finished, 4)
	numbers <- 9
	numbers <- 10
	for _, n := range []uint64{8, 7} {
		results <- finished{number: n, tally: Tally{Nodes: n}}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var emitted []uint64
	err := collect(ctx, 7, numbers, results, func(_ *record.Game, tally Tally) (bool, error) {
		emitted = append(emitted, tally.Nodes)
		return true, nil
	})
	if err != nil || !slices.Equal(emitted, []uint64{7, 8}) {
		t.Errorf("games %d, error %v", emitted, err)
	}
}

// TestRunStops ends runs by emit and by the context.
func TestRunStops(t *testing.T) {
	c := quick()
	net := network(t)
	failure := errors.New("disk full")
	err := Run(t.Context(), net, &c, 0, 2, func(*record.Game, Tally) (bool, error) { return true, failure })
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	err = Run(ctx, net, &c, 0, 2, func(*record.Game, Tally) (bool, error) {
		if n++; n == 3 {
			cancel()
		}
		return true, nil
	})
	if err != nil || n < 3 {
		t.Error(n, err)
	}
	c.Openings.MaxScore, c.Openings.VerifyNodes = 1, 10
	c.Openings.Book = []position.Position{parse(t, "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 80")}
	err = Run(t.Context(), net, &c, 0, 1, func(*record.Game, Tally) (bool, error) { return true, nil })
	if err == nil || !strings.Contains(err.Error(), "balance") {
		t.Error("a book without balanced positions:", err)
	}
	c.Hash = 0
	if err := Run(t.Context(), net, &c, 0, 1, nil); err == nil {
		t.Error("a hash of 0 was accepted")
	}
}

func TestValidate(t *testing.T) {
	good := DefaultConfig()
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, test := range []struct {
		want  string
		spoil func(*Config)
	}{
		{"a hash of 0 MiB", func(c *Config) { c.Hash = 0 }},
		{"neither nodes nor the clock", func(c *Config) { c.SoftNodes, c.HardNodes = 0, 0 }},
		{"cannot end at", func(c *Config) { c.SoftNodes = c.HardNodes + 1 }},
		{"-1 random plies are", func(c *Config) { c.Openings.RandomPlies = -1 }},
		{"-1 random plies after the book", func(c *Config) { c.Openings.BookPlies = -1 }},
		{"101 random plies are", func(c *Config) { c.Openings.RandomPlies = 101 }},
		{"101 random plies after the book", func(c *Config) { c.Openings.BookPlies = 101 }},
		{"shares -0.1", func(c *Config) { c.Openings.FRC = -0.1 }},
		{"shares 0.6", func(c *Config) { c.Openings.FRC, c.Openings.DFRC = 0.6, 0.6 }},
		{"maximum score -1", func(c *Config) { c.Openings.MaxScore = -1 }},
		{"score 0 for adjudicating", func(c *Config) { c.Adjudication.WinScore = 0 }},
		{"adjudication setting", func(c *Config) { c.MaxPlies = -1 }},
		{"the clock", func(c *Config) { c.Clock.Time = time.Second }},
		{"the clock", func(c *Config) { c.Clock = Clock{-time.Second, 0, time.Microsecond} }},
		{"too coarse", func(c *Config) { c.Clock = Clock{time.Second, 10 * time.Millisecond, 2 * time.Microsecond} }},
		{"too coarse", func(c *Config) { c.Clock = Clock{time.Second, 0, time.Microsecond} }},
		{"too coarse", func(c *Config) { c.Clock = Clock{time.Millisecond, time.Second, time.Microsecond} }},
	} {
		c := DefaultConfig()
		test.spoil(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want an error with %q", err, test.want)
		}
	}
}

// TestDraw draws start positions and counts their kinds.
func TestDraw(t *testing.T) {
	start := parse(t, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1")
	o := Openings{RandomPlies: 8, FRC: 0.2, DFRC: 0.3, Book: []position.Position{start}}
	r := rand.New(rand.NewPCG(1, 1))
	book, same, nine := 0, 0, 0
	const n = 2000
	for range n {
		p, fromBook := o.initial(r, -1)
		rank := func(s string, i int) string { return strings.Split(strings.Fields(s)[0], "/")[i] }
		fen := p.FEN()
		switch {
		case fromBook:
			book++
			if p != o.Book[0] {
				t.Fatal(fen)
			}
		case strings.EqualFold(rank(fen, 0), rank(fen, 7)):
			same++
		}
	}
	if book < 900 || book > 1100 || same < 320 || same > 480 {
		t.Errorf("%d from the book, %d of Chess960 of %d", book, same, n)
	}
	o = Openings{RandomPlies: 8}
	drawn := 0
	for range n {
		if p, ok := o.draw(r, -1); ok {
			drawn++
			if p.Fullmoves() != 5 {
				t.Fatal("not 8 or 9 plies:", p.FEN())
			}
			nine += int(p.SideToMove())
		}
	}
	if nine < drawn*45/100 || nine > drawn*55/100 || drawn < n*9/10 {
		t.Errorf("%d of %d starts after nine plies", nine, drawn)
	}
}

// TestBookPlies draws start positions some random moves after the book.
func TestBookPlies(t *testing.T) {
	start := parse(t, "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 10")
	o := Openings{RandomPlies: 8, BookPlies: 3, Book: []position.Position{start}}
	r := rand.New(rand.NewPCG(1, 1))
	black := 0
	for range 200 {
		if p, ok := o.draw(r, -1); ok {
			if p.Fullmoves() < 11 || p.Fullmoves() > 12 || (p.Fullmoves() == 12) != (p.SideToMove() == chess.White) {
				t.Fatal("not 3 or 4 plies:", p.FEN())
			}
			black += int(p.SideToMove())
		}
	}
	if black < 70 || black > 130 {
		t.Errorf("%d of 200 starts after three plies", black)
	}
	o.Book[0] = parse(t, "7k/8/8/8/8/8/q7/K7 w - - 0 10") // its only move leaves two kings
	if p, ok := o.draw(r, -1); ok {
		t.Error("the game is over at the start:", p.FEN())
	}
}

// TestBookPlaces draws every position of a book once, and random moves after others
// in place of those that are not balanced.
func TestBookPlaces(t *testing.T) {
	c := quick()
	c.Openings = Openings{Book: make([]position.Position, 30), VerifyNodes: 100, MaxScore: 500}
	inBook := map[string]bool{}
	for i := range c.Openings.Book {
		white := "4P3"
		if i%3 == 0 {
			white = "QQ2P3"
		}
		c.Openings.Book[i] = parse(t, fmt.Sprintf("4k3/4p3/8/8/8/8/%s/4K3 w - - 0 %d", white, i+1))
		inBook[c.Openings.Book[i].FEN()] = true
	}
	player, err := NewPlayer(network(t), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	drawn, ofBook := map[string]bool{}, 0
	for number := range uint64(30) {
		p, _, err := player.Start(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		if drawn[p.FEN()] = true; inBook[p.FEN()] {
			ofBook++
		}
	}
	if len(drawn) < 28 || ofBook != 20 { // a few random moves may be the same
		t.Errorf("%d different positions of 30, %d instead of 20 of the book", len(drawn), ofBook)
	}
}

// TestBalance checks that start positions are balanced within MaxScore.
func TestBalance(t *testing.T) {
	c := quick()
	c.Openings.MaxScore = 50
	player, err := NewPlayer(network(t), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	var tally Tally
	for number := range uint64(20) {
		p, t1, err := player.Start(t.Context(), number)
		if err != nil {
			t.Fatal(err)
		}
		tally.Add(t1)
		e := player.engines[0]
		e.NewGame()
		r := e.Search(position.NewGame(p), search.Limits{Nodes: c.Openings.VerifyNodes}, nil)
		if s := r.Score; s < -50 || s > 50 {
			t.Errorf("%s: %d units", p.FEN(), s)
		}
	}
	if tally.Rejected == 0 {
		t.Error("no start position was rejected")
	}
}

func TestReadBook(t *testing.T) {
	book, err := readBook(strings.NewReader("# a book\n\n" + position.StartFEN + "\r\n" +
		"4k3/4p3/8/8/8/8/4P3/4K3 w - - bm e4; id \"1\";\n" + position.StartFEN +
		"\n4k3/4p3/8/8/8/8/4P3/4K3 b - - 7 30\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(book) != 3 || book[0] != position.Start() || book[2].FEN() != "4k3/4p3/8/8/8/8/4P3/4K3 b - - 7 30" {
		t.Error(book)
	}
	_, err = readBook(strings.NewReader(position.StartFEN + "\n4k3/8 w - -\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
	_, err = readBook(strings.NewReader("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n")) // stalemate
	if err == nil || !strings.Contains(err.Error(), "line 1: the game is over") {
		t.Error(err)
	}
	if _, err := readBook(strings.NewReader("\n")); err == nil {
		t.Error("an empty book")
	}
}

// BenchmarkPlay plays with the default settings on one core.
func BenchmarkPlay(b *testing.B) {
	c := DefaultConfig()
	p, err := NewPlayer(network(b), &c)
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	var sum Tally
	for n := 0; b.Loop(); n++ {
		_, tally, err := p.play(b.Context(), uint64(n))
		if err != nil {
			b.Fatal(err)
		}
		sum.Add(tally)
	}
	b.ReportMetric(float64(sum.Positions)/b.Elapsed().Seconds(), "positions/s")
	b.ReportMetric(float64(sum.Nodes)/float64(sum.Positions), "nodes/position")
	b.ReportMetric(float64(sum.Nodes+sum.VerifyNodes)/b.Elapsed().Seconds(), "nodes/s")
}

// TestPlayStops interrupts a game in its first search, which would take hours.
func TestPlayStops(t *testing.T) {
	c := quick()
	c.SoftNodes, c.HardNodes = 0, 1<<40
	p, err := NewPlayer(network(t), &c)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if g, _, err := p.play(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d plies, %v", len(g.Plies), err)
	}
}
