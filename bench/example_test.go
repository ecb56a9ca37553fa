package bench_test

import (
	"fmt"
	"io"
	"log"

	"skein/bench"
	"skein/nets"
	"skein/search"
)

// The number of nodes does not depend on the machine.
func Example() {
	net, err := nets.Load("")
	if err != nil {
		log.Fatal(err)
	}
	engine, err := search.New(net, search.Options{Threads: bench.DefaultThreads, Hash: bench.DefaultHash})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	const depth = 1 // a shallow search of all positions
	first, err := bench.Run(engine, depth, io.Discard)
	if err != nil {
		log.Fatal(err)
	}
	second, err := bench.Run(engine, depth, io.Discard)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(first.Nodes == second.Nodes)
	// Output: true
}
