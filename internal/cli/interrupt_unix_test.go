//go:build unix

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes the test binary run a program of three commands if a test started
// it that way: one ends with its context, one never ends, one ends with its output.
func TestMain(m *testing.M) {
	if os.Getenv("CLI_TEST_MAIN") == "" {
		os.Exit(m.Run())
	}
	started := func(stdout io.Writer) { io.WriteString(stdout, "started\n") }
	p := &Program{Name: "program", Commands: []Command{
		{Name: "wait", Define: func(*Flags) Run {
			return func(ctx context.Context, _ []string, stdout, _ io.Writer) error {
				started(stdout)
				<-ctx.Done()
				return fmt.Errorf("%w; it can be continued", context.Cause(ctx))
			}
		}},
		{Name: "hang", Define: func(*Flags) Run {
			return func(ctx context.Context, _ []string, stdout, _ io.Writer) error {
				started(stdout)
				<-ctx.Done()
				started(stdout)
				select {}
			}
		}},
		{Name: "talk", Define: func(*Flags) Run {
			return func(_ context.Context, _ []string, stdout, _ io.Writer) error {
				for {
					if _, err := io.WriteString(stdout, "talking\n"); err != nil {
						return err
					}
				}
			}
		}},
	}}
	p.Main()
}

// start starts the program and returns its output, of which the first line is read.
func start(t *testing.T, command string) (*exec.Cmd, *bufio.Reader, *strings.Builder) {
	t.Helper()
	cmd := exec.Command(os.Args[0], command)
	cmd.Env = append(os.Environ(), "CLI_TEST_MAIN=1")
	stderr := new(strings.Builder)
	cmd.Stderr = stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	in := bufio.NewReader(out)
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return cmd, in, stderr
}

// TestFirstSignal ends a command through its context.
func TestFirstSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd, _, stderr := start(t, "wait")
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		cmd.Wait() // the exit status is checked below
		const want = "program: wait: interrupted; it can be continued\n"
		if status := cmd.ProcessState.ExitCode(); status != 130 || stderr.String() != want {
			t.Errorf("%v: status %d, %q", signal, status, stderr)
		}
	}
}

// TestSecondSignal ends a command that ignores its context.
func TestSecondSignal(t *testing.T) {
	cmd, in, _ := start(t, "hang")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	// The program restores the default handling just after its context is done. The Go
	// runtime may crash when signals arrive faster than it handles them.
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		cmd.Process.Signal(syscall.SIGTERM) // fails once it has ended
		select {
		case err := <-ended:
			status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
				t.Errorf("ended with %v", err)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestClosedPipe ends who reads the output of a command: its next write fails.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "talk")
	cmd.Env = append(os.Environ(), "CLI_TEST_MAIN=1")
	stderr := new(strings.Builder)
	cmd.Stdout, cmd.Stderr = w, stderr
	if err := errors.Join(cmd.Start(), w.Close(), r.Close()); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // the exit status is checked below
	if status := cmd.ProcessState.ExitCode(); status != 1 || stderr.Len() > 0 {
		t.Errorf("%v, %q", cmd.ProcessState, stderr)
	}
}

// TestAwait cancels a function that never returns, and calls others.
func TestAwait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	if _, err := Await(ctx, func() (int, error) { select {} }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	failure := errors.New("failure")
	if n, err := Await(t.Context(), func() (int, error) { return 7, failure }); n != 7 || err != failure {
		t.Error(n, err)
	}
}
