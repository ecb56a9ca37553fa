package spsa

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"skein/internal/selfplay"
	"skein/nets"
)

// Parameters are global variables, so a process can play only one game at a time.
// Each worker is therefore a process of this program, started with the argument
// WorkerCommand. It reads a contest and then requests as JSON from standard input,
// and writes a reply to each to standard output, until the input ends.

// Contest has the settings that all pairs of a run have in common.
type Contest struct {
	Config    selfplay.Config // without the book
	Net, Book string          // files; "" means the embedded network and no book
	Names     []string        // of the parameters

	// Hashes is set by Open and OpenScreen, so that a run is not continued with other
	// files of the same names or by another build of this program.
	Hashes Hashes
}

// Hashes identify the contents of a contest's files and of this program.
type Hashes struct {
	Net, Book, Program string
}

// programHash returns the beginning of the SHA-256 of the file of this program.
var programHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(name)
	sum := sha256.Sum256(program)
	return hex.EncodeToString(sum[:8]), err
})

// request asks for the pair with that number between two sets of values.
type request struct {
	Number uint64
	Values [2][]int
}

// reply is the result of a pair, from the first side's point of view.
type reply struct {
	selfplay.Standing
	Error string
}

// match returns a match of the contest. It calls set for a side before that side
// searches.
func (c *Contest) match(set func(side int)) (*selfplay.Match, error) {
	m := &selfplay.Match{Config: c.Config}
	var err error
	if c.Book != "" {
		if m.Config.Openings.Book, err = selfplay.LoadBook(c.Book); err != nil {
			return nil, err
		}
	}
	net, err := nets.Load(c.Net)
	for i := range m.Contestants {
		m.Contestants[i] = selfplay.Contestant{Net: net, Prepare: func() { set(i) }}
	}
	return m, err
}

// check returns the error with which the first of n pairs would fail, or the last one
// for want of an opening. It sets the hashes.
func (c *Contest) check(n int) error {
	if err := c.Config.Validate(); err != nil {
		return err
	}
	m, err := c.match(func(int) {})
	if err != nil {
		return err
	}
	program, err := programHash()
	if err != nil {
		return err
	}
	c.Hashes = Hashes{m.Contestants[0].Net.Hash(), selfplay.BookHash(m.Config.Openings.Book), program}
	if starts, few := m.Config.Openings.Starts(); few && int64(n) > starts {
		return fmt.Errorf("%d pairs need as many openings, and there are only %d", n, starts)
	}
	return nil
}

// WorkerCommand is the argument with which the program is started as a worker. It
// must then call Worker.
const WorkerCommand = "spsa-worker"

// Worker reads a contest and requests from in and writes replies to out, until in
// ends.
func Worker(ctx context.Context, in io.Reader, out io.Writer) error {
	requests, replies := json.NewDecoder(in), json.NewEncoder(out)
	var c Contest
	if err := requests.Decode(&c); err != nil {
		return err
	}
	set, err := setter(c.Names)
	if err != nil {
		return err
	}
	var q request
	m, err := c.match(func(side int) { set(q.Values[side]) })
	if err != nil {
		return err
	}
	for {
		q = request{}
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(q.Values[0]) != len(c.Names) || len(q.Values[1]) != len(c.Names) {
			return fmt.Errorf("values of %d and %d parameters, expected %d",
				len(q.Values[0]), len(q.Values[1]), len(c.Names))
		}
		var r reply
		if err := m.Run(ctx, q.Number, 1, 1, func(p *selfplay.Pair) error { r.Add(p); return nil }); err != nil {
			r.Error = err.Error()
		}
		if err := replies.Encode(&r); err != nil {
			return err
		}
	}
}
