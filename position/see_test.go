package position_test

import (
	"strconv"
	"strings"
	"testing"

	"skein/chess"
	"skein/position"
)

// seeDeviations holds our values where they differ from the suite's on purpose.
var seeDeviations = map[string]int{
	// After RxR BxR the suite promotes with bxc8=Q, so that Black would not
	// take back; we count the pawn's capture but not its promotion.
	"2r5/1P4pk/p2p1b1p/5b1n/BB3p2/2R2p2/P1P2P2/4RK2 w - - | c3c8": 300,
	// After BxB PxB RxP the pawn that would take the rook is pinned, which the suite
	// ignores.
	"6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - - | f4e5": 100,
}

// TestSEE checks the threshold from both sides of each known value.
func TestSEE(t *testing.T) {
	for _, line := range lines(t, "epd/see.epd", false) {
		f := strings.Split(line.Text, "|") // FEN, move, value, remark
		p := parse(t, f[0], false)
		m := move(t, &p, strings.TrimSpace(f[1]))
		value, err := strconv.Atoi(strings.TrimSpace(f[2]))
		if err != nil {
			t.Fatalf("%s: %v", line.Where, err)
		}
		if v, ok := seeDeviations[strings.TrimSpace(f[0])+" | "+m.String()]; ok {
			value = v
		}
		if !p.SEE(m, value) || p.SEE(m, value+1) {
			t.Errorf("%s: %s: not worth %d", line.Where, line.Text, value)
		}
	}
}

// TestSEETable adds what the suite has not.
func TestSEETable(t *testing.T) {
	for _, test := range []struct {
		fen, move string
		value     int
	}{
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", 0},            // castling
		{"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", 0},            // nobody answers
		{"1n2k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a6", -500},       // a quiet move into an attack
		{"4k3/8/3r4/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", 100},     // en passant opens no file here
		{"4r1k1/8/8/8/3pP3/8/8/4R1K1 b - e3 0 1", "d4e3", 100},   // but the rook's behind the pawn taken
		{"k3r2q/8/8/4p3/8/5N2/4Q3/4R1K1 w - - 0 1", "f3e5", 100}, // a rook behind the queen
		{"3qk3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0},        // taken back after en passant
		{"4k3/3p4/4p3/8/8/8/4R3/4R1K1 w - - 0 1", "e2e6", -300},  // the second rook behind the first
		{"4k3/8/4p3/8/8/8/4R3/4R1K1 w - - 0 1", "e2e6", 100},     // no king may take the protected rook
		{"4k3/4p3/8/8/8/8/4R3/6K1 w - - 0 1", "e2e7", -400},      // but the unprotected one
		{"4k3/4n3/8/3p4/8/8/8/3RR1K1 w - - 0 1", "d1d5", 100},    // the defender is pinned
		{"4k3/4n3/8/3p4/8/8/8/3R2K1 w - - 0 1", "d1d5", -400},    // it is not
		{"4k3/4n3/8/3pR3/8/8/8/6K1 w - - 0 1", "e5d5", -400},     // the pinning rook itself takes
		{"8/5k2/4p3/8/2B5/2N5/8/6K1 w - - 0 1", "c3d5", -200},    // a pinned pawn takes along the pin
		{"4r1k1/8/2p5/3p4/8/4N3/8/3RK3 w - - 0 1", "d1d5", -400}, // the own knight is pinned
		{"6k1/8/2p5/3p4/8/4N3/8/3RK3 w - - 0 1", "d1d5", -300},   // and helps otherwise
	} {
		p := parse(t, test.fen, false)
		m := move(t, &p, test.move)
		if !p.SEE(m, test.value) || p.SEE(m, test.value+1) {
			t.Errorf("%s, %s: not worth %d", test.fen, test.move, test.value)
		}
	}
	for want, kind := range map[int]chess.PieceType{100: chess.Pawn, 900: chess.Queen, 0: chess.King} {
		if got := position.SEEValue(kind); got != want {
			t.Errorf("SEEValue(%v) = %d, want %d", kind, got, want)
		}
	}
}
