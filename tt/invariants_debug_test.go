//go:build debug

package tt

import (
	"fmt"
	"strings"
	"testing"

	"skein/chess"
	"skein/internal/invariant"
)

// wantViolation expects f to violate an invariant with a message that contains
// want and the key.
func wantViolation(t *testing.T, k chess.Key, f func(), want string) {
	t.Helper()
	v := invariant.Catch(f)
	if v == nil || !strings.Contains(v.Message, want) || !strings.Contains(v.Message, fmt.Sprintf("key %x", k)) {
		t.Errorf("violation %v, want one of key %x: %s", v, k, want)
	}
}

// TestFaultyStore stores invalid entries.
func TestFaultyStore(t *testing.T) {
	table := open(t, goHeap)
	for _, test := range []struct {
		entry Entry
		want  string
	}{
		{Entry{Node: Node{Depth: 255}}, "depth 255"}, // -1 as a uint8
		{Entry{Node: Node{Bound: BoundExact + 1}}, "bound 4"},
		{Entry{Move: chess.NewMove(5, 5)}, "0x0145 is the code of no move"},
		{Entry{Move: chess.NewMove(0, 19)}, "0x04c0 is the code of no move"},        // a1d3
		{Entry{Move: 0x3000 | 1<<6}, "0x3040 is the code of no move"},               // no kind
		{Entry{Move: 0x8000 | 1<<6}, "0x8040 is the code of no move"},               // no kind
		{Entry{Move: chess.NewCastling(8, 15)}, "is the code of no move"},           // a2h2
		{Entry{Move: chess.NewEnPassant(12, 21)}, "is the code of no move"},         // e2f3
		{Entry{Move: chess.NewPromotion(12, 28, chess.Queen)}, "is the code of no"}, // e2e4
	} {
		wantViolation(t, key(1), func() { table.Store(key(1), test.entry) }, test.want)
	}
	wantNone(t, table, key(1))
}

// TestFaultyProbe probes data words that Store never writes.
func TestFaultyProbe(t *testing.T) {
	table := open(t, goHeap)
	sound := Entry{Move: 1, Node: Node{Depth: 3, Bound: BoundLower}}
	for _, test := range []struct {
		data uint64
		want string
	}{
		{sound.pack() &^ (0xff << depthShift), "depth 255"},
		{sound.pack() | 0x8000, "0x8001 is the code of no move"},
		{sound.pack() | 1<<14, "0x4001 is the code of no move"}, // a promotion from b1
	} {
		k := key(2)
		table.clusters[table.index(k)].store(4, k, test.data)
		wantViolation(t, k, func() { table.Probe(k) }, test.want)
	}
}

// TestPossibleMoves counts the possible moves: 1792 of queens and knights,
// castling on two ranks, 14 en-passant captures per side, and four promotions
// for each of 22 pawn moves per side.
func TestPossibleMoves(t *testing.T) {
	n := 0
	for code := range 1 << 16 {
		if possible(chess.Move(code)) {
			n++
		}
	}
	if want := 1 + 1792 + 2*8*7 + 2*14 + 4*2*22; n != want {
		t.Errorf("%d moves are possible, want %d", n, want)
	}
}
