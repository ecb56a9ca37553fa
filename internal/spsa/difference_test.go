package spsa

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestDifference names the field in which values differ.
func TestDifference(t *testing.T) {
	base := func() Run {
		return Run{Pairs: 2, Tuner: &Tuner{Parameters: []Parameter{{Name: "a"}, {Name: "b", Start: 5}}, Iterations: 3}}
	}
	for want, change := range map[string]func(*Run){
		"":                      func(r *Run) { r.name, r.history = "x", [][]float64{{1}} },
		"Pairs: was 2 and is 7": func(r *Run) { r.Pairs = 7 },
		"Contest.Config.SoftNodes: was 0 and is 9":      func(r *Run) { r.Contest.Config.SoftNodes = 9 },
		"Contest.Config.Openings.FRC: was 0 and is 0.5": func(r *Run) { r.Contest.Config.Openings.FRC = 0.5 },
		"Tuner.Parameters[1].Start: was 5 and is 6":     func(r *Run) { r.Tuner.Parameters[1].Start = 6 },
		"Tuner.Parameters: had 2 elements and has 1":    func(r *Run) { r.Tuner.Parameters = r.Tuner.Parameters[:1] },
		"Contest.Hashes.Book: was  and is 77":           func(r *Run) { r.Contest.Hashes.Book = "77" },
	} {
		changed := base()
		change(&changed)
		if got := difference(base(), changed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestDeadWorker expects an error that is not taken for one of standard output.
func TestDeadWorker(t *testing.T) {
	p := &process{cmd: exec.Command(os.Args[0], "-test.run=^$")}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.requests, p.replies = json.NewEncoder(p.in), json.NewDecoder(strings.NewReader(""))
	_, err = p.play(&request{})
	if err == nil || !strings.HasPrefix(err.Error(), "a worker ended: ") || errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}
