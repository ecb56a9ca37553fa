// Package process runs a program that is driven by lines of text, such as an
// engine: it writes to the program's standard input, reads its standard output line
// by line, keeps an excerpt of its standard error, and never waits longer than its
// caller wants to, whatever the program does.
package process

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"skein/internal/input"
)

// linger is how long the output of a program is still read after its end: a child
// of the program may hold the pipe open forever.
const linger = time.Second

// Errors of Send.
var (
	ErrEnded       = errors.New("the program has ended")
	ErrInputClosed = errors.New("the input of the program is closed")
)

// Process is a running program. Its methods may be called by several goroutines.
// All goroutines of a Process end about two seconds after the program, at the latest.
type Process struct {
	cmd    *exec.Cmd
	lines  chan line // closed at the end of the output
	stderr excerpt

	mu          sync.Mutex
	pending     []byte // for the program to read
	inputClosed bool   // after what is pending
	changed     chan struct{}

	done      chan struct{} // closed when the program has ended and its standard error was read, for at most linger
	abandoned chan struct{} // closed when the output is no longer read
}

// line is a line of output, or input.ErrTooLong in place of one.
type line struct {
	text string
	err  error
}

// Start starts the program of cmd, whose standard streams must not be set. Up to
// queue lines of its output wait for Next; beyond that the program waits.
func Start(cmd *exec.Cmd, queue int) (*Process, error) {
	p := &Process{
		cmd: cmd, lines: make(chan line, queue), changed: make(chan struct{}, 1), done: make(chan struct{}),
		abandoned: make(chan struct{}),
	}
	if cmd.Stdout != nil || cmd.Stderr != nil {
		return nil, errors.New("process: Stdout or Stderr is set already")
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, child, err := os.Pipe()
	if err != nil {
		stdin.Close()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = child, &p.stderr, linger
	err = cmd.Start()
	child.Close()
	if err != nil {
		output.Close()
		return nil, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.read(output)
	}()
	go p.write(stdin)
	go p.reap(output, read)
	return p, nil
}

// read queues the lines of the output.
func (p *Process) read(output io.ReadCloser) {
	defer output.Close()
	defer close(p.lines)
	for text, err := range input.Lines(output) {
		if err != nil && err != input.ErrTooLong {
			return // abandoned
		}
		select {
		case p.lines <- line{text, err}:
		case <-p.abandoned:
			return
		}
	}
}

// write writes what is pending to the program until its end. Wait, which closes the
// pipe, ends a write that the program does not read.
func (p *Process) write(stdin io.WriteCloser) {
	defer stdin.Close()
	for {
		select {
		case <-p.changed:
		case <-p.done:
			return
		}
		p.mu.Lock()
		text, last := p.pending, p.inputClosed
		p.pending = nil
		p.mu.Unlock()
		stdin.Write(text) // fails if the program no longer reads
		if last {
			return
		}
	}
}

// reap waits for the end of the program and then for that of its output.
func (p *Process) reap(output io.Closer, read <-chan struct{}) {
	p.cmd.Wait() // the state tells more than the error
	close(p.done)
	select {
	case <-read:
	case <-time.After(linger):
		close(p.abandoned)
		output.Close()
	}
}

// Send writes lines to the program. It does not wait: if the program does not read,
// they are kept for it. The error is ErrEnded or ErrInputClosed.
func (p *Process) Send(lines ...string) error {
	select {
	case <-p.done:
		return ErrEnded
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.inputClosed {
		return ErrInputClosed
	}
	for _, l := range lines {
		p.pending = append(append(p.pending, l...), '\n')
	}
	p.change()
	return nil
}

// CloseInput closes the standard input of the program after the lines sent before.
func (p *Process) CloseInput() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inputClosed = true
	p.change()
}

// change wakes the goroutine that writes.
func (p *Process) change() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// Next returns the next line of output without its end. The error is
// input.ErrTooLong in place of a line that is too long, after which others follow,
// io.EOF at the end of the output, or the cause of ctx.
func (p *Process) Next(ctx context.Context) (string, error) {
	select {
	case l, ok := <-p.lines:
		if !ok {
			return "", io.EOF
		}
		return l.text, l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Done returns a channel that is closed when the program has ended, or up to a second
// later if a child of it holds its standard error open.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for the end of the program and returns how it ended. The error is the
// cause of ctx.
func (p *Process) Wait(ctx context.Context) (*os.ProcessState, error) {
	select {
	case <-p.done:
		return p.cmd.ProcessState, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Kill ends the program at once, if it has not ended.
func (p *Process) Kill() { p.cmd.Process.Kill() }

// Signal sends a signal to the program.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Stderr returns what the program has written to its standard error; if that is
// more than 8 KiB, its first and its last 4 KiB.
func (p *Process) Stderr() string { return p.stderr.String() }
