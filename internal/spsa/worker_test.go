package spsa

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"skein/nnue"
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

// TestContestFiles expects a match of the network and the book of the contest.
func TestContestFiles(t *testing.T) {
	dir := t.TempDir()
	name, book := filepath.Join(dir, "x.nnue"), filepath.Join(dir, "book.epd")
	a := nnue.Architecture{Width: 16, KingBuckets: 1, OutputBuckets: 1, Scale: 400}
	net, err := nnue.New(nnue.NewParameters(a))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = net.WriteTo(f)
	err = errors.Join(err, f.Close(), os.WriteFile(book, []byte("4k3/4p3/8/8/8/8/4P3/4K3 w - -\n"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	m, err := (&Contest{Net: name, Book: book}).match(func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range m.Contestants {
		if c.Net.Hash() != net.Hash() {
			t.Errorf("side %d has another network", i)
		}
	}
	if n := len(m.Config.Openings.Book); n != 1 {
		t.Errorf("a book of %d positions", n)
	}
}
