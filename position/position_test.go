package position_test

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

// play makes the moves, in UCI notation with castling as king takes rook.
func play(t testing.TB, g *position.Game, moves string) {
	t.Helper()
	for _, s := range strings.Fields(moves) {
		g.Play(move(t, &g.Pos, s))
	}
}

// move finds the legal move that is written s. Castling may also be written as
// in standard chess.
func move(t testing.TB, p *position.Position, s string) chess.Move {
	t.Helper()
	moves := movegen.Legal(p)
	for _, m := range moves {
		if m.String() == s {
			return m
		}
	}
	for _, m := range moves {
		if king, _ := m.CastlingTargets(); m.IsCastling() && chess.NewMove(m.From(), king).String() == s {
			return m
		}
	}
	t.Fatalf("%s: no move %s", p.FEN(), s)
	return chess.NoMove
}

// TestAfter compares After with Do and DoNull for every move of positions that
// have all kinds of moves.
func TestAfter(t *testing.T) {
	for _, fen := range []string{
		position.StartFEN,
		"r3k2r/1P4P1/8/3pP3/8/8/1p4p1/R3K2R w KQkq d6 12 34",
		"r3k2r/1P4P1/8/8/3Pp3/8/1p4p1/R3K2R b KQkq d3 12 34",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 3 9",
	} {
		p := parse(t, fen, true)
		before := p
		var want position.Position
		for _, m := range movegen.Legal(&p) {
			var d position.Delta
			p.Do(m, &want, &d)
			if got := p.After(m); got != want || p != before {
				t.Errorf("%s: after %s %s, want %s", fen, m, got.FEN(), want.FEN())
			}
		}
		p.DoNull(&want)
		if got := p.After(chess.NoMove); got != want {
			t.Errorf("%s: after a null move %s, want %s", fen, got.FEN(), want.FEN())
		}
	}
}

