package tt_test

import (
	"fmt"
	"log"

	"skein/chess"
	"skein/movegen"
	"skein/position"
	"skein/tt"
)

// What was stored about a position is found by its key. The move of an entry has to be
// checked, as different positions may rarely share one.
func Example() {
	table, err := tt.New(1)
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	p := position.Start()
	best := chess.NewMove(chess.E2, chess.E4)
	table.Store(p.Key(), tt.Entry{Move: best, Score: 35, Node: tt.Node{Depth: 8, Bound: tt.BoundExact}})
	if e, ok := table.Probe(p.Key()); ok && movegen.IsLegal(&p, e.Move) {
		fmt.Println(e.Move, e.Score, e.Depth)
	}
	after := p.After(best)
	_, ok := table.Probe(after.Key())
	fmt.Println(ok)
	// Output:
	// e2e4 35 8
	// false
}
