package main

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"skein/internal/ucicheck"
)

// patience is the timeout of all requests.
const patience = 30 * time.Second

// engine is a running engine.
type engine struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string // closed at the end of the output
	answers int         // bestmove lines that ask and wait have seen
	session ucicheck.Session
	fault   error // the first one of the output that ask and wait have seen
}

func start(path string) (*engine, error) {
	cmd := exec.Command(path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	e := &engine{cmd: cmd, in: in, lines: make(chan string, 1<<16)}
	go func() {
		defer close(e.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			e.lines <- scanner.Text()
		}
	}()
	return e, nil
}

func (e *engine) send(lines ...string) error {
	for _, line := range lines {
		if err := e.session.Sent(line); err != nil {
			return err
		}
	}
	_, err := io.WriteString(e.in, strings.Join(lines, "\n")+"\n")
	return err
}

// ask sends a line and waits for one that begins with answer. The error may be
// about a line before it.
func (e *engine) ask(line, answer string) error {
	if err := e.send(line); err != nil {
		return err
	}
	late := time.After(patience)
	for {
		select {
		case got, ok := <-e.lines:
			if !ok {
				return fmt.Errorf("the engine ended without an answer to %s", line)
			}
			if e.see(got); strings.HasPrefix(got, answer) {
				return e.fault
			}
		case <-late:
			return fmt.Errorf("no %s within %v of %s", answer, patience, line)
		}
	}
}

// see checks and counts a line of output.
func (e *engine) see(line string) {
	if err := e.session.Received(line); err != nil && e.fault == nil {
		e.fault = err
	}
	if strings.HasPrefix(line, "bestmove") {
		e.answers++
	}
}

// onlyOneAnswer checks that there was exactly one bestmove since the last call.
func (e *engine) onlyOneAnswer() error {
	err := e.ask("isready", "readyok")
	n := e.answers
	e.answers = 0
	if err == nil && n != 1 {
		err = fmt.Errorf("%d bestmove for one go", n)
	}
	return err
}

// end sends a line that ends the engine and returns the exit status.
func (e *engine) end(line string) (status int, err error) {
	if err := e.send(line); err != nil {
		e.kill()
		return 0, err
	}
	return e.wait()
}

// wait waits for the end of the engine and returns the exit status, -1 if a
// signal ended it.
func (e *engine) wait() (status int, err error) {
	killer := time.AfterFunc(patience, func() { e.cmd.Process.Kill() })
	for line := range e.lines {
		e.see(line)
	}
	e.cmd.Wait() // the state tells more than the error
	if !killer.Stop() {
		return 0, fmt.Errorf("the engine had to be killed after %v", patience)
	}
	return e.cmd.ProcessState.ExitCode(), e.fault
}

// kill ends the engine at once.
func (e *engine) kill() {
	e.cmd.Process.Kill()
	e.in.Close()
	e.wait()
}
