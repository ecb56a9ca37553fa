package chess_test

import (
	"fmt"

	"skein/chess"
)

// The squares that a rook on d4 attacks, with pieces on d6 and g4.
func ExampleRookAttacks() {
	d4, d6, g4 := chess.MakeSquare(3, 3), chess.MakeSquare(3, 5), chess.MakeSquare(6, 3)
	attacks := chess.RookAttacks(d4, d6.Bit()|g4.Bit())
	fmt.Print(attacks)
	fmt.Println(attacks.Count(), "squares")
	// Output:
	// ........
	// ........
	// ...x....
	// ...x....
	// xxx.xxx.
	// ...x....
	// ...x....
	// ...x....
	// 11 squares
}

// The squares of a set are taken from it one by one.
func ExampleBitboard_Pop() {
	for set := chess.KnightAttacks(chess.A1); set != 0; {
		fmt.Println(set.Pop())
	}
	// Output:
	// c2
	// b3
}

// Castling is king takes own rook, a promotion names its piece.
func ExampleMove() {
	e7, e8 := chess.MakeSquare(4, 6), chess.E8
	for _, m := range []chess.Move{
		chess.NewMove(chess.G1, chess.MakeSquare(5, 2)),
		chess.NewCastling(chess.E1, chess.H1),
		chess.NewPromotion(e7, e8, chess.Queen),
		chess.NoMove,
	} {
		fmt.Println(m, m.IsCastling(), m.IsPromotion())
	}
	// Output:
	// g1f3 false false
	// e1h1 true false
	// e7e8q false true
	// 0000 false false
}

// Scores are shown as centipawns or as moves to mate.
func ExampleScore() {
	for _, s := range []chess.Score{128, chess.MateIn(5), chess.MatedIn(2)} {
		if moves, ok := s.Mate(); ok {
			fmt.Println("mate in", moves)
		} else {
			fmt.Println(s.Centipawns(), "centipawns")
		}
	}
	// Output:
	// 50 centipawns
	// mate in 3
	// mate in -1
}
