package nnue

import (
	"math/rand/v2"
	"testing"

	"skein/chess"
	"skein/internal/simd"
)

// board returns men by type and color, or nil if they are on the same squares, there is not one king of each color, or
// a pawn is on the first or last rank.
func board(byType [6]chess.Bitboard, byColor [2]chess.Bitboard, castling chess.Bitboard) *men {
	var occupied chess.Bitboard
	for _, b := range byType {
		if occupied&b != 0 {
			return nil
		}
		occupied |= b
	}
	for _, b := range byColor {
		if kings := b & byType[chess.King]; kings == 0 || kings.Many() {
			return nil
		}
	}
	if byColor[0]&byColor[1] != 0 || occupied != byColor[0]|byColor[1] ||
		byType[chess.Pawn]&(chess.Rank1|chess.Rank8) != 0 {
		return nil
	}
	return &men{&byType, &byColor, castling}
}

// checkThreats compares the kernel of the level in use with the Go code.
func checkThreats(t *testing.T, m *men) {
	t.Helper()
	var got, want simd.Threats
	m.setThreats(&got)
	m.slowThreats(&want)
	if got != want {
		t.Fatalf("types %x, colors %x, castling %x:\n%x instead of\n%x", *m.byType, *m.byColor, m.castling, got, want)
	}
}

// TestThreats compares them on random boards.
func TestThreats(t *testing.T) {
	if !simd.SetThreats(new(simd.Threats), new([6]uint64), new([2]uint64), 0) {
		t.Skip("no kernel at this level")
	}
	r := rand.New(rand.NewPCG(1, 0))
	for boards := 0; boards < 100000; {
		var byType [6]chess.Bitboard
		var byColor [2]chess.Bitboard
		for i := range 2 + r.IntN(40) {
			square := chess.Square(r.IntN(64)).Bit() &^ (byColor[0] | byColor[1])
			color, kind := r.IntN(2), r.IntN(int(chess.King))
			if i < 2 {
				color, kind = i, int(chess.King)
			}
			byType[kind] |= square
			byColor[color] |= square
		}
		byType[chess.Queen] |= byType[chess.Pawn] & (chess.Rank1 | chess.Rank8)
		byType[chess.Pawn] &^= chess.Rank1 | chess.Rank8
		if m := board(byType, byColor, byType[chess.Rook]&chess.Bitboard(r.Uint64())); m != nil {
			checkThreats(t, m)
			boards++
		}
	}
}

func FuzzThreats(f *testing.F) {
	f.Add(uint64(0x700), uint64(2), uint64(4), uint64(1), uint64(8), uint64(1<<4|1<<60), uint64(1<<60), uint64(1))
	f.Fuzz(func(t *testing.T, pawns, knights, bishops, rooks, queens, kings, black, castling uint64) {
		byType, all := [6]chess.Bitboard{}, chess.Bitboard(0)
		for i, b := range []uint64{pawns, knights, bishops, rooks, queens, kings} {
			byType[i] = chess.Bitboard(b)
			all |= byType[i]
		}
		byColor := [2]chess.Bitboard{all &^ chess.Bitboard(black), all & chess.Bitboard(black)}
		if m := board(byType, byColor, chess.Bitboard(castling)); m != nil {
			checkThreats(t, m)
		}
	})
}
