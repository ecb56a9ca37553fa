package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestFullDevice writes to a device without room: the exit status and standard
// error tell.
func TestFullDevice(t *testing.T) {
	for _, args := range [][]string{
		{"--version"}, {"--help"}, {"compiler"}, {"bench", "1"}, {"completion", "bash"}, {},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip(err)
		}
		var stderr bytes.Buffer
		status := run(context.Background(), args, strings.NewReader("uci\n"), full, &stderr)
		full.Close()
		if status != 1 || !strings.Contains(stderr.String(), "no space left on device") {
			t.Errorf("%q: exit status %d, %q", args, status, &stderr)
		}
	}
}

// TestPipeAsNetwork names a pipe as network, which cannot be opened without
// waiting.
func TestPipeAsNetwork(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asEngine+"=1")
	cmd.Stdin = strings.NewReader("setoption name EvalFile value /dev/stdin\nquit\n") // becomes a pipe
	out, err := cmd.CombinedOutput()
	const want = "info string ERROR: option EvalFile: network: /dev/stdin: not a regular file\n"
	if string(out) != want || err != nil {
		t.Errorf("%v, output:\n%s", err, out)
	}
}
