//go:build debug

package position

import (
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/invariant"
)

// wantViolation expects f to violate an invariant with a message that has all
// the words.
func wantViolation(t *testing.T, name string, f func(), words ...string) {
	t.Helper()
	v := invariant.Catch(f)
	if v == nil {
		t.Errorf("%s: no violation, want %q", name, words)
		return
	}
	for _, word := range words {
		if !strings.Contains(v.Message, word) {
			t.Errorf("%s: violation %q, want %q", name, v.Message, word)
		}
	}
}

// TestFaultsReachDo plays a2a3 and a null move from damaged positions, and
// expects a violation wherever the damage is still there afterwards.
func TestFaultsReachDo(t *testing.T) {
	m := chess.NewMove(8, 16)
	moves, nulls := 0, 0
	for _, f := range faults {
		_, faulty := damaged(t, f)
		if faulty.side > chess.Black || faulty.At(m.From()) != chess.MakePiece(faulty.side, chess.Pawn) {
			continue
		}
		var next Position
		var d Delta
		do := func() { faulty.Do(m, &next, &d) }
		invariant.Catch(do)
		if err := next.Validate(); err != nil {
			moves++
			wantViolation(t, f.name, do, "position: ", "move a2a3", err.Error())
		}
		doNull := func() { faulty.DoNull(&next) }
		invariant.Catch(doNull)
		if err := next.Validate(); err != nil {
			nulls++
			wantViolation(t, f.name, doNull, "position: ", "null move", err.Error())
		}
	}
	if min(moves, nulls) < 15 {
		t.Errorf("only %d faults met a move and %d a null move", moves, nulls)
	}
}

// TestIllegalMoves plays moves that break the rules.
func TestIllegalMoves(t *testing.T) {
	for _, test := range []struct {
		name, fen string
		move      chess.Move
		want      string
	}{
		{"from an empty square", StartFEN, chess.NewMove(16, 24), "no white piece on a3"},
		{"of the other side", StartFEN, chess.NewMove(48, 40), "no white piece on a7"},
		{"onto an own piece", StartFEN, chess.NewMove(0, 8), "takes a white piece"},
		{"of a pinned piece", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", chess.NewMove(12, 11), "white is in check"},
		{"of a pawn to the last rank", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", chess.NewMove(48, 56), "pawn on a8"},
		{"that takes the king", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", chess.NewMove(0, 60), "0 black kings"},
	} {
		p, err := Parse(test.fen, true)
		if err != nil {
			t.Fatal(err)
		}
		var next Position
		var d Delta
		wantViolation(t, test.name, func() { p.Do(test.move, &next, &d) }, p.FEN(), test.want)
	}
	p, err := Parse("4r1k1/8/8/8/8/8/8/4K3 w - - 0 1", true)
	if err != nil {
		t.Fatal(err)
	}
	var next Position
	wantViolation(t, "null move in check", func() { p.DoNull(&next) }, p.FEN(), "white is in check")
}

// TestWrongNulls damages what DoNull made.
func TestWrongNulls(t *testing.T) {
	p := Start()
	for want, damage := range map[string]func(next *Position){
		"white is still to move":  func(next *Position) { *next = p },
		"clock 0, expected 1":     func(next *Position) { next.halfmoves = 0 },
		"it leads to rnbqkbnr/pp": func(next *Position) { next.castling = 0 },
	} {
		var next Position
		p.DoNull(&next)
		damage(&next)
		next.keys = next.fullKeys()
		if err := p.validateNull(&next); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestWrongOutcomes damages what Do made: the Delta and all that follows from
// move and position before.
func TestWrongOutcomes(t *testing.T) {
	const (
		quiet   = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 7 20"
		capture = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 5 1"
		double  = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 1"
	)
	h8g8, e4d5, e2e4 := chess.NewMove(63, 62), chess.NewMove(28, 35), chess.NewMove(12, 28)
	for _, test := range []struct {
		name, fen string
		move      chess.Move
		damage    func(next *Position, d *Delta)
		want      string
	}{
		{"delta adds elsewhere", quiet, h8g8, func(_ *Position, d *Delta) { d.Added[0].Square-- }, "adds r on f8"},
		{"delta adds another piece", quiet, h8g8, func(_ *Position, d *Delta) { d.Added[0].Piece-- }, "adds b on g8"},
		{"delta adds too many", quiet, h8g8, func(_ *Position, d *Delta) { d.NumAdded = 3 }, "delta of 3"},
		{"delta adds nothing", quiet, h8g8, func(_ *Position, d *Delta) { d.NumAdded = 0 }, "leaves r on g8"},
		{"delta removes elsewhere", capture, e4d5, func(_ *Position, d *Delta) { d.Removed[0].Square = chess.E1 },
			"removes P from e1"},
		{"delta forgets the capture", capture, e4d5, func(_ *Position, d *Delta) { d.NumRemoved = 1 },
			"leaves . on d5"},
		{"clock not reset", capture, e4d5, func(next *Position, _ *Delta) { next.halfmoves = 6 },
			"clock 6, expected 0"},
		{"clock stands still", quiet, h8g8, func(next *Position, _ *Delta) { next.halfmoves-- }, "clock 7, expected 8"},
		{"move number stands still", quiet, h8g8, func(next *Position, _ *Delta) { next.fullmoves-- },
			"number 20, expected 21"},
		{"castling right kept too few", quiet, h8g8, func(next *Position, _ *Delta) {
			next.castling &^= chess.A1.Bit()
			next.keys = next.fullKeys()
		}, "castling rooks: h1 a8, expected a1 h1 a8"},
		{"en passant forgotten", double, e2e4, func(next *Position, _ *Delta) {
			next.enPassant = chess.NoSquare
			next.keys = next.fullKeys()
		}, "en-passant square -, expected e3"},
		{"nothing", capture, e4d5, func(*Position, *Delta) {}, ""},
	} {
		p, err := Parse(test.fen, true)
		if err != nil {
			t.Fatal(err)
		}
		var next Position
		var d Delta
		p.Do(test.move, &next, &d)
		test.damage(&next, &d)
		err = p.validateDo(test.move, &next, &d)
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
