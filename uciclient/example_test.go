package uciclient_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"skein/chess"
	"skein/position"
	"skein/uciclient"
)

func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	engine, err := uciclient.Start(ctx, "skein")
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Quit(ctx)
	if err := engine.SetOption(ctx, "Threads", "0"); err != nil {
		fmt.Println(err)
	}
	start, err := position.Parse("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	var last uciclient.Info
	for info, err := range engine.Analyze(ctx, uciclient.Game{Start: start}, uciclient.Limits{Depth: 3}) {
		if err != nil {
			log.Fatal(err)
		}
		last = info
	}
	fmt.Println(engine.Name(), last.Score, last.PV)
	// Output:
	// option "Threads": 0 is not between 1 and 1024
	// Skein mate 1 [a1a8]
}

// A search on a move that is expected, which is then played.
func ExampleSearch_PonderHit() {
	ctx := context.Background()
	engine, err := uciclient.Start(ctx, "skein")
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Quit(ctx)
	start, err := position.Parse("7k/8/6K1/8/8/8/8/R7 b - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	expected := chess.NewMove(chess.H8, chess.G8)
	game := uciclient.Game{Start: start, Moves: []chess.Move{expected}}
	search, err := engine.Search(ctx, game, uciclient.Limits{Ponder: true, Depth: 5})
	if err != nil {
		log.Fatal(err)
	}
	search.PonderHit()
	result, err := search.Result()
	fmt.Println(result.Best, result.Info.Score, err)
	// Output: a1a8 mate 1 <nil>
}
