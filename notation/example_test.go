package notation_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

func ExampleParseSAN() {
	p := position.Start()
	for _, text := range []string{"e4", "Ng1-f3", "0-0", "Nd2"} {
		m, err := notation.ParseSAN(&p, text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(notation.FormatUCI(m, false), notation.FormatSAN(&p, m))
	}
	// Output:
	// e2e4 e4
	// g1f3 Nf3
	// move "0-0": illegal: castling is prevented
	// move "Nd2": illegal: the square is occupied by the same side
}

func ExampleReader_All() {
	const file = `[White "Morphy"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 (2... Nc6! {is usual}) 3. d4 Bg4 1-0

[White "Nobody"]

1. e4 e5 2. Ke3 *
`
	for g, err := range notation.NewReader(strings.NewReader(file)).All() {
		if g == nil {
			log.Fatal(err) // the file cannot be read on
		}
		fmt.Println(g.Tags.Get("White"), g.Result, notation.FormatLine(&g.Start, g.Moves()))
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// Morphy 1-0 1. e4 e5 2. Nf3 d6 3. d4 Bg4
	// Nobody * 1. e4 e5
	// game 2, line 8, column 13: move "Ke3": illegal: no such piece can move there
}

func ExampleWriter() {
	g := notation.NewGame(position.Start(), false)
	g.Tags.Set("White", "Anderssen")
	p := g.Start
	for _, text := range []string{"e4", "e5", "f4"} {
		m, err := notation.ParseSAN(&p, text)
		if err != nil {
			log.Fatal(err)
		}
		g.Main.Add(m)
		p = p.After(m)
	}
	g.Main.Moves[2].Notes = &notation.Notes{NAGs: []byte{5}, Comment: "The King's Gambit"}
	if err := notation.NewWriter(os.Stdout).Write(g); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Anderssen"]
	// [Black "?"]
	// [Result "*"]
	//
	// 1. e4 e5 2. f4 $5 {The King's Gambit} *
}

// A null move, -- in a file, shows what a side threatens. It is NoMove.
func Example_nullMove() {
	const file = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Qe7 (3... -- 4. Qxf7#) *"
	g, err := notation.NewReader(strings.NewReader(file)).Read()
	if err != nil {
		log.Fatal(err)
	}
	last := g.Main.Moves[5]
	before := g.After(5).Pos
	for _, variation := range last.Notes.Variations {
		p := before
		for _, node := range variation.Moves {
			fmt.Println(node.Move == chess.NoMove, notation.FormatSAN(&p, node.Move))
			p = p.After(node.Move)
		}
	}
	// Output:
	// true --
	// false Qxf7#
}

func ExampleParseEPD() {
	e, err := notation.ParseEPD(`2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";`, false)
	if err != nil {
		log.Fatal(err)
	}
	best, err := e.Moves("bm")
	fmt.Println(e.Text("id"), best, err)
	// Output:
	// WAC.001 [g3g6] <nil>
}
