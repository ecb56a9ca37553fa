package search_test

import (
	"fmt"
	"log"

	"skein/nets"
	"skein/notation"
	"skein/position"
	"skein/search"
)

// An engine searches a game with limits and reports what it finds.
func Example() {
	net, err := nets.Load("") // the embedded network
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 16})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	p, err := position.Parse("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	lines := 0
	result := engine.Search(position.NewGame(p), search.Limits{Depth: 8}, search.OnLine(func(l *search.Line) {
		lines++
	}))
	moves, ok := result.Score.Mate()
	fmt.Println(notation.FormatSAN(&p, result.Best), "mate", ok, "in", moves, "moves, reports:", lines > 0)
	// Output:
	// Ra6+ mate true in 3 moves, reports: true
}
