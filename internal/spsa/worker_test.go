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
