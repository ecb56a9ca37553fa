package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"skein/internal/process"
	"skein/internal/ucicheck"
)

// patience is the timeout of all requests.
const patience = 30 * time.Second

// engine is a running engine.
type engine struct {
	*process.Process
	answers int // bestmove lines that ask and wait have seen
	session ucicheck.Session
	fault   error // the first one of the output that ask and wait have seen
}

func start(path string) (*engine, error) {
	p, err := process.Start(exec.Command(path), 1<<16)
	return &engine{Process: p}, err
}

// timeout returns a context that ends after the patience of all requests.
func timeout() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), patience)
}

func (e *engine) send(lines ...string) error {
	for _, line := range lines {
		if err := e.session.Sent(line); err != nil {
			return err
		}
	}
	return e.Send(lines...)
}

// ask sends a line and waits for one that begins with answer. The error may be
// about a line before it.
func (e *engine) ask(line, answer string) error {
	if err := e.send(line); err != nil {
		return err
	}
	ctx, cancel := timeout()
	defer cancel()
	for {
		got, err := e.see(ctx)
		switch {
		case err == io.EOF:
			return fmt.Errorf("the engine ended without an answer to %s", line)
		case err != nil:
			return fmt.Errorf("no %s within %v of %s", answer, patience, line)
		case strings.HasPrefix(got, answer):
			return e.fault
		}
	}
}

// see waits for a line of output, checks it and counts it. The error is io.EOF at
// the end of the output, or the cause of ctx.
func (e *engine) see(ctx context.Context) (string, error) {
	line, err := e.Next(ctx)
	if err == io.EOF || ctx.Err() != nil {
		return "", err
	}
	if err == nil {
		err = e.session.Received(line)
	}
	e.fault = cmp.Or(e.fault, err)
	if strings.HasPrefix(line, "bestmove") {
		e.answers++
	}
	return line, nil
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
	ctx, cancel := timeout()
	defer cancel()
	for err == nil {
		_, err = e.see(ctx)
	}
	state, err := e.Wait(ctx)
	if err != nil {
		e.Kill()
		return 0, fmt.Errorf("the engine had to be killed after %v", patience)
	}
	return state.ExitCode(), e.fault
}

// kill ends the engine at once.
func (e *engine) kill() {
	e.Kill()
	e.wait()
}
