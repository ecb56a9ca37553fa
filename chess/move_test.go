package chess

import "testing"

// TestMovePacking takes every pair of squares through every constructor.
func TestMovePacking(t *testing.T) {
	seen := map[Move]bool{}
	for from := A1; from <= H8; from++ {
		for to := A1; to <= H8; to++ {
			type kind struct{ castling, enPassant, promotion bool }
			check := func(m Move, want kind) {
				t.Helper()
				if got := (kind{m.IsCastling(), m.IsEnPassant(), m.IsPromotion()}); got != want || m.From() != from ||
					m.To() != to {
					t.Errorf("move %#04x from %v to %v reads %v to %v, %+v, want %+v", uint16(m), from, to, m.From(),
						m.To(), got, want)
				}
				if seen[m] {
					t.Errorf("move %#04x made twice", uint16(m))
				}
				seen[m] = true
			}
			check(NewMove(from, to), kind{})
			for _, p := range []PieceType{NoPieceType, Pawn, King} {
				if m := NewPromotion(from, to, p); m>>12 != 8 || m.IsPromotion() {
					t.Errorf("promotion to %v is %#04x", p, uint16(m))
				}
			}
			check(NewCastling(from, to), kind{castling: true})
			check(NewEnPassant(from, to), kind{enPassant: true})
			for p := Knight; p <= Queen; p++ {
				m := NewPromotion(from, to, p)
				check(m, kind{promotion: true})
				if m.Promotion() != p {
					t.Errorf("promotion to %v reads %v", p, m.Promotion())
				}
			}
		}
	}
	if NewMove(A1, A1) != NoMove {
		t.Error("NoMove is not a1a1")
	}
}

func TestMoveString(t *testing.T) {
	for _, test := range []struct {
		m    Move
		want string
	}{
		{NoMove, "0000"},
		{NewMove(E1, G1), "e1g1"},
		{NewCastling(E1, H1), "e1h1"},
		{NewEnPassant(36, 43), "e5d6"},
		{NewPromotion(52, E8, Knight), "e7e8n"},
		{NewPromotion(52, E8, Queen), "e7e8q"},
	} {
		if got := test.m.String(); got != test.want {
			t.Errorf("String = %q, want %q", got, test.want)
		}
	}
}

func TestCastlingTargets(t *testing.T) {
	for _, test := range []struct{ king, rook, kingTo, rookTo Square }{
		{E1, H1, G1, F1},
		{E1, A1, C1, D1},
		{E8, H8, G8, F8},
		{E8, A8, C8, D8},
		{B1, A1, C1, D1},
		{B1, C1, G1, F1},
		{G8, F8, C8, D8},
		{F8, G8, G8, F8},
	} {
		kingTo, rookTo := NewCastling(test.king, test.rook).CastlingTargets()
		if kingTo != test.kingTo || rookTo != test.rookTo {
			t.Errorf("king %v, rook %v castle to %v, %v, want %v, %v", test.king, test.rook, kingTo, rookTo,
				test.kingTo, test.rookTo)
		}
	}
}

func TestMoveList(t *testing.T) {
	var l MoveList
	a, b := NewMove(E1, D1), NewMove(E1, F1)
	l.Add(a)
	l.Add(b)
	if l.Len() != 2 || len(l.Slice()) != 2 || l.Slice()[0] != a || l.Slice()[1] != b {
		t.Errorf("list is %v", l.Slice())
	}
	l.Extend(3)
	if l.Len() != 5 {
		t.Errorf("Len = %d after Extend", l.Len())
	}
	l.Clear()
	if l.Len() != 0 || len(l.Slice()) != 0 {
		t.Error("Clear left moves")
	}
	for range MaxMoves + 1 {
		l.Add(a)
	}
	defer func() {
		if recover() == nil {
			t.Error("a list of too many moves has a slice")
		}
	}()
	_ = l.Slice()
}
