package uci

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

// TestRefusedPosition searches after positions that are refused: no other
// position is searched, until one is accepted.
func TestRefusedPosition(t *testing.T) {
	for _, refused := range []string{
		"position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
		"position fen nonsense",
		"position startpos moves e2e4 e7e5 e1e3",
		"position startpos e2e4",
		"position",
	} {
		s := startSession(t, Config{})
		s.send("position startpos moves e2e4")
		s.send(refused)
		for _, line := range []string{"go infinite", "ucinewgame", "go ponder wtime 1000 btime 1000",
			"go movetime 60000", "go perft 2", "query result", "d", "eval", "flip", "go depth 2"} {
			s.send(line)
		}
		s.awaitAnswers()
		s.send("position startpos")
		s.send("go depth 2")
		s.awaitAnswers()
		lines := s.end()
		if count(lines, "info depth 2 ") != 1 || count(lines, "response ") > 0 || count(lines, "FEN: ") > 0 ||
			count(lines, "Evaluation: ") > 0 || count(lines, "Nodes searched: ") > 0 {
			t.Errorf("%s: output:\n%s", refused, strings.Join(lines, "\n"))
		}
		if n := count(lines, "info string ERROR: "); n != 10 {
			t.Errorf("%s: %d errors, want one for each line but ucinewgame; output:\n%s",
				refused, n, strings.Join(lines, "\n"))
		}
	}
}

// TestUnreachablePositions searches positions that cannot arise.
func TestUnreachablePositions(t *testing.T) {
	for _, fen := range []string{
		"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", // Black is in check
		"4k3/8/8/8/4r2b/8/8/r3K3 w - - 0 1",
		"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/8/8/K1k5 w - - 0 1",
		"4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
	} {
		lines := converse(t, Config{}, "position fen "+fen, "go nodes 500")
		if count(lines, "info string position accepted although it is invalid: FEN: ") != 1 ||
			count(lines, "info string ERROR") > 0 || count(lines, "bestmove 0000") > 0 ||
			count(lines, "bestmove (none)") > 0 {
			t.Errorf("%s: output:\n%s", fen, strings.Join(lines, "\n"))
		}
	}
}

// TestRandomPlacements searches random placements of men with one king a side:
// each go is answered by a legal move, or (none) if there is none.
func TestRandomPlacements(t *testing.T) {
	placements := 1000
	if testing.Short() {
		placements = 100
	}
	s := startSession(t, Config{})
	rng := rand.New(rand.NewPCG(3, 4))
	for range placements {
		s.send("position fen " + randomPlacement(rng))
		s.send("go nodes 200")
		s.awaitAnswers()
	}
	if lines := s.end(); count(lines, "info string ERROR") > 0 || count(lines, "bestmove (none)") == placements {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}

// randomPlacement returns the FEN of two kings and up to 62 other men anywhere,
// with rights that hardly ever fit.
func randomPlacement(rng *rand.Rand) string {
	var board [64]chess.Piece
	for s := range board {
		board[s] = chess.NoPiece
	}
	squares := rng.Perm(64)
	board[squares[0]], board[squares[1]] = chess.PieceOf('K'), chess.PieceOf('k')
	for _, s := range squares[2 : 2+rng.IntN(63)] {
		board[s] = chess.PieceOf("PNBRQpnbrq"[rng.IntN(10)])
	}
	fen := position.AppendBoard(nil, &board)
	return fmt.Sprintf("%s %c KQkq e%c 0 1", fen, "wb"[rng.IntN(2)], "36"[rng.IntN(2)])
}

// TestFlipUnreachable flips positions that cannot arise, twice.
func TestFlipUnreachable(t *testing.T) {
	const fen = "P3k3/8/8/8/8/8/4R3/4K3 w - - 3 7"
	d := New(newEngine(t), nil, newSink(t), Config{})
	if err := d.RunCommands(context.Background(), []string{"position fen " + fen, "flip", "flip"}); err != nil {
		t.Fatal(err)
	}
	if got := d.game.Pos.FEN(); got != fen {
		t.Errorf("flipped twice: %s, want %s", got, fen)
	}
	if _, err := position.Parse(fen, false); err == nil {
		t.Errorf("%s can arise", fen)
	}
}

// TestLongWord shortens a word of an error between characters.
func TestLongWord(t *testing.T) {
	lines := converse(t, Config{}, "x"+strings.Repeat("é", 50))
	want := "info string ERROR: unknown command \"x" + strings.Repeat("é", 39) + "\"..."
	if count(lines, want) != 1 {
		t.Errorf("output:\n%s", strings.Join(lines, "\n"))
	}
}
