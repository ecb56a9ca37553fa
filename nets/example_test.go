package nets_test

import (
	"fmt"
	"log"

	"skein/nets"
	"skein/nnue"
	"skein/position"
)

// A queen more is worth more than three pawns.
func Example() {
	net, err := nets.Load("") // the embedded network
	if err != nil {
		log.Fatal(err)
	}
	p, err := position.Parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	stack := nnue.NewStack(net, 0) // no moves will be made
	stack.Reset(&p)
	fmt.Println(stack.Evaluate(&p).Centipawns() > 300)
	// Output: true
}
