package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestThreadsWithoutMemory asks for more threads than the memory limit of the
// process allows: the engine reports it, keeps the old number and plays on.
func TestThreadsWithoutMemory(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asEngine+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	io.WriteString(in, "isready\n")
	for lines.Scan() && lines.Text() != "readyok" {
	}
	limit := virtualSize(t, cmd.Process.Pid) + 300<<20
	if err := unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}, nil); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, "setoption name Threads value 200\ndebug on\ngo depth 3\n")
	var seen strings.Builder
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "bestmove") {
		fmt.Fprintln(&seen, lines.Text())
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{
		"info string ERROR: option Threads: search: no memory for 200 threads", "info string threads 1,",
	} {
		if !strings.Contains(seen.String(), want) {
			t.Errorf("no line %q; output:\n%s", want, &seen)
		}
	}
}

// virtualSize returns the size of the address space of a process in bytes.
func virtualSize(t *testing.T, pid int) uint64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		t.Fatal(err)
	}
	return pages * uint64(os.Getpagesize())
}
