package notation

import (
	"errors"
	"strings"
	"testing"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

func parse(t testing.TB, fen string, chess960 bool) *position.Position {
	t.Helper()
	p, err := position.Parse(fen, chess960)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return &p
}

// The texts of san/move-parse.tsv that ParseUCI reads otherwise than the
// oracle: there is no null move, promotion letters may be upper case, and those
// of kings and pawns make no move of any position.
var uciDifferences = map[string]string{
	"0000":  "illegal",
	"c7d8Q": "c7d8q",
	"a7a8k": "malformed", "a7a8p": "malformed",
}

func TestParseUCICorpus(t *testing.T) {
	compareToMoveParse(t, 4, ParseUCI, uciDifferences)
}

func TestParseUCICastling(t *testing.T) {
	const standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, tt := range []struct {
		fen      string
		chess960 bool
		text     string
		want     chess.Move
	}{
		{standard, false, "e1g1", chess.NewCastling(chess.E1, chess.H1)},
		{standard, false, "e1h1", chess.NewCastling(chess.E1, chess.H1)},
		{standard, true, "e1c1", chess.NewCastling(chess.E1, chess.A1)},
		{standard, true, "e1a1", chess.NewCastling(chess.E1, chess.A1)},
		{strings.Replace(standard, " w ", " b ", 1), false, "e8g8", chess.NewCastling(chess.E8, chess.H8)},
		{strings.Replace(standard, " w ", " b ", 1), true, "e8a8", chess.NewCastling(chess.E8, chess.A8)},
		// The king's own step to g1 is no castling.
		{"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", true, "f1g1", chess.NewMove(chess.F1, chess.G1)},
		{"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", true, "f1h1", chess.NewCastling(chess.F1, chess.H1)},
		// A rook on its square without a right to castle.
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false, "e1g1", chess.NoMove},
		{"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false, "e1h1", chess.NoMove},
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", false, "e1g1", chess.NoMove},
	} {
		m, err := ParseUCI(parse(t, tt.fen, tt.chess960), tt.text)
		if m != tt.want || (err == nil) != (tt.want != chess.NoMove) {
			t.Errorf("%s: %s: got %v, %v, want %v", tt.fen, tt.text, m, err, tt.want)
		}
	}
}

func TestParseUCIErrors(t *testing.T) {
	const promoting = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
	for _, tt := range []struct{ fen, text, want string }{
		{position.StartFEN, "", "malformed"},
		{position.StartFEN, "e2", "malformed"},
		{position.StartFEN, strings.Repeat("x", 1000), "malformed"},
		{position.StartFEN, "i2i4", "two squares"},
		{position.StartFEN, "e2e9", "two squares"},
		{position.StartFEN, "e2e4x", "promotions"},
		{position.StartFEN, "e2e4q", "only a pawn on its last rank"},
		{position.StartFEN, "e3e4", "e3 is empty"},
		{position.StartFEN, "e7e5", "white is to move"},
		{position.StartFEN, "e2e5", "illegal: the piece does not move there"},
		{position.StartFEN, "b1b3", "illegal: the piece does not move there"},
		{position.StartFEN, "0000", "pass"},
		{"4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "does not move there"},
		{promoting, "a7a8", "promotion letter is missing"},
		{promoting, "a7a8k", "promotions"},
		{promoting, "a7b8", "does not move there"},
		{"4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "a1a2", "leaves the king in check"},
		{"4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "d2d4", "leaves the king in check"},
		{"4k3/8/8/8/1b6/4p3/3P4/4K3 w - - 0 1", "d2e3", "leaves the king in check"},
		{"4k3/8/8/8/1b6/3p4/3P4/4K3 w - - 0 1", "d2d4", "does not move there"},
		{position.StartFEN, "e1h1", "castling is prevented"},
	} {
		m, err := ParseUCI(parse(t, tt.fen, false), tt.text)
		var moveErr *MoveError
		if !errors.As(err, &moveErr) || m != chess.NoMove || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, %v, want an error with %q", tt.text, m, err, tt.want)
		}
		if err != nil && len(err.Error()) > 120 {
			t.Errorf("%.20q: the error is %d bytes long", tt.text, len(err.Error()))
		}
	}
}

// TestTakenKing takes a king, which the rules of a position that cannot arise would allow.
func TestTakenKing(t *testing.T) {
	p, err := position.ParseLenient("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseUCI(&p, "e2e8"); err == nil || !strings.Contains(err.Error(), takesKing) {
		t.Errorf("e2e8: %v", err)
	}
	if _, err := ParseSAN(&p, "Rxe8"); err == nil || !strings.Contains(err.Error(), takesKing) {
		t.Errorf("Rxe8: %v", err)
	}
	if _, err := ParseUCI(&p, "e2e1"); err == nil || !strings.Contains(err.Error(), "does not move there") {
		t.Errorf("e2e1, onto the own king: %v", err)
	}
}

func TestFormatUCI(t *testing.T) {
	for _, tt := range []struct {
		move                   chess.Move
		standard, fischerChess string
	}{
		{chess.NoMove, "0000", "0000"},
		{chess.NewMove(chess.E1, chess.G1), "e1g1", "e1g1"},
		{chess.NewCastling(chess.E1, chess.H1), "e1g1", "e1h1"},
		{chess.NewCastling(chess.E8, chess.A8), "e8c8", "e8a8"},
		{chess.NewPromotion(chess.A7, chess.A8, chess.Knight), "a7a8n", "a7a8n"},
	} {
		if got := FormatUCI(tt.move, false); got != tt.standard {
			t.Errorf("got %s, want %s", got, tt.standard)
		}
		if got := FormatUCI(tt.move, true); got != tt.fischerChess {
			t.Errorf("chess960: got %s, want %s", got, tt.fischerChess)
		}
	}
}

var roundTripFENs = []string{
	position.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
	"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
}

func TestUCIRoundTrip(t *testing.T) {
	for _, fen := range roundTripFENs {
		p := parse(t, fen, true)
		for _, m := range movegen.Legal(p) {
			if got, err := ParseUCI(p, FormatUCI(m, true)); got != m || err != nil {
				t.Errorf("%s: %v read back as %v, %v", fen, m, got, err)
			}
		}
	}
}

func FuzzParseUCI(f *testing.F) {
	for i, text := range []string{"e2e4", "e1g1", "a7a8Q", "0000", "e1h1", "", "e9", "g4f3"} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, i uint8, text string) {
		p := parse(t, roundTripFENs[int(i)%len(roundTripFENs)], true)
		m, err := ParseUCI(p, text)
		if err != nil {
			if m != chess.NoMove {
				t.Fatalf("%q: both %v and %v", text, m, err)
			}
			return
		}
		if !movegen.IsLegal(p, m) {
			t.Fatalf("%q: %v is illegal", text, m)
		}
		if again, err := ParseUCI(p, FormatUCI(m, true)); again != m || err != nil {
			t.Fatalf("%q: %v read back as %v, %v", text, m, again, err)
		}
	})
}
