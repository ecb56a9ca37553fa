//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"skein/internal/ucicheck"
	"skein/nets"
	"skein/search"
	"skein/uci"
)

// patience is how long the engine may take to answer. It is generous, as the machine
// may be busy: what takes as long hangs.
const patience = 10 * time.Minute

// session is an engine in this process, with its driver between a pipe and Write,
// which checks the output. Its methods are for one goroutine, but for Write.
type session struct {
	engine  *search.Engine
	in      *io.PipeWriter
	ended   chan error    // receives the result of the driver
	changed chan struct{} // receives after each write
	report  func(error)   // is told what is wrong with the output

	check  ucicheck.Session
	mu     sync.Mutex
	recent []string // lines of both directions
	best   string   // the last bestmove
}

// recentLines is how many lines are shown before a fault.
const recentLines = 40

// startSession starts an engine with default options. Whatever is wrong with its
// output is passed to report, one call at a time.
func startSession(report func(error)) (*session, error) {
	net, err := nets.Load("")
	if err != nil {
		return nil, err
	}
	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
	if err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	s := &session{engine: engine, in: w, ended: make(chan error, 1), changed: make(chan struct{}, 1), report: report}
	driver := uci.New(engine, r, s, uci.Config{LoadNet: func(path string) error {
		net, err := nets.Load(path)
		if err != nil {
			return err
		}
		return engine.SetNetwork(net)
	}})
	go func() {
		s.ended <- driver.Run(context.Background())
		r.Close()
	}()
	return s, nil
}

// Write checks lines of output.
func (s *session) Write(lines []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(string(lines)) {
		line = strings.TrimSuffix(line, "\n")
		s.note("< " + line)
		if rest, ok := strings.CutPrefix(line, "bestmove "); ok {
			s.best = rest
		}
		if err := s.check.Received(line); err != nil {
			s.report(fmt.Errorf("%w\nafter\n%s", err, strings.Join(s.recent, "\n")))
		}
	}
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(lines), nil
}

// note keeps a line for the message of a fault. The caller holds mu.
func (s *session) note(line string) {
	if len(s.recent) == recentLines {
		s.recent = append(s.recent[:0], s.recent[1:]...)
	}
	s.recent = append(s.recent, line)
}

// send sends a line. Its error is about a line that is not valid.
func (s *session) send(format string, args ...any) error {
	line := fmt.Sprintf(format, args...)
	if err := s.check.Sent(line); err != nil {
		return fmt.Errorf("not sent: %w", err)
	}
	s.mu.Lock()
	s.note("> " + line)
	s.mu.Unlock()
	io.WriteString(s.in, line+"\n") // after an error the answer is missing
	return nil
}

// await waits until everything has been answered and returns the words after the last
// bestmove. If the engine does not answer, the error has the stacks of all goroutines.
func (s *session) await() (bestMove string, err error) {
	late := time.After(patience)
	for {
		s.mu.Lock()
		bestMove = s.best
		answered := s.check.End() == nil
		s.mu.Unlock()
		if answered {
			return bestMove, nil
		}
		select {
		case <-s.changed:
		case <-late:
			return "", s.hung()
		}
	}
}

// hung returns an error about an engine that does not answer.
func (s *session) hung() error {
	var stacks strings.Builder
	pprof.Lookup("goroutine").WriteTo(&stacks, 2) // to memory
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Errorf("%w within %v of\n%s\n\n%s", s.check.End(), patience, strings.Join(s.recent, "\n"), &stacks)
}

// end ends the session, in which nothing is being searched, with quit or with the end
// of the input, and releases the engine.
func (s *session) end(quit bool) error {
	var err error
	if quit {
		err = s.send("quit")
	} else {
		err = s.check.Sent("quit")
	}
	s.in.Close()
	select {
	case ended := <-s.ended:
		if ended != nil {
			return errors.Join(err, ended, s.check.End()) // a command may go on in the engine
		}
	case <-time.After(patience):
		return errors.Join(err, s.hung())
	}
	return errors.Join(err, s.check.End(), s.engine.Close())
}
