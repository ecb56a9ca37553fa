package chess_test

import (
	"fmt"

	"skein/chess"
)

// The squares that a rook on d4 attacks, with pieces on d6 and g4.
func ExampleRookAttacks() {
	attacks := chess.RookAttacks(chess.D4, chess.D6.Bit()|chess.G4.Bit())
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
	for _, m := range []chess.Move{
		chess.NewMove(chess.G1, chess.F3),
		chess.NewCastling(chess.E1, chess.H1),
		chess.NewPromotion(chess.E7, chess.E8, chess.Queen),
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
