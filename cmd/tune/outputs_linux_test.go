package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tune returns a command that runs tune in a process of its own.
func tune(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "TUNE_TEST_MAIN=1")
	return cmd
}

// TestTrainPipes gives train named pipes without writers as files.
func TestTrainPipes(t *testing.T) {
	dir, data := t.TempDir(), records(t, "data.bin", 100)
	file := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"x.checkpoint", "y.nnue", "data.bin"} {
		if err := syscall.Mkfifo(file(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	small := []string{"train", "--width", "16", "--superbatches", "1"}
	fails(t, "x.checkpoint: not a regular file", append(small, "-o", file("x.nnue"), data)...)
	fails(t, "y.nnue", append(small, "-o", file("y.nnue"), data)...)
	for _, args := range [][]string{
		{file("data.bin")}, {"--validation", file("data.bin"), data}, {"--from", file("data.bin"), data},
	} {
		fails(t, "data.bin: not a regular file", append(append(small, "-o", file("z.nnue")), args...)...)
	}
}

// TestTrainTwice starts train with the output of a running one.
func TestTrainTwice(t *testing.T) {
	data, out := records(t, "data.bin", 1000), filepath.Join(t.TempDir(), "x.nnue")
	args := []string{"train", "-o", out, "--width", "16", "--batch", "100", "--superbatches", "1000000", data}
	cmd := tune(args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(out); err == nil {
			break
		}
	}
	fails(t, "being written by another process", args...)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Error("an interrupted run:", cmd.ProcessState)
	}
	var names []string
	entries, err := os.ReadDir(filepath.Dir(out))
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{"x.checkpoint", "x.csv", "x.nnue", "x.svg"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("files %q, want %q; %v", names, want, err)
	}
}

// TestInputIsOutput names an input as the output, by several names.
func TestInputIsOutput(t *testing.T) {
	dir := t.TempDir()
	net, hard := filepath.Join(dir, "x.nnue"), filepath.Join(dir, "hard.nnue")
	must(t, "seed", "-o", net)
	if err := os.Link(net, hard); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	before, err := os.ReadFile(net)
	if err != nil {
		t.Fatal(err)
	}
	data := records(t, "data.bin", 100)
	for _, line := range []string{
		"inspect x.nnue --png ./x.nnue",
		"inspect x.nnue --png hard.nnue",
		"inspect x.nnue --png " + data + " --data " + data,
		"normalise -o x.nnue --center 200 hard.nnue",
		"widen -o x.nnue --width 512 ./x.nnue",
		"narrow -o x.nnue --data " + data + " hard.nnue",
		"narrow -o " + data + " --data " + data + " x.nnue",
		"train -o x.nnue --from hard.nnue " + data,
	} {
		fails(t, "is also an input", strings.Fields(line)...)
	}
	if after, err := os.ReadFile(net); err != nil || !slices.Equal(before, after) {
		t.Error("the network was changed:", err)
	}
}
