package search_test

import (
	"context"
	"fmt"
	"log"
	"slices"
	"time"

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

// The best lines tell whether one move is much better than all others. A Line is valid
// only during the report, so that it is copied together with its moves.
func ExampleEngine_SearchContext() {
	net, err := nets.Load("")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: 1, Hash: 16})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	p, err := position.Parse("2q3k1/5ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // the limit of depth comes first
	defer cancel()
	var lines [2]search.Line // by rank; the second stays zero if there is only one legal move
	limits := search.Limits{Depth: 8, MultiPV: len(lines)}
	engine.SearchContext(ctx, position.NewGame(p), limits, search.OnLine(func(l *search.Line) {
		line := &lines[l.MultiPV-1]
		*line = *l
		line.PV = slices.Clone(l.PV)
	}))
	lead := lines[0].Score.Centipawns() - lines[1].Score.Centipawns()
	fmt.Println(notation.FormatSAN(&p, lines[0].PV[0]), "is much better:", lead > 200)
	// Output:
	// Ne7+ is much better: true
}
