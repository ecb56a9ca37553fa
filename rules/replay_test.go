package rules_test

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
	"skein/rules"
)

func TestReplay(t *testing.T) {
	castling := chess.NewCastling(chess.B1, chess.A1) // a Chess960 castling; the king goes to c1
	start := parse(t, "1k6/7p/8/8/8/8/8/RK6 w A - 3 9")
	moves := []chess.Move{castling, chess.NewMove(55, 39), chess.NewMove(chess.C1, chess.B1)}
	var fens []string
	visit := func(p *position.Position, ply int) {
		if ply != len(fens) {
			t.Errorf("visit %d is of ply %d", len(fens), ply)
		}
		fens = append(fens, p.ShredderFEN())
	}
	g, err := rules.Replay(start, moves, visit)
	if err != nil {
		t.Fatal(err)
	}
	if fen := g.Pos.ShredderFEN(); fen != "1k6/8/8/7p/8/8/8/1K1R4 b - - 1 10" || len(g.Keys) != 1 {
		t.Errorf("the game ends at %s with %d keys", fen, len(g.Keys))
	}
	want := []string{start.ShredderFEN(), "1k6/7p/8/8/8/8/8/2KR4 b - - 4 9", "1k6/8/8/7p/8/8/8/2KR4 w - - 0 10"}
	if strings.Join(fens, "\n") != strings.Join(want, "\n") {
		t.Errorf("visited %q, want %q", fens, want)
	}
}

// TestReplayErrors replaces each move of a game by one that is not legal there.
func TestReplayErrors(t *testing.T) {
	start := position.Start()
	moves := []chess.Move{chess.NewMove(12, 28), chess.NewMove(52, 36), chess.NewMove(chess.G1, 21)}
	illegal := []chess.Move{chess.NoMove, chess.NewMove(chess.E1, chess.E8), chess.NewCastling(chess.E1, chess.H1)}
	for i := range moves {
		for _, bad := range illegal {
			list := append(append([]chess.Move{}, moves[:i]...), bad)
			g, err := rules.Replay(start, append(list, moves[i+1:]...), nil)
			replay, ok := err.(*rules.ReplayError)
			text := bad.String() + " is illegal in " + g.Pos.FEN()
			if !ok || replay.Ply != i || !strings.HasSuffix(err.Error(), text) {
				t.Errorf("move %v at ply %d: %v", bad, i, err)
			}
			if before, _ := rules.Replay(start, moves[:i], nil); g.Pos != before.Pos {
				t.Errorf("move %v at ply %d: the game stands at %s", bad, i, g.Pos.FEN())
			}
		}
	}
}
