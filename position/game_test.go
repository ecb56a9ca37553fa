package position_test

import (
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

func TestRepetitions(t *testing.T) {
	const dance = "g1f3 g8f6 f3g1 f6g8 "
	for _, test := range []struct {
		name, fen, moves string
		want             int
	}{
		{"none", position.StartFEN, "", 0},
		{"two plies are too few", position.StartFEN, "g1f3 g8f6", 0},
		{"once", position.StartFEN, dance, 1},
		{"twice", position.StartFEN, dance + dance, 2},
		{"seven times", position.StartFEN, strings.Repeat(dance, 7), 7},
		{"not the position of one side", position.StartFEN, "g1f3 g8f6 f3g1", 0},
		{"a pawn move between", position.StartFEN, dance + "e2e4 " + "e7e5 " + dance, 1},
		{"after six plies", position.StartFEN, "g1f3 g8f6 f3d4 f6d5 d4f3 d5f6 f3g1 f6g8", 1},
		{"odd ways round", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d1 e8d8 d1d2 d8d7 d2e1 d7e8", 1},
		{"a right is lost the first time", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a2 e8e7 a2a1 e7e8", 0},
		{"then it stays", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", strings.Repeat("a1a2 e8e7 a2a1 e7e8 ", 2), 1},
		{"en passant was possible", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4 e8d8 e1d1 d8e8 d1e1", 0},
		{"en passant was not possible", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8d8 e1d1 d8e8 d1e1", 1},
	} {
		g := position.NewGame(parse(t, test.fen, true))
		play(t, g, test.moves)
		if got := g.Repetitions(); got != test.want {
			t.Errorf("%s: Repetitions = %d, want %d", test.name, got, test.want)
		}
		if len(g.Keys) > g.Pos.Halfmoves() {
			t.Errorf("%s: %d keys since %d plies", test.name, len(g.Keys), g.Pos.Halfmoves())
		}
	}
}

// TestPlayNull passes with both sides, which makes a position occur again.
func TestPlayNull(t *testing.T) {
	g := position.NewGame(position.Start())
	play(t, g, "g1f3 g8f6")
	for range 2 {
		g.Play(chess.NoMove)
		g.Play(chess.NoMove)
	}
	const want = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 6 4"
	if g.Repetitions() != 1 || g.Pos.FEN() != want {
		t.Errorf("%d repetitions of %s, want 1 of %s", g.Repetitions(), g.Pos.FEN(), want)
	}
}

func TestClone(t *testing.T) {
	g := position.NewGame(position.Start())
	play(t, g, "g1f3 g8f6 b1c3")
	c := g.Clone()
	keys := slices.Clone(c.Keys)
	g.Keys[0]++ // not seen by the clone
	play(t, c, "b8c6")
	play(t, g, "b8a6")
	if !slices.Equal(c.Keys[:len(keys)], keys) || g.Pos.Key() == c.Pos.Key() {
		t.Error("clone and original share something")
	}
}

// TestHalfmoveSaturation plays on where the clock stops counting.
func TestHalfmoveSaturation(t *testing.T) {
	g := position.NewGame(parse(t, "4k3/8/8/8/8/8/P7/4K2R w - - 148 200", false))
	for n := 1; n <= 200; n += 4 {
		play(t, g, "h1h2 e8e7 h2h1 e7e8")
		if want := min(148+n+3, 150); g.Pos.Halfmoves() != want {
			t.Fatalf("clock %d, want %d", g.Pos.Halfmoves(), want)
		}
	}
	if g.Repetitions() != 50 || len(g.Keys) != 200 {
		t.Errorf("%d repetitions, %d keys", g.Repetitions(), len(g.Keys))
	}
	var next position.Position
	g.Pos.DoNull(&next)
	if next.Halfmoves() != 150 {
		t.Errorf("clock %d after a null move", next.Halfmoves())
	}
	play(t, g, "a2a3")
	if g.Pos.Halfmoves() != 0 || len(g.Keys) != 0 || g.Pos.Fullmoves() != 300 {
		t.Errorf("after a pawn move: clock %d, %d keys, move %d", g.Pos.Halfmoves(), len(g.Keys), g.Pos.Fullmoves())
	}
}
