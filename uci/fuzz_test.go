package uci

import (
	"bytes"
	"context"
	"regexp"
	"testing"
)

// heavy matches what a fuzzed session shall not do: write files, reserve much
// memory, search long before the end of the input is read.
var heavy = regexp.MustCompile(`(?i)debug\s+log|(hash|threads)\s+value\s+\+?\d\d`)

// FuzzUCI feeds any bytes to a driver: it must end after them, with one
// bestmove for each go.
func FuzzUCI(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nquit\n", "position startpos moves e2e4\ngo depth 2\n", "go infinite\nstop\n",
		"go ponder\nponderhit\r\n", "setoption name MultiPV value 3\ngo nodes 100", "go wtime 1 binc -1\ngo go\n",
		"position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo\nd\neval\nflip\n", "debug on\nstop\x00\xff\n\t joho isready",
		"go perft 2\ngo perft\n", "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8\n",
		"go searchmoves e2e4 depth 1\n",
	} {
		f.Add([]byte(seed))
	}
	engine := newEngine(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<12 || heavy.Match(input) {
			t.Skip()
		}
		out := newSink(t)
		d := New(engine, bytes.NewReader(input), out, Config{})
		d.grace = patience
		goes := countGo(New(nil, nil, out, Config{}), input)
		d.Run(context.Background())
		if n := count(out.all(), "bestmove "); n != goes {
			t.Errorf("%d bestmove for %d go", n, goes)
		}
	})
}

// countGo counts the searches that the input up to quit asks for.
func countGo(d *Driver, input []byte) int {
	n := 0
	for line := range bytes.Lines(input) {
		j := d.parse(string(line))
		switch {
		case j == nil:
		case j.is("quit"):
			return n
		case isSearch(j):
			n++
		}
	}
	return n
}
