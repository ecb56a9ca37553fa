package polyglot_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"skein/chess"
	"skein/notation"
	"skein/polyglot"
	"skein/position"
)

// A book has moves with weights. Its keys need to know of the double step of a pawn
// in the last move.
func Example() {
	book, err := polyglot.Open("../testdata/polyglot/openings-cc0.bin")
	if err != nil {
		log.Fatal(err)
	}
	defer book.Close()
	p, err := position.Parse("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", false)
	if err != nil {
		log.Fatal(err)
	}
	moves, err := book.Moves(&p, chess.E6) // skipped by e7e5
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range moves[:3] {
		fmt.Println(notation.FormatSAN(&p, e.Move), e.Weight)
	}
	fmt.Println(polyglot.Pick(moves, rand.Uint64()) != chess.NoMove)
	// Output:
	// Nf3 692
	// f4 190
	// Nc3 58
	// true
}
