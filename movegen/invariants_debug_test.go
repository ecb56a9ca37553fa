//go:build debug

package movegen

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"skein/chess"
	"skein/internal/invariant"
	"skein/position"
)

// TestFaultyLists damages move lists and expects errors that name the fault.
func TestFaultyLists(t *testing.T) {
	const fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
	p, err := position.Parse(fen, true)
	if err != nil {
		t.Fatal(err)
	}
	without := func(moves []chess.Move, m chess.Move) []chess.Move {
		at := slices.Index(moves, m)
		return slices.Delete(moves, at, at+1)
	}
	castling, capture := chess.NewCastling(chess.E1, chess.A1), chess.NewMove(21, 45) // f3f6
	for _, test := range []struct {
		name   string
		stage  Stage
		damage func(moves []chess.Move) []chess.Move
		want   string
	}{
		{"nothing", All, func(moves []chess.Move) []chess.Move { return moves }, ""},
		{"illegal", All, func(moves []chess.Move) []chess.Move { moves[7] = chess.NewMove(0, 63); return moves },
			"a1h8 (code 0x0fc0) is not legal"},
		{"no kind", All, func(moves []chess.Move) []chess.Move { moves[7] |= 0x8000; return moves }, "is not legal"},
		{"twice", All, func(moves []chess.Move) []chess.Move { return append(moves, moves[5]) }, "comes twice"},
		{"quiet capture", Quiet, func(moves []chess.Move) []chess.Move { return append(moves, capture) },
			"f3f6 is not of stage 2"},
		{"noisy castling", Noisy, func(moves []chess.Move) []chess.Move { return append(moves, castling) },
			"e1a1 is not of stage 1"},
		{"no castling", All, func(moves []chess.Move) []chess.Move { return without(moves, castling) },
			"e1a1 (code 0x1004) is missing"},
		{"no capture", Noisy, func(moves []chess.Move) []chess.Move { return without(moves, capture) },
			"f3f6 (code 0x0b55) is missing"},
	} {
		var list chess.MoveList
		Generate(&p, test.stage, &list)
		err := validateMoves(&p, test.stage, test.damage(slices.Clone(list.Slice())), true)
		if (err != nil) != (test.want != "") ||
			err != nil && !(strings.Contains(err.Error(), test.want) && strings.Contains(err.Error(), fen)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	if err := validateCount(&p, 47); err == nil || !strings.Contains(err.Error(), "47 moves counted, 48 generated") {
		t.Errorf("a count of 47: error %v", err)
	}
}

// TestSampled expects slow checks for some positions, and not for all.
func TestSampled(t *testing.T) {
	n, positions := 0, sample(t, 1)
	for _, p := range positions {
		if sampled(&p) {
			n++
		}
	}
	if n == 0 || n > len(positions)/16 {
		t.Errorf("%d of %d positions are sampled", n, len(positions))
	}
}

// TestFaultyPosition generates moves in a position whose bitboards have a pawn
// and a knight on e2.
func TestFaultyPosition(t *testing.T) {
	p := position.Start()
	byType := (*[8]chess.Bitboard)(unsafe.Pointer(&p)) // its first field
	if byType[chess.Knight] != p.Pieces(chess.Knight) {
		t.Fatal("the bitboards by type are not the first field of a position")
	}
	byType[chess.Knight] |= 1 << 12
	v := invariant.Catch(func() { Generate(&p, All, new(chess.MoveList)) })
	if v == nil || !strings.Contains(v.Message, "e2") {
		t.Errorf("violation %v, want an illegal move from e2", v)
	}
}
