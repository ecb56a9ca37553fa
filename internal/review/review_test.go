package review

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"skein/chess"
	"skein/nets"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// newEngine returns an engine with one thread.
func newEngine(t *testing.T) *search.Engine {
	t.Helper()
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.New(net, search.Options{Threads: 1, Hash: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// parse returns the only game of a PGN.
func parse(t *testing.T, pgn string) *notation.Game {
	t.Helper()
	g, err := notation.NewReader(strings.NewReader(pgn)).Read()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const scholarsMate = `[White "A"]
[Black "B"]

1. e4 {[%clk 0:05:00.5]} e5 2. Bc4 Nc6 3. Qh5 Nf6 {ouch} 4. Qxf7# 1-0`

func TestReview(t *testing.T) {
	e := newEngine(t)
	g := parse(t, scholarsMate)
	o := Options{Limits: search.Limits{Nodes: 3000}, Engine: "Skein test", Progress: func(p Progress) {
		if p.Total != 8 || p.Done < 1 || p.Done > 8 {
			t.Errorf("progress %+v", p)
		}
	}}
	reviewed, err := Review(context.Background(), e, g, o)
	if err != nil {
		t.Fatal(err)
	}
	if reviewed.Opening == nil || reviewed.Opening.ECO != "C23" && reviewed.Opening.ECO != "C20" {
		t.Errorf("opening %+v", reviewed.Opening)
	}
	lost := &reviewed.Plies[5]
	if lost.Verdict != Blunder || len(lost.Best) == 0 || !strings.HasPrefix(lost.Words, "Blunder, allows mate in 1. ") {
		t.Errorf("3... Nf6 is %+v", lost)
	}
	mate := &reviewed.Plies[6]
	if moves, ok := mate.After.mate(); !ok || moves != 0 || mate.Verdict != None || mate.Best != nil ||
		mate.SAN != "Qxf7#" || mate.Chances != round(Lichess.Chances(mate.After), 4) {
		t.Errorf("4. Qxf7# is %+v", mate)
	}
	if c := reviewed.Plies[0].Clock; c == nil || *c != 300.5 || reviewed.Plies[1].Clock != nil {
		t.Errorf("clock %v", c)
	}
	if w, b := &reviewed.White, &reviewed.Black; w.Player != "A" || w.Moves != 4 || w.Blunders != 0 || b.Moves != 3 ||
		b.Blunders != 1 || b.Accuracy >= w.Accuracy || b.Opening.Moves+b.Middlegame.Moves+b.Endgame.Moves != 3 {
		t.Errorf("White %+v\nBlack %+v", w, b)
	}

	o.Progress = nil
	again, err := Review(context.Background(), e, g, o)
	if err != nil || !reflect.DeepEqual(again, reviewed) {
		t.Errorf("the second review differs: %v", err)
	}
	data, err := json.Marshal(reviewed)
	if err != nil {
		t.Fatal(err)
	}
	var read Game
	if err := json.Unmarshal(data, &read); err != nil {
		t.Fatal(err)
	}
	if back, err := json.Marshal(&read); err != nil || !bytes.Equal(back, data) {
		t.Errorf("%v, JSON\n%s\nread and written\n%s", err, data, back)
	}
}

// TestReviewBareKing reviews a mate with a rook, in which no move gives anything away.
func TestReviewBareKing(t *testing.T) {
	g := parse(t, `[FEN "8/8/8/4k3/8/8/4K3/R7 w - - 0 60"]

60. Kf3 Kd5 61. Re1 Kd6 62. Re4 Kc5 63. Ke3 Kd5 64. Kd3 Kc6 65. Rd4 Kc5 66. Kc3 Kb6 67. Rc4 Kb5 68. Kb3 Ka6 69. Rb4 Ka5
70. Kc4 Ka6 71. Rb5 Ka7 72. Kc5 Ka6 73. Kc6 Ka7 74. Rb6 Ka8 75. Kc7 Ka7 76. Kc6 Ka8 77. Ra6# *`)
	reviewed, err := Review(context.Background(), newEngine(t), g, Options{Limits: search.Limits{Nodes: 20_000}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range reviewed.Plies {
		if p.Verdict == Mistake || p.Verdict == Blunder {
			t.Errorf("ply %d: %s %s", p.Number, p.SAN, p.Words)
		}
	}
}

// TestReviewStops ends a review that has no limit.
func TestReviewStops(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(stop)
	if _, err := Review(ctx, newEngine(t), parse(t, scholarsMate), Options{}); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}

// TestReviewWithoutBest reviews moves after the end of a game, and a null move.
func TestReviewWithoutBest(t *testing.T) {
	for _, pgn := range []string{"[FEN \"8/8/8/8/8/4k3/8/4K2B w - - 0 1\"]\n\n1. Kf1 Kd3 *", "1. -- e5 *"} {
		o := Options{Limits: search.Limits{Depth: 1}}
		reviewed, err := Review(context.Background(), newEngine(t), parse(t, pgn), o)
		if err != nil || len(reviewed.Plies) != 2 || reviewed.Plies[0].Verdict != None ||
			reviewed.Plies[0].Best != nil {
			t.Errorf("%s: %+v, %v", pgn, reviewed, err)
		}
	}
}

// TestEnded claims a draw by repetition only where a game ended as a draw.
func TestEnded(t *testing.T) {
	for result, want := range map[string]bool{"*": false, "1/2-1/2": true} {
		g := parse(t, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 "+result)
		r := &reviewer{game: g}
		if got := r.ended(g.After(8), 8).Over(); got != want || r.ended(g.After(7), 7).Over() {
			t.Errorf("%s: over %t, want %t", result, got, want)
		}
	}
}

// TestPhase tells the phases by the pieces and the men on the back ranks.
func TestPhase(t *testing.T) {
	for _, test := range []struct {
		board        string
		before, want Phase
	}{
		{"r1bqk1nr/8/8/8/8/8/8/R1BQKBNR", OpeningPhase, OpeningPhase},
		{"r1bqk1nr/8/8/8/8/8/8/R1BQKBNR", Middlegame, Middlegame},
		{"r1bqk2r/8/8/8/8/8/8/R1BQKBNR", OpeningPhase, Middlegame},
		{"r1bqk2r/8/8/8/8/8/8/R1BQKBNR", Endgame, Endgame},
		{"r3k2r/1bqnnb2/8/8/8/8/8/RNBQKBNR", OpeningPhase, Middlegame},
		{"rnbqkbnr/8/8/8/8/8/1BQNNB2/R3K2R", OpeningPhase, Middlegame},
		{"r1nqk2r/8/8/8/8/8/8/R2QK2R", OpeningPhase, Middlegame},
		{"r2qk2r/8/8/8/8/8/8/R2QK2R", OpeningPhase, Endgame},
	} {
		p, err := position.Parse(test.board+" w - - 0 1", false)
		if err != nil {
			t.Fatal(err)
		}
		if got := phaseOf(&p, test.before); got != test.want {
			t.Errorf("%s after %v: %v, want %v", test.board, test.before, got, test.want)
		}
	}
}

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		score      Score
		text, json string
		centipawns int
	}{
		{0, "0.00", `{"cp":0}`, 0},
		{Score(chess.Centipawns(35).Score()), "+0.35", `{"cp":35}`, 35},
		{Score(chess.Centipawns(-4321).Score()), "-43.21", `{"cp":-4321}`, -1000},
		{Score(chess.MateIn(5)), "#3", `{"mate":3,"winner":"white"}`, 1000},
		{Score(chess.MatedIn(4)), "#-2", `{"mate":-2,"winner":"black"}`, -1000},
		{Score(chess.MateIn(0)), "#0", `{"mate":0,"winner":"white"}`, 1000},
		{Score(chess.MatedIn(0)), "#0", `{"mate":0,"winner":"black"}`, -1000},
		{Score(chess.TableWin - 9), "table win", `{"table":true,"winner":"white"}`, 1000},
		{Score(9 - chess.TableWin), "table loss", `{"table":true,"winner":"black"}`, -1000},
	} {
		if got := tt.score.String(); got != tt.text {
			t.Errorf("%d: %s, want %s", tt.score, got, tt.text)
		}
		if got := tt.score.centipawns(); got != tt.centipawns {
			t.Errorf("%v: %d centipawns, want %d", tt.score, got, tt.centipawns)
		}
		data, err := json.Marshal(tt.score)
		if err != nil || string(data) != tt.json {
			t.Errorf("%v: %s, %v, want %s", tt.score, data, err, tt.json)
		}
		var read Score
		if err := json.Unmarshal(data, &read); err != nil || read.String() != tt.text {
			t.Errorf("%s is read as %v, %v", data, read, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"mate":3}`), new(Score)); err == nil {
		t.Error("a mate without a winner is accepted")
	}
}
