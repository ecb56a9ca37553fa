//go:build linux

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// patience is how long a program may take to answer or to end. It is generous: what
// takes as long hangs.
const patience = 20 * time.Second

// process is a running program.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan string // of its output; closed at the end
	errors bytes.Buffer
	ended  chan error // receives the result of Wait
}

// start runs a program and reads its output.
func start(path string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(path, args...), lines: make(chan string, 1<<16), ended: make(chan error, 1)}
	p.cmd.Stderr = &p.errors
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p.cmd.Stdout = write
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	write.Close()
	go func() {
		defer read.Close()
		defer close(p.lines)
		for scanner := bufio.NewScanner(read); scanner.Scan(); {
			p.lines <- scanner.Text()
		}
	}()
	go func() { p.ended <- p.cmd.Wait() }()
	return p, nil
}

// send writes lines to the program. That it no longer reads is for others to find
// out.
func (p *process) send(lines ...string) {
	io.WriteString(p.in, strings.Join(lines, "\n")+"\n")
}

// await waits for a line that begins with prefix and returns it.
func (p *process) await(prefix string) (string, error) {
	late := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				return "", p.died("before " + prefix)
			}
			if strings.HasPrefix(line, prefix) {
				return line, nil
			}
		case <-late:
			p.cmd.Process.Kill()
			return "", fmt.Errorf("hangs: no %s within %v", prefix, patience)
		}
	}
}

// answers checks that the program still answers, and ends it.
func (p *process) answers() error {
	p.send("stop", "isready")
	if _, err := p.await("readyok"); err != nil {
		return err
	}
	p.send("quit")
	return p.ends(0)
}

// ends waits for the end of the program, which must have one of these statuses; -1
// stands for any that is no crash.
func (p *process) ends(statuses ...int) error {
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.cmd.Process.Kill()
		return fmt.Errorf("hangs: has not ended within %v", patience)
	}
	return p.endedWell(statuses)
}

// endedWell returns what is wrong with the way a program ended.
func (p *process) endedWell(statuses []int) error {
	state := p.cmd.ProcessState
	if strings.Contains(p.errors.String(), "goroutine ") {
		return p.died("with a trace")
	}
	for _, status := range statuses {
		if state.ExitCode() == status || status == -1 && state.Exited() {
			return nil
		}
	}
	return p.died(fmt.Sprintf("with %v, expected a status of %v", state, statuses))
}

// died describes a crash by the last words of the program.
func (p *process) died(how string) error {
	words := strings.TrimSpace(p.errors.String())
	if len(words) > 2000 {
		words = words[:2000] + "..."
	}
	return fmt.Errorf("ended %s\n%s", how, words)
}

// signal sends a signal to the program.
func (p *process) signal(s syscall.Signal) { p.cmd.Process.Signal(s) }

// limited returns the program and arguments that run a program with a limit of the
// shell, as "-v 2000000" for 2 GB of address space.
func limited(limit, path string, args ...string) (string, []string) {
	return "sh", append([]string{"-c", "ulimit " + limit + " && exec \"$0\" \"$@\"", path}, args...)
}
