//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"time"

	driven "skein/internal/process"
)

// patience is how long a program may take to answer or to end. It is generous: what
// takes as long hangs.
const patience = 20 * time.Second

// process is a running program.
type process struct{ *driven.Process }

// start runs a program and reads its output.
func start(path string, args ...string) (*process, error) {
	p, err := driven.Start(exec.Command(path, args...), 1<<16)
	return &process{p}, err
}

// startUnread is start for a program that is to wait until its output is awaited.
func startUnread(path string, args ...string) (*process, error) {
	p, err := driven.Start(exec.Command(path, args...), 0)
	return &process{p}, err
}

// send writes lines to the program. That it has ended is for others to find out.
func (p *process) send(lines ...string) { p.Send(lines...) }

// await waits for a line that begins with prefix and returns it.
func (p *process) await(prefix string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		line, err := p.Next(ctx)
		switch {
		case err == nil && strings.HasPrefix(line, prefix):
			return line, nil
		case err == io.EOF:
			p.Wait(ctx)
			return "", p.died("before " + prefix)
		case ctx.Err() != nil:
			p.Kill()
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
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	state, err := p.Wait(ctx)
	if err != nil {
		p.Kill()
		return fmt.Errorf("hangs: has not ended within %v", patience)
	}
	if strings.Contains(p.Stderr(), "goroutine ") {
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
	words := strings.TrimSpace(p.Stderr())
	if len(words) > 2000 {
		words = words[:2000] + "..."
	}
	return fmt.Errorf("ended %s\n%s", how, words)
}

// signal sends a signal to the program.
func (p *process) signal(s syscall.Signal) { p.Signal(s) }

// limited returns the program and arguments that run a program with a limit of the
// shell, as "-v 2000000" for 2 GB of address space.
func limited(limit, path string, args ...string) (string, []string) {
	return "sh", append([]string{"-c", "ulimit " + limit + " && exec \"$0\" \"$@\"", path}, args...)
}
