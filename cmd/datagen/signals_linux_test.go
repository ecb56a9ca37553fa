package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// pipe creates a named pipe that has no writer.
func pipe(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestInterruptLoading cancels commands that wait for a file named by a flag.
func TestInterruptLoading(t *testing.T) {
	out, silent := filepath.Join(t.TempDir(), "x.skr"), pipe(t, "x")
	for _, args := range [][]string{
		quick(out, "--net", silent),
		quick(out, "--book", silent),
		{"label", "-o", out + ".bin", "--net", silent, "games.skr"},
		{"rescore", "-o", out, "--net", silent, "games.skr"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		if err := program.Run(ctx, args, io.Discard, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("%q: %v", args, err)
		}
		if _, err := os.Stat(args[2]); err == nil {
			t.Errorf("%q: left an output", args)
		}
	}
}

// TestSignals sends SIGINT repeatedly to commands that read a pipe whose writer
// is silent.
func TestSignals(t *testing.T) {
	silent := pipe(t, "x.skr")
	writer, err := os.OpenFile(silent, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	out := filepath.Join(t.TempDir(), "x.txt")
	for _, args := range [][]string{
		{"stats", silent}, {"verify", silent}, {"convert", "-o", out, silent}, {"merge", "-o", out + ".skr", silent},
	} {
		cmd := command(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			cmd.Wait() // the exit status is checked below
			close(ended)
		}()
		interrupt(cmd.Process, ended)
		<-ended
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if status.ExitStatus() != 130 && status.Signal() != syscall.SIGINT {
			t.Errorf("%q: %v", args, cmd.ProcessState)
		}
	}
	for _, name := range []string{out, out + ".skr"} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("an interrupted command left %s", name)
		}
	}
}

// interrupt sends SIGINT to a process again and again until it has ended.
func interrupt(p *os.Process, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-time.After(20 * time.Millisecond):
			p.Signal(syscall.SIGINT) // fails if the process has just ended
		}
	}
}
