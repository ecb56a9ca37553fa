package position_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// TestParseLenient reads positions that Parse refuses: want is how the position
// is written, moves the number of its legal moves.
func TestParseLenient(t *testing.T) {
	for _, test := range []struct {
		fen, want string
		chess960  bool
		moves     int
	}{
		// The side not to move is in check: its king cannot be taken.
		{"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", false, 16},
		{"8/8/8/8/8/3k4/2P5/6K1 w - - 0 1", "8/8/8/8/8/3k4/2P5/6K1 w - - 0 1", false, 7},
		{"3k4/2P5/8/8/8/8/8/6K1 w - - 0 1", "3k4/2P5/8/8/8/8/8/6K1 w - - 0 1", false, 9},
		// Adjacent kings: only the king may move.
		{"8/8/8/3k4/3K4/8/8/R7 w - - 0 1", "8/8/8/3k4/3K4/8/8/R7 w - - 0 1", false, 3},
		{"8/8/8/8/8/8/1k5R/K7 w - - 0 1", "8/8/8/8/8/8/1k5R/K7 w - - 0 1", false, 0},
		// Checks by three pieces.
		{"4k3/8/8/8/4r2b/8/8/r3K3 w - - 0 1", "4k3/8/8/8/4r2b/8/8/r3K3 w - - 0 1", false, 1},
		// More men than there are, and pawns on their last ranks.
		{"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/8/8/k1K5 b - - 0 1",
			"QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/8/8/k1K5 b - - 0 1", false, 0},
		{"P3k2p/8/8/8/8/8/8/p3K2P w - - 0 1", "P3k2p/8/8/8/8/8/8/p3K2P w - - 0 1", false, 6},
		// Castling rights that do not fit.
		{"r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", false, 15},
		{"4k3/8/8/8/8/8/8/R3K3 w kqKQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false, 16},
		{"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1", false, 15},
		{"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", true, 16},
		{"4k3/8/8/8/8/8/8/KR5R w HB - 0 1", "4k3/8/8/8/8/8/8/KR5R w K - 0 1", true, 26},
		// En-passant squares that no double step explains.
		{"4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", false, 6},
		{"4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1", "4k3/4n3/8/3Pp3/8/8/8/4K3 w - - 0 1", false, 6},
		// Counters beyond their limits.
		{"4k3/8/8/8/8/8/8/4K3 w - - 151 99999999999999999999", "4k3/8/8/8/8/8/8/4K3 w - - 150 9999", false, 5},
	} {
		if _, err := position.Parse(test.fen, test.chess960); err == nil &&
			test.fen == test.want && !test.chess960 {
			t.Errorf("%s: not refused by Parse", test.fen)
		}
		p, err := position.ParseLenient(test.fen, test.chess960)
		if err != nil || p.FEN() != test.want {
			t.Errorf("%s: %s, error %v, want %s", test.fen, p.FEN(), err, test.want)
		} else if n := len(movegen.Legal(&p)); n != test.moves {
			t.Errorf("%s: %d moves, want %d", test.fen, n, test.moves)
		}
	}
}

// TestParseLenientErrors reads what cannot be searched.
func TestParseLenientErrors(t *testing.T) {
	for fen, want := range map[string]string{
		"":                                   "board: is missing",
		"8/8/8/8/8/8/8/8 w - - 0 1":          "board: 0 white kings",
		"4k3/8/8/8/8/8/8/3KK3 w - - 0 1":     "board: 2 white kings",
		"4k3/8/8/44/8/8/8/4K3 w - - 0 1":     "board: rank 5: adjacent digits",
		"4k3/8/8/8/8/8/8/4K3 x - - 0 1":      `side to move: "x"`,
		"4k3/8/8/8/8/8/8/4K3 w KX - 0 1":     `castling rights: "KX"`,
		"4k3/8/8/8/8/8/8/4K3 w - x3 0 1":     `en passant square: "x3" is not a square`,
		"4k3/8/8/8/8/8/8/4K3 w - - -1 1":     "halfmove clock: -1 is negative",
		"4k3/8/8/8/8/8/8/4K3 w - - 0 one":    `move number: "one" is not a number`,
		"4k3/8/8/8/8/8/8/4K3 w - - 0 1 e1e2": "fields: expected at most 6",
	} {
		_, err := position.ParseLenient(fen, false)
		if fenErr, ok := errors.AsType[*position.FENError](err); !ok || !strings.Contains(fenErr.Error(), want) {
			t.Errorf("%q: error %v, want %s", fen, err, want)
		}
	}
}

// TestParseLenientAgrees reads what Parse accepts: it is the same position.
func TestParseLenientAgrees(t *testing.T) {
	accepted := 0
	for _, c := range jsonCases(t, "fen/fen-validity.jsonl") {
		for _, chess960 := range []bool{false, true} {
			strict, err := position.Parse(c.fen, chess960)
			if err != nil {
				continue
			}
			accepted++
			if p, err := position.ParseLenient(c.fen, chess960); err != nil || p != strict {
				t.Errorf("%s: %q: %s, error %v", c.Where, c.fen, p.FEN(), err)
			}
		}
	}
	if accepted == 0 {
		t.Error("no FEN was accepted")
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

// TestRandomPlacements plays a few random moves from random placements of men.
// Moves listed, counted and legal must agree, none may take a king, and each
// must lead to a sound position.
func TestRandomPlacements(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	played := 0
	for range 1000 {
		fen := randomPlacement(rng)
		p, err := position.ParseLenient(fen, false)
		if err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		for range 4 {
			moves := movegen.Legal(&p)
			checkMoves(t, rng, &p, moves)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			next := p.After(m)
			if err := next.Validate(); err != nil {
				t.Fatalf("%s, move %v: %v", p.FEN(), m, err)
			}
			p = next
			played++
		}
	}
	if played < 1000 {
		t.Errorf("only %d moves played", played)
	}
}

// checkMoves compares the legal moves of p with IsLegal and Count.
func checkMoves(t *testing.T, rng *rand.Rand, p *position.Position, moves []chess.Move) {
	t.Helper()
	if n := movegen.Count(p); n != len(moves) {
		t.Fatalf("%s: %d moves counted, %d listed", p.FEN(), n, len(moves))
	}
	for _, m := range moves {
		if !movegen.IsLegal(p, m) || p.At(m.To()).Type() == chess.King {
			t.Fatalf("%s: move %v", p.FEN(), m)
		}
	}
	for range 100 {
		if m := chess.Move(rng.Uint32()); movegen.IsLegal(p, m) && !slices.Contains(moves, m) {
			t.Fatalf("%s: %v is legal but not listed", p.FEN(), m)
		}
	}
	// No move takes the other king.
	king := p.King(p.SideToMove().Other())
	for from := chess.A1; from <= chess.H8; from++ {
		if m := chess.NewMove(from, king); movegen.IsLegal(p, m) {
			t.Fatalf("%s: %v takes the king", p.FEN(), m)
		}
	}
}
