package movegen_test

import (
	"fmt"
	"log"

	"skein/chess"
	"skein/movegen"
	"skein/position"
)

func ExampleLegal() {
	p, err := position.Parse("7k/8/8/8/8/1b6/PPPr4/K2R4 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range movegen.Legal(&p) {
		if p.IsCapture(m) {
			fmt.Println(m)
		}
	}
	// Output:
	// c2b3
	// a2b3
	// d1d2
}

// Generate fills a list without allocating, here with captures and promotions.
func ExampleGenerate() {
	p, err := position.Parse("n1n1k3/1P6/8/8/8/8/8/4K3 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	var list chess.MoveList
	movegen.Generate(&p, movegen.Noisy, &list)
	fmt.Println(list.Len(), "captures and promotions,", movegen.Count(&p), "moves")
	// Output:
	// 12 captures and promotions, 17 moves
}

func ExampleIsLegal() {
	p := position.Start()
	fmt.Println(movegen.IsLegal(&p, chess.NewMove(chess.E2, chess.E4)))
	fmt.Println(movegen.IsLegal(&p, chess.NewMove(chess.E1, chess.E2)))
	// Output:
	// true
	// false
}

func ExamplePerft() {
	p := position.Start()
	for depth := 1; depth <= 4; depth++ {
		fmt.Println(depth, movegen.Perft(&p, depth))
	}
	// Output:
	// 1 20
	// 2 400
	// 3 8902
	// 4 197281
}