// TestKeys compares the keys of pairs of positions.
func TestKeys(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		same       bool
	}{
		{"clock and move number", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 30 50", true},
		{"side to move", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1", false},
		{"castling right", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
		{"which rook may castle", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", false},
		{"two spellings of a right", "4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1", "4k3/8/8/8/8/8/8/RR2K3 w A - 0 1", true},
		{"a piece", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false},
		{"a color", "4k3/8/8/8/8/8/N7/4K3 w - - 0 1", "4k3/8/8/8/8/8/n7/4K3 w - - 0 1", false},
		{"a square", "4k3/8/8/8/8/8/N7/4K3 w - - 0 1", "4k3/8/8/8/8/8/1N6/4K3 w - - 0 1", false},
		{"en passant without a pawn to capture", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
			true},
		{"en passant that uncovers the king", "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", "8/8/8/8/k2Pp2Q/8/8/4K3 b - - 0 1",
			true},
		{"en passant by a pinned pawn", "4k3/4r3/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/4r3/8/3pP3/8/8/8/4K3 w - - 0 1",
			true},
		{"en passant out of reach of a check", "4k3/8/8/8/3pP3/8/8/4RK2 b - e3 0 1",
			"4k3/8/8/8/3pP3/8/8/4RK2 b - - 0 1", false},
		{"en passant", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", false},
		{"en passant, one of two pawns pinned", "3rk3/8/8/3PpP2/8/8/8/3K4 w - e6 0 1",
			"3rk3/8/8/3PpP2/8/8/8/3K4 w - - 0 1", false},
		{"the file of en passant", "4k3/8/8/pPp5/8/8/8/4K3 w - a6 0 1", "4k3/8/8/pPp5/8/8/8/4K3 w - c6 0 1", false},
	} {
		a, b := parse(t, test.a, true), parse(t, test.b, true)
		if same := a.Key() == b.Key(); same != test.same {
			t.Errorf("%s: same key %v, want %v", test.name, same, test.same)
		}
	}
}

// TestTranspositions checks that the way to a position is not in its key.
func TestTranspositions(t *testing.T) {
	for _, test := range []struct {
		fen, a, b string
		same      bool
	}{
		{position.StartFEN, "g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6", true},
		{position.StartFEN, "g1f3 g8f6 f3g1 f6g8", "", true},
		{position.StartFEN, "e2e4 d7d5 d2d4", "d2d4 d7d5 e2e4", true},            // neither d3 nor e3 can be used
		{position.StartFEN, "e2e3 e7e5 e3e4", "e2e4 e7e5", false},                // another side to move
		{position.StartFEN, "e2e4 a7a6 e4e5 d7d5", "e2e4 d7d5 e4e5 a7a6", false}, // d6 can be used
		{"4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "a1a2 h8h7 a2a1 h7h8", "", false},   // rights are lost
		{"4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 h8h7 a2a1 h7h8", "", true},
		{"4k3/P6P/8/8/8/8/8/4K3 w - - 0 1", "a7a8n e8d8 h7h8b", "h7h8b e8d8 a7a8n", true},
		{"4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "e1g1 e8d8 g1h1 d8e8", "e1g1 e8e7 g1h1 e7e8", true},
	} {
		a, b := position.NewGame(parse(t, test.fen, true)), position.NewGame(parse(t, test.fen, true))
		play(t, a, test.a)
		play(t, b, test.b)
		if same := a.Pos.Key() == b.Pos.Key(); same != test.same {
			t.Errorf("%s: after %q and %q: same key %v, want %v", test.fen, test.a, test.b, same, test.same)
		}
	}
}

// TestPartialKeys checks which moves touch the keys of parts of the board.
func TestPartialKeys(t *testing.T) {
	type changes struct{ pawns, white, black, minors bool }
	for _, test := range []struct {
		fen, move string
		want      changes
	}{
		{position.StartFEN, "e2e4", changes{pawns: true}},
		{position.StartFEN, "g1f3", changes{white: true, minors: true}},
		{"4k2b/8/8/8/8/8/8/4K3 b - - 0 1", "h8a1", changes{black: true, minors: true}},
		{"r3k2B/8/8/8/8/8/8/4K2R w - - 0 1", "h1h7", changes{white: true}},
		{"4k2N/5q2/8/8/8/8/8/4K3 w - - 0 1", "h8f7", changes{white: true, black: true, minors: true}},
		{"r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", changes{white: true, black: true}},
		{"r3k3/8/8/8/8/8/p7/R3K3 w - - 0 1", "a1a2", changes{pawns: true, white: true}},
		{"4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1", "a2b1q", changes{pawns: true, white: true, black: true, minors: true}},
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", changes{pawns: true}},
		{"r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8a8", changes{black: true}},
	} {
		p := parse(t, test.fen, true)
		next := p.After(move(t, &p, test.move))
		got := changes{
			pawns:  next.PawnKey() != p.PawnKey(),
			white:  next.NonPawnKey(chess.White) != p.NonPawnKey(chess.White),
			black:  next.NonPawnKey(chess.Black) != p.NonPawnKey(chess.Black),
			minors: next.MinorKey() != p.MinorKey(),
		}
		if got != test.want || next.Key() == p.Key() {
			t.Errorf("%s, %s: changed %+v, want %+v", test.fen, test.move, got, test.want)
		}
	}
}

func TestMoveKinds(t *testing.T) {
	for _, test := range []struct {
		fen, move      string
		capture, noisy bool
		captured       chess.PieceType
	}{
		{position.StartFEN, "g1f3", false, false, chess.NoPieceType},
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", true, true, chess.Pawn},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", false, false, chess.NoPieceType},
		{"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", false, true, chess.NoPieceType},
		{"1q2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", true, true, chess.Queen},
		{"r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", true, true, chess.Rook},
	} {
		p := parse(t, test.fen, true)
		m := move(t, &p, test.move)
		if p.IsCapture(m) != test.capture || p.IsNoisy(m) != test.noisy || p.Captured(m) != test.captured {
			t.Errorf("%s, %s: capture %v, noisy %v, captured %q", test.fen, test.move, p.IsCapture(m), p.IsNoisy(m),
				p.Captured(m))
		}
	}
}

func TestInsufficientMaterial(t *testing.T) {
	for _, test := range []struct {
		board string
		want  bool
	}{
		{"4k3/8/8/8/8/8/8/4K3", true},
		{"4k3/8/8/8/8/8/8/4KN2", true},
		{"4kn2/8/8/8/8/8/8/4K3", true},
		{"4k3/8/8/8/8/8/8/4KB2", true},
		{"4k3/8/8/8/8/8/8/2B1KB2", false}, // bishops of both colors
		{"4k3/8/8/8/8/8/4B3/4KB2", true},  // two of one color
		{"4kb2/8/8/8/8/8/8/2B1K3", true},  // dark against dark
		{"4kb2/8/8/8/8/8/8/4KB2", false},  // dark against light: a helpmate exists
		{"4kn2/8/8/8/8/8/8/4KN2", false},  // so here
		{"4kn2/8/8/8/8/8/8/4KB2", false},  // and here
		{"4k3/8/8/8/8/8/8/3NKN2", false},  // and here
		{"4k3/8/8/8/8/8/4P3/4K3", false},
		{"4k3/8/8/8/8/8/8/4K2R", false},
		{"4k2q/8/8/8/8/8/8/4K3", false},
	} {
		p := parse(t, test.board+" w - - 0 1", false)
		if got := p.InsufficientMaterial(); got != test.want {
			t.Errorf("%s: InsufficientMaterial = %v", test.board, got)
		}
		if mating := p.HasMatingMaterial(chess.White) || p.HasMatingMaterial(chess.Black); mating == test.want {
			t.Errorf("%s: mating material of a side: %v", test.board, mating)
		}
	}
}

func TestHasMatingMaterial(t *testing.T) {
	for _, test := range []struct {
		white, black string
		want         bool // of White
	}{
		{"K7/8/8/8", "k7/p7/8/8", false},
		{"KP6/8/8/8", "k7/8/8/8", true},
		{"KR6/8/8/8", "kq6/8/8/8", true},
		{"KN6/8/8/8", "kqq5/8/8/8", false},
		{"KN6/8/8/8", "kr6/8/8/8", true},
		{"KN6/8/8/8", "k7/1p6/8/8", true},
		{"KNN5/8/8/8", "k7/8/8/8", true},
		{"KB6/8/8/8", "kqr5/8/8/8", false},
		{"KB6/8/8/8", "kb6/8/8/8", false}, // on squares of the same color
		{"KB6/8/8/8", "k1b5/8/8/8", true},
		{"KB6/8/8/8", "kn6/8/8/8", true},
		{"KB6/8/8/8", "k7/1p6/8/8", true},
		{"KB1B4/8/8/8", "kq6/8/8/8", false},
		{"KBB5/8/8/8", "kq6/8/8/8", true},
		{"KBN5/8/8/8", "kq6/8/8/8", true},
	} {
		board := test.black + "/" + test.white
		p := parse(t, board+" w - - 0 1", false)
		if got := p.HasMatingMaterial(chess.White); got != test.want {
			t.Errorf("%s: White has mating material: %v", board, got)
		}
	}
}

func TestHasPieces(t *testing.T) {
	p := parse(t, "4k3/pp6/8/8/8/8/PP6/4KN2 w - - 0 1", false)
	if !p.HasPieces(chess.White) || p.HasPieces(chess.Black) {
		t.Errorf("HasPieces: white %v, black %v", p.HasPieces(chess.White), p.HasPieces(chess.Black))
	}
}

// TestString checks the drawing of the board.
func TestString(t *testing.T) {
	p := parse(t, "r3k3/8/8/8/8/8/8/4K2R w K - 0 1", false)
	s := p.String()
	for _, part := range []string{
		"\n | r |   |   |   | k |   |   |   | 8\n",
		"\n |   |   |   |   | K |   |   | R | 1\n",
		"   a   b   c   d   e   f   g   h\n",
	} {
		if !strings.Contains(s, part) {
			t.Errorf("no %q in\n%s", part, s)
		}
	}
}
