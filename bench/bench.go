// Package bench searches a fixed set of positions to a fixed depth. The total
// number of nodes is the bench signature: it changes whenever the search does,
// and is the same on every machine.
//
//	engine, err := search.New(net, search.Options{Threads: bench.DefaultThreads, Hash: bench.DefaultHash})
//	if err != nil {
//		return err
//	}
//	defer engine.Close()
//	result, err := bench.Run(engine, bench.DefaultDepth, os.Stdout)
//	fmt.Println(result.Nodes, result.NPS(), err)
package bench

import (
	"fmt"
	"io"
	"time"

	"skein/position"
	"skein/search"
)

// Defaults of a bench run.
const (
	DefaultDepth   = 13
	DefaultThreads = 1
	DefaultHash    = 16
)

// Result is the outcome of a bench run.
type Result struct {
	Nodes   uint64
	Elapsed time.Duration
}

// NPS returns the nodes searched per second.
func (r Result) NPS() uint64 { return search.NodesPerSecond(r.Nodes, r.Elapsed) }

// String returns the result in the format that testing tools read.
func (r Result) String() string { return fmt.Sprintf("%d nodes %d nps", r.Nodes, r.NPS()) }

// Run searches every position to depth, each as a new game, and writes a line
// about each to out, then the result. The signature is defined for an engine with
// one thread and DefaultHash. It is an error if depth, in plies, is less than 1, or
// if writing to out fails, which ends the run.
func Run(e *search.Engine, depth int, out io.Writer) (Result, error) {
	var total Result
	if depth < 1 {
		return total, fmt.Errorf("bench depth %d is not at least 1", depth)
	}
	for i, fen := range positions {
		p, err := position.Parse(fen, true)
		if err != nil {
			return total, fmt.Errorf("bench position %d: %w", i+1, err)
		}
		e.NewGame()
		start := time.Now()
		r := e.Search(position.NewGame(p), search.Limits{Depth: depth}, nil)
		elapsed := time.Since(start)
		total.Nodes += r.Nodes
		total.Elapsed += elapsed
		if _, err := fmt.Fprintf(out, "%2d/%d %-5s %9d nodes %8.1f ms  %s\n",
			i+1, len(positions), r.Best, r.Nodes, float64(elapsed.Microseconds())/1000, fen); err != nil {
			return total, err
		}
	}
	_, err := fmt.Fprintln(out, total)
	return total, err
}
