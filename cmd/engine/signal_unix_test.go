//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"skein/internal/cli"
)

// endless is input without end: lines that are no positions and no games.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return copy(b, "nonsense\n"), nil }

// silent is input that never comes.
type silent struct{}

func (silent) Read([]byte) (int, error) { select {} }

// TestInterruptedInput interrupts commands that read input which is silent, or
// never ends.
func TestInterruptedInput(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		in   io.Reader
	}{
		{"epd -", silent{}}, {"epd -", endless{}}, {"epd " + fifo, nil},
		{"analyse --pgn -", silent{}}, {"analyse --pgn -", endless{}}, {"analyse --pgn " + fifo, nil},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		if status := run(ctx, strings.Fields(tt.args), tt.in, io.Discard, io.Discard); status != cli.ExitInterrupted {
			t.Errorf("%s, %T: exit status %d", tt.args, tt.in, status)
		}
	}
}

// TestSecondSignal sends signals to a program that goes on after the first.
func TestSecondSignal(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), asHanging+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	go func() {
		for ctx.Err() == nil { // the second counts only once the first has been handled
			cmd.Process.Signal(syscall.SIGTERM)
			time.Sleep(10 * time.Millisecond)
		}
	}()
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("ended with %v", cmd.ProcessState)
	}
}
