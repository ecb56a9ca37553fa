package openings_test

import (
	"fmt"
	"log"
	"strings"

	"skein/notation"
	"skein/openings"
	"skein/position"
)

// The name of a game is that of its last position that has one.
func ExampleOf() {
	const file = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. a3 h5 *"
	g, err := notation.NewReader(strings.NewReader(file)).Read()
	if err != nil {
		log.Fatal(err)
	}
	opening, plies := openings.Of(g.Start, g.Moves())
	fmt.Println(opening.ECO, opening.Name)
	fmt.Println(notation.FormatLine(&g.Start, g.Moves()[:plies]))
	// Output:
	// B90 Sicilian Defense: Najdorf Variation
	// 1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6
}

// A position has the same name whatever the order of the moves that led to it.
func ExampleAt() {
	p, err := position.Parse("rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4", false)
	if err != nil {
		log.Fatal(err)
	}
	if opening, ok := openings.At(&p); ok {
		fmt.Println(opening.ECO, opening.Name)
	}
	// Output:
	// D80 Grünfeld Defense
}

func ExampleAll() {
	start := position.Start()
	for _, opening := range openings.All() {
		if opening.Family() == "Sodium Attack" {
			fmt.Println(opening.ECO, opening.Name, notation.FormatLine(&start, opening.Moves))
		}
	}
	// Output:
	// A00 Sodium Attack 1. Na3
	// A00 Sodium Attack: Durkin Gambit 1. Na3 e5 2. Nc4 Nc6 3. e4 f5
	// A00 Sodium Attack: Celadon Variation 1. Na3 e5 2. d3 Bxa3 3. bxa3 d5 4. e3 c5 5. Rb1
	// A00 Sodium Attack: Chenoboskion Variation 1. Na3 g6 2. g4
}
