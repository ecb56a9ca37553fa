package record_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/record"
	"skein/position"
	"skein/rules"
)

// TestExpectedPoints compares with numbers computed by hand.
func TestExpectedPoints(t *testing.T) {
	for _, test := range []struct{ score, scale, want float64 }{
		{0, 300, 0.5}, {300, 300, 0.731059}, {-300, 300, 0.268941}, {330, 300, 0.750260}, {-400, 200, 0.119203},
		{math.Inf(1), 300, 1}, {math.Inf(-1), 300, 0},
	} {
		if got := record.ExpectedPoints(test.score, test.scale); !(math.Abs(got-test.want) < 1e-6) {
			t.Errorf("score %g, scale %g: %g, want %g", test.score, test.scale, got, test.want)
		}
	}
}

func TestEntry(t *testing.T) {
	for _, g := range games(t, 500, 0) {
		e := record.Entry{Position: g.Start, Score: -1234, Result: g.Result}
		packed := e.Pack()
		if got, err := packed.Unpack(); err != nil || got != e {
			t.Errorf("%v became %v, %v", e, got, err)
		}
		if got, err := record.ParseEntry(e.String()); err != nil || got != e {
			t.Errorf("%v became %v, %v", e, got, err)
		}
	}
	e := record.Entry{Position: parse(t, "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9"), Score: 517, Result: rules.WhiteWins}
	if got := e.String(); got != "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 | 517 | 1.0" {
		t.Error(got)
	}
	if b := e.Pack(); b[28] != 5 || b[29] != 2 || b[30] != 2 {
		t.Errorf("score and result are %v", b[28:])
	}
	b := e.Pack()
	b[30] = 3
	if _, err := b.Unpack(); err == nil || err.Error() != "3 is not a result" {
		t.Error("a bad result:", err)
	}
	fen := "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
	for line, want := range map[string]string{
		"":                      "fields",
		fen + " | 5":            "2 fields",
		"4k3/8 w - - | 5 | 0.5": "FEN",
		fen + " | five | 0.5":   `"five" is not a score`,
		fen + " | 40000 | 0.5":  "score",
		fen + " | 5 | 0.7":      `"0.7" is not a result`,
	} {
		if _, err := record.ParseEntry(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
	for _, line := range []string{fen + "|-5|1", fen + " | -5 | 1.0 | an engine", fen + " | -5 | 1.0 | an engine | 2"} {
		if e, err := record.ParseEntry(line); err != nil || e.Score != -5 || e.Result != rules.WhiteWins {
			t.Error(line, e, err)
		}
	}
}

// TestPacked compares the methods that read parts of packed entries with
// Unpack.
func TestPacked(t *testing.T) {
	for _, g := range games(t, 500, 0) {
		e := record.Entry{Position: g.Start, Score: -1234, Result: g.Result}
		b, p := e.Pack(), &g.Start
		result, err := b.Result()
		if err != nil || result != g.Result || b.Score() != -1234 || b.SideToMove() != p.SideToMove() ||
			b.Fullmoves() != p.Fullmoves() || b.Occupied() != p.Occupied() {
			t.Errorf("%s: %v (%v), score %d, %v to move, move %d, occupied %x",
				e.String(), result, err, b.Score(), b.SideToMove(), b.Fullmoves(), b.Occupied())
		}
		var men record.Men
		if err := b.Men(&men); err != nil {
			t.Fatal(err)
		}
		squares := chess.Bitboard(0)
		for i, s := range men.Squares[:men.N] {
			squares |= s.Bit()
			if men.Pieces[i] != p.At(s) || i > 0 && s <= men.Squares[i-1] {
				t.Errorf("%v: man %d is %c on %v", e.String(), i, men.Pieces[i].Letter(), s)
			}
		}
		if squares != p.Occupied() || men.CastlingRooks != p.CastlingRooks(chess.White)|p.CastlingRooks(chess.Black) {
			t.Errorf("%v: men on %x, castling rooks %x", e.String(), squares, men.CastlingRooks)
		}
	}
}

// TestPackedDamage reads parts of entries that Pack never writes.
func TestPackedDamage(t *testing.T) {
	good := (&record.Entry{Position: position.Start(), Result: rules.Draw}).Pack()
	for want, damage := range map[string]func(b *record.Packed){
		"64 men":                 func(b *record.Packed) { copy(b[:8], "\xff\xff\xff\xff\xff\xff\xff\xff") },
		"33 men":                 func(b *record.Packed) { b[2] = 1 },
		"code 7 is not a piece":  func(b *record.Packed) { b[8] = 7 },
		"code 15 is not a piece": func(b *record.Packed) { b[23] |= 0xf0 },
		"255 is not a result":    func(b *record.Packed) { b[30] = 255 },
	} {
		b := good
		damage(&b)
		var men record.Men
		err := b.Men(&men)
		if err == nil {
			_, err = b.Result()
		}
		if err == nil || err.Error() != want {
			t.Errorf("%v instead of %s", err, want)
		}
		if _, err := b.Unpack(); err == nil || err.Error() != want {
			t.Errorf("unpacked: %v instead of %s", err, want)
		}
	}
}

// TestNoResult expects errors for games and entries without a result.
func TestNoResult(t *testing.T) {
	w, _, err := record.Open(t.Context(), filepath.Join(t.TempDir(), "games.skr"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Write(&record.Game{Start: position.Start()}); err == nil || err.Error() != "game without a result" {
		t.Error("a game:", err)
	}
	e := record.Entry{Position: position.Start()}
	if _, err := record.ParseEntry(e.String()); err == nil || !strings.Contains(err.Error(), `"*" is not a result`) {
		t.Errorf("%q: %v", e.String(), err)
	}
	defer func() {
		if recover() == nil {
			t.Error("an entry without a result was packed")
		}
	}()
	e.Pack()
}

func TestFilter(t *testing.T) {
	quiet, check := parse(t, "4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 9"), parse(t, "4k3/8/8/8/4r3/8/8/4K3 w - - 0 9")
	step, capture := chess.NewMove(chess.E1, chess.D1), chess.NewMove(28, 35)
	promotion := chess.NewPromotion(48, chess.A8, chess.Queen)
	f := record.Filter{MinMove: 9, MaxScore: 100, Quiet: true}
	for i, test := range []struct {
		filter record.Filter
		in     bool // use the position in check
		ply    record.Ply
		keep   bool
	}{
		{f, false, record.Ply{Move: step, Score: -100}, true},
		{f, false, record.Ply{Move: step, Score: -101}, false},
		{f, false, record.Ply{Move: step, Score: 101}, false},
		{f, false, record.Ply{Move: capture}, false},
		{f, false, record.Ply{Move: promotion}, false},
		{f, true, record.Ply{Move: step}, false},
		{record.Filter{MinMove: 10}, false, record.Ply{Move: step}, false},
		{record.Filter{}, true, record.Ply{Move: capture, Score: 32000}, true},
	} {
		p := &quiet
		if test.in {
			p = &check
		}
		if test.filter.Keep(p, test.ply) != test.keep {
			t.Errorf("case %d: kept is not %v", i, test.keep)
		}
	}
}

// FuzzUnpack packs again whatever can be unpacked.
func FuzzUnpack(f *testing.F) {
	for _, line := range []string{"4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 | 517 | 1.0",
		"rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3 | -5 | 0.5"} {
		e, err := record.ParseEntry(line)
		if err != nil {
			f.Fatal(err)
		}
		b := e.Pack()
		f.Add(b[:])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < record.EntrySize {
			return
		}
		b := record.Packed(data)
		b[record.EntrySize-1] = 0 // unused by entries
		if e, err := b.Unpack(); err == nil && e.Pack() != b {
			t.Errorf("%x became %x", b, e.Pack())
		}
	})
}

func FuzzParseEntry(f *testing.F) {
	f.Add("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 | 517 | 1.0")
	f.Add("4k3/8/8/8/8/8/8/4K3 b - - | -5 | 0")
	f.Fuzz(func(t *testing.T, line string) {
		e, err := record.ParseEntry(line)
		if err != nil {
			return
		}
		if again, err := record.ParseEntry(e.String()); err != nil || again != e {
			t.Errorf("%q became %v, %v", line, again, err)
		}
		packed := e.Pack()
		if again, err := packed.Unpack(); err != nil || again != e {
			t.Errorf("%q packed became %v, %v", line, again, err)
		}
	})
}
