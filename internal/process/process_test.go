package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"skein/internal/input"
)

// patience bounds what never takes long, unless something hangs.
const patience = time.Minute

const behavior = "PROCESS_TEST_BEHAVIOR"

// TestMain lets the test binary be the program that tests start.
func TestMain(m *testing.M) {
	switch os.Getenv(behavior) {
	case "":
		os.Exit(m.Run())
	case "echo": // lines until the end of the input
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			fmt.Println("got", s.Text())
		}
		fmt.Print("no line break")
	case "die":
		fmt.Print("one\ntwo\n")
		fmt.Fprint(os.Stderr, "the first words", strings.Repeat(".", 1<<20), "the last words")
		os.Exit(3)
	case "long":
		fmt.Println(strings.Repeat("x", input.MaxLine+1))
		fmt.Println("short")
	case "parent": // ends, but leaves a child with its streams
		exe, err := os.Executable()
		if err != nil {
			panic(err)
		}
		child := exec.Command(exe)
		child.Env = append(os.Environ(), behavior+"=sleep")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
	case "sleep":
		time.Sleep(patience)
	case "talk":
		for {
			fmt.Println("and so on")
		}
	}
}

// begin starts the test binary as a program with the given behavior. At the end of
// the test the program and all goroutines of this package must be gone.
func begin(t *testing.T, program string, queue int) *Process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), behavior+"="+program)
	p, err := Start(cmd, queue)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		if _, err := p.Wait(limit(t)); err != nil {
			t.Error(err)
		}
		for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			stacks := make([]byte, 1<<20)
			stacks = stacks[:runtime.Stack(stacks, true)]
			if n := strings.Count(string(stacks), "created by skein/internal/process.Start"); n == 0 {
				return
			} else if time.Now().After(end) {
				t.Errorf("%d goroutines are left:\n%s", n, stacks)
				return
			}
		}
	})
	return p
}

// limit returns a context that ends when something hangs.
func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// brief returns a context for what cannot succeed.
func brief(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// expect checks the next lines and that the output ends with them.
func expect(t *testing.T, p *Process, want ...string) {
	t.Helper()
	for _, want := range want {
		if got, err := p.Next(limit(t)); got != want || err != nil {
			t.Fatalf("line %.20q, %v, want %q", got, err, want)
		}
	}
	if got, err := p.Next(limit(t)); err != io.EOF {
		t.Errorf("%q, %v, want the end", got, err)
	}
}

func TestLines(t *testing.T) {
	p := begin(t, "echo", 1)
	if err := p.Send("a", "b"); err != nil {
		t.Fatal(err)
	}
	p.CloseInput()
	p.CloseInput()
	if err := p.Send("c"); err != ErrInputClosed {
		t.Errorf("Send after CloseInput: %v", err)
	}
	expect(t, p, "got a", "got b", "no line break")
	if state, err := p.Wait(limit(t)); err != nil || state.ExitCode() != 0 {
		t.Errorf("%v, %v", state, err)
	}
}

func TestDeath(t *testing.T) {
	p := begin(t, "die", 0)
	expect(t, p, "one", "two")
	state, err := p.Wait(limit(t))
	if err != nil || state.ExitCode() != 3 {
		t.Errorf("%v, %v", state, err)
	}
	if err := p.Send("hello"); err != ErrEnded {
		t.Errorf("Send: %v", err)
	}
	words := p.Stderr()
	if !strings.HasPrefix(words, "the first words.") || !strings.HasSuffix(words, ".the last words") ||
		!strings.Contains(words, ".\n[...]\n.") || len(words) > 3*half {
		t.Errorf("%d bytes of standard error: %.20q ... %q", len(words), words, words[max(0, len(words)-20):])
	}
}

func TestLongLine(t *testing.T) {
	p := begin(t, "long", 1)
	if got, err := p.Next(limit(t)); got != "" || err != input.ErrTooLong {
		t.Errorf("%.20q, %v", got, err)
	}
	expect(t, p, "short")
}

// TestDeaf sends more than a pipe holds to a program that does not read.
func TestDeaf(t *testing.T) {
	p := begin(t, "sleep", 1)
	for range 2 {
		if err := p.Send(strings.Repeat("x", 1<<20)); err != nil {
			t.Error(err)
		}
	}
	if _, err := p.Next(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Next: %v", err)
	}
	if _, err := p.Wait(brief(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Wait: %v", err)
	}
}

// TestUnread kills a program whose output nobody reads.
func TestUnread(t *testing.T) {
	p := begin(t, "talk", 1)
	if _, err := p.Next(limit(t)); err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if state, err := p.Wait(limit(t)); err != nil || state.ExitCode() == 0 {
		t.Errorf("%v, %v", state, err)
	}
}

// TestOrphan checks that the end of a program is seen though its child lives on.
func TestOrphan(t *testing.T) {
	p := begin(t, "parent", 1)
	pid, err := p.Next(limit(t))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, p)
	n := 0
	if _, err := fmt.Sscan(pid, &n); err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(n)
	if err == nil {
		err = child.Kill()
	}
	if err != nil {
		t.Errorf("the child did not live on: %v", err)
	}
}

func TestNoProgram(t *testing.T) {
	if _, err := Start(exec.Command("no-such-program"), 1); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
}

// TestUsedStreams sets streams of a command, which would be replaced.
func TestUsedStreams(t *testing.T) {
	for name, cmd := range map[string]*exec.Cmd{
		"stdin":  {Stdin: strings.NewReader("")},
		"stdout": {Stdout: io.Discard},
		"stderr": {Stderr: io.Discard},
	} {
		cmd.Path, cmd.Env = os.Args[0], append(os.Environ(), behavior+"=echo")
		if _, err := Start(cmd, 1); err == nil || !strings.Contains(strings.ToLower(err.Error()), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
