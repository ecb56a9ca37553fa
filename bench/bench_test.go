package bench

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"skein/nets"
	"skein/position"
	"skein/search"
)

func newEngine(t *testing.T) *search.Engine {
	net, err := nets.Load("")
	if err != nil {
		t.Fatal(err)
	}
	e, err := search.New(net, search.Options{Threads: 1, Hash: DefaultHash})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestPositions checks that the positions can be read and differ.
func TestPositions(t *testing.T) {
	seen := map[string]bool{}
	for _, fen := range positions {
		p, err := position.Parse(fen, true)
		if err != nil || seen[p.FEN()] {
			t.Errorf("%s: twice, or %v", fen, err)
		}
		seen[p.FEN()] = true
	}
}

// TestRun checks that the signature depends on nothing that came before, and
// the form of the last line.
func TestRun(t *testing.T) {
	e := newEngine(t)
	var out bytes.Buffer
	first, err := Run(e, 6, &out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if last := lines[len(lines)-1]; !regexp.MustCompile(`^\d+ nodes \d+ nps$`).MatchString(last) {
		t.Errorf("last line %q", last)
	}
	if len(lines) != len(positions)+1 {
		t.Errorf("%d lines about %d positions", len(lines), len(positions))
	}

	if _, err := Run(e, 0, io.Discard); err == nil {
		t.Error("bench without depth: no error")
	}
	e.Search(position.NewGame(position.Start()), search.Limits{Nodes: 30_000}, nil)
	again, err := Run(e, 6, io.Discard)
	if err != nil || again.Nodes != first.Nodes {
		t.Errorf("%d nodes, then %d, error %v", first.Nodes, again.Nodes, err)
	}
	fresh, err := Run(newEngine(t), 6, io.Discard)
	if err != nil || fresh.Nodes != first.Nodes {
		t.Errorf("%d nodes, with another engine %d, error %v", first.Nodes, fresh.Nodes, err)
	}
}
