package position_test

import (
	"fmt"
	"log"

	"skein/chess"
	"skein/movegen"
	"skein/notation"
	"skein/position"
)

func Example() {
	p, err := position.Parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	after := p.After(chess.NewCastling(chess.E1, chess.H1))
	fmt.Println(p.FEN()) // has not changed
	fmt.Println(after.FEN())
	// Output:
	// r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1
	// r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1
}

// An error names the field of the FEN and what is wrong with it.
func ExampleParse() {
	for _, fen := range []string{
		"8/8/8/8/8/8/8/K1k5 x - - 0 1",
		"4k3/8/8/8/8/8/8/4K3 w K - 0 1",
		"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", // castling rights of Chess960
	} {
		_, err := position.Parse(fen, false)
		fmt.Println(err)
	}
	// Output:
	// FEN: side to move: "x" is neither w nor b
	// FEN: castling rights: no white rook for K
	// FEN: castling rights: G with king on e1 and rook on g1 is Chess960
}

// A position is a value: to take a move back, keep the position from before it.
func ExamplePosition_After() {
	p := position.Start()
	line := []position.Position{p}
	for _, text := range []string{"e4", "e5", "Nf3"} {
		m, err := notation.ParseSAN(&p, text)
		if err != nil {
			log.Fatal(err)
		}
		p = p.After(m)
		line = append(line, p)
	}
	fmt.Println(p.FEN())
	p = line[len(line)-2] // without the last move
	fmt.Println(p.FEN())
	p = line[0]
	fmt.Println(p.FEN() == position.StartFEN)
	// Output:
	// rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2
	// rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
	// true
}

// The null move is NoMove. It shows what a side threatens.
func ExamplePosition_After_null() {
	p, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	passed := p.After(chess.NoMove)
	for _, m := range movegen.Legal(&passed) {
		if after := passed.After(m); after.InCheck() && movegen.Count(&after) == 0 {
			fmt.Println("White threatens", notation.FormatSAN(&passed, m))
		}
	}
	// Output:
	// White threatens Rd8#
}

// A Game keeps the history that the repetition rule needs.
func ExampleGame() {
	g := position.NewGame(position.Start())
	for range 2 {
		for _, text := range []string{"Nf3", "Nf6", "Ng1", "Ng8"} {
			m, err := notation.ParseSAN(&g.Pos, text)
			if err != nil {
				log.Fatal(err)
			}
			g.Play(m)
		}
	}
	fmt.Println("occurred", g.Repetitions(), "times before")
	// Output:
	// occurred 2 times before
}
