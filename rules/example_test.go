package rules_test

import (
	"fmt"
	"log"

	"skein/chess"
	"skein/notation"
	"skein/position"
	"skein/rules"
)

func ExampleEnded() {
	g := position.NewGame(position.Start())
	for _, text := range []string{"f3", "e5", "g4", "Qh4"} {
		m, err := notation.ParseSAN(&g.Pos, text)
		if err != nil {
			log.Fatal(err)
		}
		g.Play(m)
	}
	if o := rules.Ended(g); o.Over() {
		fmt.Println(o.Result, "by", o.Reason)
	}
	// Output:
	// 0-1 by checkmate
}

func ExampleEndedOrClaimable() {
	g := position.NewGame(position.Start())
	for occurrence := 1; ; occurrence++ {
		o := rules.EndedOrClaimable(g)
		fmt.Println(occurrence, o.Result, o.Reason, o.Reason.Claimable())
		if o.Over() && !o.Reason.Claimable() {
			return
		}
		for _, text := range []string{"Nf3", "Nf6", "Ng1", "Ng8"} {
			m, err := notation.ParseSAN(&g.Pos, text)
			if err != nil {
				log.Fatal(err)
			}
			g.Play(m)
		}
	}
	// Output:
	// 1 * none false
	// 2 * none false
	// 3 1/2-1/2 threefold repetition true
	// 4 1/2-1/2 threefold repetition true
	// 5 1/2-1/2 fivefold repetition false
}

func ExampleReplay() {
	// The third move is illegal.
	moves := []chess.Move{
		chess.NewMove(chess.E1, chess.D1), chess.NewMove(chess.E8, chess.D8), chess.NewMove(chess.D1, chess.F1),
	}
	start, err := position.Parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	game, err := rules.Replay(start, moves, func(p *position.Position, ply int) {
		fmt.Println(ply, notation.FormatSAN(p, moves[ply]))
	})
	fmt.Println(err)
	fmt.Println(game.Pos.FEN())
	// Output:
	// 0 Kd1
	// 1 Kd8
	// ply 2: move d1f1 is illegal in 3k4/8/8/8/8/8/4P3/3K4 w - - 2 2
	// 3k4/8/8/8/8/8/4P3/3K4 w - - 2 2
}
