package uciclient

import (
	"strings"
	"testing"
	"time"

	"skein/chess"
	"skein/position"
)

func TestLimits(t *testing.T) {
	p := position.Start()
	e4 := move(t, "e2e4")
	clock := &Clock{
		Time: [2]time.Duration{time.Minute, -time.Second}, Inc: [2]time.Duration{1500 * time.Microsecond, -time.Second},
	}
	control := &Clock{MovesToGo: 40}
	for want, l := range map[string]Limits{
		"go infinite": {Infinite: true},
		"go ponder wtime 60000 btime 1 winc 1 binc 0":   {Ponder: true, Clock: clock},
		"go wtime 1 btime 1 winc 0 binc 0 movestogo 40": {Clock: control},
		"go movetime 1":                                   {MoveTime: -time.Second},
		"go movetime 1 depth 2 nodes 3 mate 4":            {MoveTime: 1, Depth: 2, Nodes: 3, Mate: 4},
		"go infinite searchmoves e2e4 e2e4":               {Infinite: true, SearchMoves: []chess.Move{e4, e4}},
		"limits: none is set":                             {Ponder: true},
		"limits: depth is negative: -1":                   {Depth: -1, Nodes: 1},
		"limits: movestogo is negative: -2":               {Clock: &Clock{MovesToGo: -2}},
		"limits: the move to search e2e5 is illegal in r": {Depth: 1, SearchMoves: []chess.Move{e4, e4 + 8<<6}},
	} {
		got, err := l.command(&p, false)
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestGameCommand(t *testing.T) {
	const fen = "r3k3/3p4/8/8/8/8/8/1R2K3 w Bq - 0 1"
	shuffled, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	impossible, err := position.ParseLenient("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	castling := []chess.Move{chess.NewCastling(chess.E1, chess.B1), chess.NewCastling(chess.E8, chess.A8)}
	for _, c := range []struct {
		game     Game
		chess960 bool
		want     string
	}{
		{Game{}, false, "position startpos"},
		{Game{Start: position.Start(), Moves: []chess.Move{move(t, "e2e4")}}, true, "position startpos moves e2e4"},
		{Game{Start: shuffled, Moves: castling}, true, "position fen " + shuffled.FEN() + " moves e1b1 e8a8"},
		{Game{Start: shuffled}, false, shuffled.FEN() + " needs the option UCI_Chess960"},
		{Game{Start: impossible}, false, impossible.FEN() + ": FEN: side to move: "},
		{Game{Moves: castling}, false, "ply 0: move e1b1 is illegal in " + position.StartFEN},
	} {
		got, _, err := c.game.command(c.chess960)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
