package uciclient

import (
	"slices"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	e, sent := startLogged(t)
	lines, err := e.Command(limit(t), Game{}, "eval  all")
	want := []string{"info string about the position", "", "  pawns  0.12", "eval  0.34"}
	if err != nil || !slices.Equal(lines, want) || e.Ignored() > 0 {
		t.Errorf("%q, %v, %d lines were ignored", lines, err, e.Ignored())
	}
	if lines, err = e.Command(limit(t), Game{}, "none"); err != nil || len(lines) > 0 {
		t.Errorf("%q, %v", lines, err)
	}
	wantSent := []string{
		"uci",
		"isready", "position startpos", "eval  all", "isready",
		"isready", "position startpos", "none", "isready",
	}
	if !slices.Equal(*sent, wantSent) {
		t.Errorf("sent %q, want %q", *sent, wantSent)
	}
}

func TestCommandFails(t *testing.T) {
	e := startFake(t, "dies at eval")
	for command, want := range map[string]string{
		"":            "is empty",
		"d\nquit":     "has a line break",
		" go perft 1": "go is one of UCI",
		"dump":        "the answer exceeds 16 MiB",
	} {
		if lines, err := e.Command(limit(t), Game{}, command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d lines, %v", command, len(lines), err)
		}
	}
	s, err := e.Search(limit(t), Game{}, Limits{Infinite: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Command(limit(t), Game{}, "eval"); err != ErrSearching {
		t.Errorf("during a search: %v", err)
	}
	s.Stop()
	if _, err := s.Result(); err != nil {
		t.Error(err)
	}
	if _, err := e.Command(limit(t), Game{}, "eval"); !isExit(err) {
		t.Error(err)
	}
}

// TestSlowCommand checks that what a command writes after it was given up is not taken
// for the answer to the next search.
func TestSlowCommand(t *testing.T) {
	e := startFake(t, "")
	e.config.Timeout = brief
	if _, err := e.Command(limit(t), Game{}, "bench"); !isTimeout(err, "isready") {
		t.Error(err)
	}
	e.config.Timeout = patience
	if r, err := play(e, limit(t)); r.Best != move(t, "e2e4") || err != nil {
		t.Errorf("%v, %v", r.Best, err)
	}
}
