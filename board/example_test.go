package board_test

import (
	"fmt"
	"log"
	"os"

	"skein/board"
	"skein/chess"
	"skein/position"
)

// The square of the last move is in brackets, the king in check in parentheses.
func ExampleText() {
	p, err := position.Parse("r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(board.Text(&p, board.Options{LastMove: chess.NewMove(chess.H5, chess.F7)}))
	// Output:
	//  8  r  .  b  q (k) b     r
	//  7  p  p  p  p  . [Q] p  p
	//  6     .  n  .     n     .
	//  5  .     .     p     . [ ]
	//  4     .  B  .  P  .     .
	//  3  .     .     .     .
	//  2  P  P  P  P     P  P  P
	//  1  R  N  B     K     N  R
	//     a  b  c  d  e  f  g  h
}

// A page shows the board from Black's side, with an arrow for a threat.
func ExampleSVG() {
	p, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	svg := board.SVG(&p, board.Options{
		Flipped: true,
		Arrows:  []board.Arrow{{From: chess.D1, To: chess.D8}},
		Theme:   board.DarkTheme(),
		Size:    600,
	})
	if err := os.WriteFile(os.DevNull, []byte(svg), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println(svg[:len("<svg xmlns")])
	// Output:
	// <svg xmlns
}
