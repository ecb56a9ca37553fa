//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// command runs a program in a folder to its end and returns its standard output.
// The error has what it wrote to standard error.
func command(ctx context.Context, folder, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w\n%s", strings.Join(cmd.Args, " "), folder, err,
			lastLines(stderr.String()+string(out)))
	}
	return out, nil
}

// lastLines returns the end of a text.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// service is a program that runs until it is stopped, with the programs that it
// starts in a session of their own.
type service struct {
	name  string
	log   string // file with its output
	cmd   *exec.Cmd
	ended chan struct{} // closed after Wait
}

// startService starts a program in a folder with additional environment variables.
func startService(name, log, folder string, environment []string, program string, args ...string) (*service, error) {
	s := &service{name: name, log: log, cmd: exec.Command(program, args...), ended: make(chan struct{})}
	s.cmd.Dir = folder
	s.cmd.Env = append(os.Environ(), environment...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s.cmd.Stdout, s.cmd.Stderr = f, f
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		s.cmd.Wait()
		close(s.ended)
	}()
	return s, nil
}

// stop ends the program and its children, at once if they do not end when asked.
func (s *service) stop() {
	group := -s.cmd.Process.Pid
	syscall.Kill(group, syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(5 * time.Second):
	}
	syscall.Kill(group, syscall.SIGKILL)
	<-s.ended
}

// failure returns an error if the program has ended or reported an exception.
func (s *service) failure() error {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err
	}
	select {
	case <-s.ended:
		return fmt.Errorf("the %s has ended; the end of %s:\n%s", s.name, s.log, lastLines(string(text)))
	default:
	}
	if strings.Contains(string(text), "Traceback (most recent call last)") {
		return fmt.Errorf("the %s reports an error; the end of %s:\n%s", s.name, s.log, lastLines(string(text)))
	}
	return nil
}
