package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// limited runs tune in a process whose files are limited to a few KiB, which has
// the effect of a full disk. It returns the error output and the exit status.
func limited(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -f 4; exec "$0" "$@"`, os.Args[0]}, args...)...)
	cmd.Env = append(os.Environ(), "TUNE_TEST_MAIN=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.Run() // the exit status is returned
	return stderr.String(), cmd.ProcessState.ExitCode()
}

// TestOutputs runs every command that writes a file where there is one, and on a full
// disk: it names the error, and changes and leaves no file.
func TestOutputs(t *testing.T) {
	dir, data := t.TempDir(), records(t, "data.bin", 1000)
	net, old, out := filepath.Join(dir, "net.nnue"), filepath.Join(dir, "old.nnue"), filepath.Join(dir, "out.nnue")
	must(t, "seed", "-o", net)
	if err := os.WriteFile(old, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"seed -o OUT",
		"normalise --center 200 -o OUT " + net,
		"average -o OUT " + net + " " + net,
		"widen --width 128 -o OUT " + net,
		"narrow --width 16 --data " + data + " -o OUT " + net,
		"inspect --png OUT " + net,
		"train --width 16 --superbatches 1 --batch 100 -o OUT " + data,
	} {
		fails(t, "exist", strings.Fields(strings.ReplaceAll(line, "OUT", old))...)
		stderr, status := limited(t, strings.Fields(strings.ReplaceAll(line, "OUT", out))...)
		if status != 1 || !strings.Contains(stderr, "file too large") {
			t.Errorf("%s: status %d, %s", line, status, stderr)
		}
		text, err := os.ReadFile(old)
		if err != nil || string(text) != "old" {
			t.Errorf("%s: the old file became %.20q, %v", line, text, err)
		}
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || !slices.Equal(names, []string{net, old}) {
			t.Errorf("%s: files %q, %v", line, names, err)
		}
	}
}
