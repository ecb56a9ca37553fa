package nnue_test

import (
	"bytes"
	"fmt"
	"log"

	"skein/movegen"
	"skein/nets"
	"skein/nnue"
	"skein/position"
)

// A stack keeps accumulators up to date along a line. It evaluates a position after
// a move faster than one that it has not seen.
func Example() {
	net, err := nnue.Read(bytes.NewReader(nets.Default))
	if err != nil {
		log.Fatal(err)
	}
	stack := nnue.NewStack(net, 1) // lines of one move
	p, err := position.Parse("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", false)
	if err != nil {
		log.Fatal(err)
	}
	stack.Reset(&p)
	before := stack.Evaluate(&p) // of the side to move
	for _, m := range movegen.Legal(&p) {
		if p.IsCapture(m) {
			var next position.Position
			p.Do(m, &next, stack.Push())
			after := -stack.Evaluate(&next)
			fmt.Println(m, "is a gain:", after > before)
			stack.Pop()
		}
	}
	// Output:
	// e3d5 is a gain: true
}
