package chess

import "testing"

func TestPieceLetters(t *testing.T) {
	const letters = "PNBRQKpnbrqk"
	for i := range letters {
		want := MakePiece(Color(i/6), PieceType(i%6))
		if got := PieceOf(letters[i]); got != want {
			t.Errorf("PieceOf(%q) = %d, want %d", letters[i], got, want)
		}
		if got := want.Letter(); got != letters[i] {
			t.Errorf("Letter of piece %d = %q, want %q", want, got, letters[i])
		}
		if want.Color() != Color(i/6) || want.Type() != PieceType(i%6) {
			t.Errorf("piece %q: color %v, type %v", letters[i], want.Color(), want.Type())
		}
	}
	read := 0
	for b := range 256 {
		if PieceOf(byte(b)) != NoPiece {
			read++
		}
	}
	if read != len(letters) {
		t.Errorf("PieceOf reads %d bytes, want %d", read, len(letters))
	}
	if got := NoPiece.Letter(); got != '.' {
		t.Errorf("NoPiece.Letter() = %q", got)
	}
	if NoPiece.Type() != NoPieceType || NoPieceType.String() != "" || Queen.String() != "q" {
		t.Error("NoPiece, NoPieceType or Queen spelt wrongly")
	}
	if White.String() != "white" || Black.String() != "black" || White.Other() != Black || Black.Other() != White {
		t.Error("colors spelt wrongly")
	}
}

func TestSquareOf(t *testing.T) {
	for s := A1; s <= H8; s++ {
		if got, ok := SquareOf(s.String()); got != s || !ok {
			t.Errorf("SquareOf(%q) = %v, %v", s, got, ok)
		}
		if MakeSquare(s.File(), s.Rank()) != s {
			t.Errorf("MakeSquare(%d, %d) != %v", s.File(), s.Rank(), s)
		}
		if s.Relative(White) != s || s.Relative(Black) != MakeSquare(s.File(), 7-s.Rank()) {
			t.Errorf("%v.Relative: %v, %v", s, s.Relative(White), s.Relative(Black))
		}
	}
	if E8.String() != "e8" || B1.String() != "b1" || E4.String() != "e4" || NoSquare.String() != "-" {
		t.Errorf("E8 is %v, NoSquare is %v", E8, NoSquare)
	}
	for _, s := range []string{"", "-", "e", "e44", "i4", "`4", "e0", "e9", "E4", "4e", "é", "\x00\x00"} {
		if got, ok := SquareOf(s); ok || got != NoSquare {
			t.Errorf("SquareOf(%q) = %v, %v", s, got, ok)
		}
	}
}

func TestBitboard(t *testing.T) {
	b := A1.Bit() | E1.Bit() | H8.Bit()
	if b.Count() != 3 || b.First() != A1 || b.Last() != H8 || !b.Many() || !b.Has(E1) || b.Has(D1) {
		t.Errorf("wrong about\n%v", b)
	}
	for _, want := range []Square{A1, E1, H8} {
		if got := b.Pop(); got != want {
			t.Errorf("Pop = %v, want %v", got, want)
		}
	}
	if b != 0 || b.Many() || b.First() != NoSquare || H8.Bit().Many() {
		t.Errorf("not empty:\n%v", b)
	}
	for s := A1; s <= H8; s++ {
		if !RankBB(s.Rank()).Has(s) || !FileBB(s.File()).Has(s) || RankBB(s.Rank())&FileBB(s.File()) != s.Bit() {
			t.Errorf("%v is not where its rank and file meet", s)
		}
		// a1 is dark.
		if got, want := LightSquares.Has(s), (s.File()+s.Rank())%2 == 1; got != want {
			t.Errorf("LightSquares.Has(%v) = %v", s, got)
		}
	}
	if HomeRank(White) != Rank1 || HomeRank(Black) != Rank8 {
		t.Error("home ranks are wrong")
	}
	const want = ".......x\n........\n........\n........\n........\n........\n........\nx.......\n"
	if got := (A1.Bit() | H8.Bit()).String(); got != want {
		t.Errorf("String =\n%v", got)
	}
}
