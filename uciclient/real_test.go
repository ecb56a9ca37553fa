package uciclient

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/position"
)

// TestRealEngines drives this engine and Stockfish, if it is installed.
func TestRealEngines(t *testing.T) {
	for _, name := range []string{"skein", "stockfish"} {
		t.Run(name, func(t *testing.T) {
			path, err := exec.LookPath(name)
			if err != nil {
				if path, err = exec.LookPath("/usr/games/" + name); err != nil {
					t.Skip(err)
				}
			}
			var ignored []string // read after the end of the engine
			config := Config{Log: func(m Message) {
				if m.Err != nil && !strings.HasPrefix(m.Line, "Stockfish ") { // which it writes before uci
					ignored = append(ignored, fmt.Sprintf("%q: %v", m.Line, m.Err))
				}
			}}
			e, err := config.Start(limit(t), exec.Command(path))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(strings.ToLower(e.Name()), name) || e.Author() == "" {
				t.Errorf("name %q, author %q", e.Name(), e.Author())
			}
			testOptions(t, e)
			testAnalysis(t, e)
			testGame(t, e)
			testStop(t, e)
			testPonderHit(t, e)
			testChess960(t, e)
			testCommand(t, e)
			if err := e.Quit(limit(t)); err != nil {
				t.Error(err)
			}
			if len(ignored) > 0 {
				t.Errorf("ignored lines: %q", ignored)
			}
			checkGoroutines(t)
		})
	}
}

func testOptions(t *testing.T, e *Engine) {
	hash, ok := e.Option("hash")
	if !ok || hash.Type != Spin || hash.Default != "16" || hash.Min != 1 || hash.Max < 1024 {
		t.Errorf("%+v, %v", hash, ok)
	}
	err := errors.Join(
		e.SetSpin(limit(t), "Hash", 2),
		e.SetCheck(limit(t), "UCI_ShowWDL", true),
		e.SetOption(limit(t), "SyzygyPath", ""),
		e.Press(limit(t), "Clear Hash"),
		e.NewGame(limit(t)),
	)
	if err != nil {
		t.Error(err)
	}
}

// testAnalysis checks the infos of a search for a mate.
func testAnalysis(t *testing.T, e *Engine) {
	p, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	var last Info
	for info, err := range e.Analyze(limit(t), Game{Start: p}, Limits{Depth: 5}) {
		if err != nil {
			t.Fatal(err)
		}
		if info.Fields.Has(FieldPV | FieldScore | FieldNodes | FieldWDL | FieldTime) {
			if info.Depth < depth {
				t.Errorf("depth %d after %d", info.Depth, depth)
			}
			depth, last = info.Depth, info
		}
	}
	if depth != 5 || last.Score != (Score{Value: 1, Mate: true}) || last.WDL != (WDL{1000, 0, 0}) {
		t.Errorf("last info %+v", last)
	}
}

// testGame plays a few moves by the clock.
func testGame(t *testing.T, e *Engine) {
	var game Game
	clock := Clock{Time: [2]time.Duration{time.Second, time.Second}, MovesToGo: 30}
	for range 6 {
		r, err := e.Play(limit(t), game, Limits{Clock: &clock})
		if err != nil || len(r.Info.PV) == 0 || r.Info.PV[0] != r.Best {
			t.Fatalf("%+v, %v", r, err)
		}
		game.Moves = append(game.Moves, r.Best)
	}
}

func testStop(t *testing.T, e *Engine) {
	h4 := move(t, "h2h4")
	s, err := e.Search(limit(t), Game{}, Limits{Infinite: true, SearchMoves: []chess.Move{h4}})
	if err != nil {
		t.Fatal(err)
	}
	for info := range s.Infos() {
		if info.Depth >= 3 {
			s.Stop()
		}
	}
	if r, err := s.Result(); r.Best != h4 || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func testPonderHit(t *testing.T, e *Engine) {
	game := Game{Moves: []chess.Move{move(t, "e2e4")}}
	s, err := e.Search(limit(t), game, Limits{Ponder: true, MoveTime: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Ready(limit(t)); err != nil {
		t.Error(err)
	}
	s.PonderHit()
	if r, err := s.Result(); err != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// testChess960 checks that castling is sent and understood in both notations.
func testChess960(t *testing.T, e *Engine) {
	castling := chess.NewCastling(chess.E1, chess.H1)
	p, err := position.Parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, chess960 := range []bool{true, false} {
		if err := e.SetCheck(limit(t), "uci_chess960", chess960); err != nil {
			t.Fatal(err)
		}
		for _, game := range []Game{{Start: p}, {Start: p, Moves: []chess.Move{castling}}} {
			limits := Limits{Depth: 2}
			if len(game.Moves) == 0 {
				limits.SearchMoves = []chess.Move{castling}
			}
			r, err := e.Play(limit(t), game, limits)
			if err != nil || len(game.Moves) == 0 && r.Best != castling {
				t.Errorf("Chess960 %v: %+v, %v", chess960, r, err)
			}
		}
	}
}

// testCommand has the engine draw a position that only the moves lead to.
func testCommand(t *testing.T, e *Engine) {
	lines, err := e.Command(limit(t), Game{Moves: []chess.Move{move(t, "h2h4")}}, "d")
	if want := "rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPP1/RNBQKBNR b KQkq"; err != nil ||
		!strings.Contains(strings.Join(lines, "\n"), want) {
		t.Errorf("%q, %v", lines, err)
	}
}
