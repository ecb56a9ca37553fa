package syzygy_test

import (
	"fmt"
	"log"

	"skein/position"
	"skein/syzygy"
)

// A folder of tables is opened once, and then probed.
func Example() {
	tables := syzygy.Open("../testdata/syzygy", func(err error) { log.Print(err) })
	defer tables.Close()
	p, err := position.Parse("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	result, err := tables.ProbeWDL(&p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tables.Largest(), "men,", result)
	// Output: 4 men, draw
}

func ExampleTables_ProbeDTZ() {
	tables := syzygy.Open("../testdata/syzygy", nil)
	defer tables.Close()
	p, err := position.Parse("8/8/8/3k4/8/8/8/K6R w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	plies, err := tables.ProbeDTZ(&p)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("mate in", (plies+1)/2, "moves")
	// Output: mate in 15 moves
}

// At the root all moves are ranked: here only one wins, in five plies to the next
// move of the pawn.
func ExampleTables_Rank() {
	tables := syzygy.Open("../testdata/syzygy", nil)
	defer tables.Close()
	p, err := position.Parse("3k4/8/2K5/3P4/8/8/8/8 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	ranking, err := tables.Rank(position.NewGame(p), true)
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range ranking.Moves {
		fmt.Println(m.Move, m.WDL, m.DTZ)
	}
	// Output:
	// c6d6 win 5
	// d5d6 draw 0
	// c6b5 draw 0
	// c6c5 draw 0
	// c6b6 draw 0
	// c6b7 draw 0
}
