package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"skein/scripts/wine/prefix"
)

// tester tests engines: those of this machine's platform natively, others under
// qemu-user or Wine.
type tester struct {
	version   string
	signature string   // of bench
	dir       string   // for what Wine keeps
	wine      []string // environment of Wine, once it is ready
}

// trial is input of an engine, and lines that its output must contain.
type trial struct {
	args  []string
	input string
	want  []string
}

const trialTime = 10 * time.Minute // bench under qemu takes a minute on a busy machine

// try runs the program of a platform and checks its output. If it cannot be run,
// try prints a message and returns nil.
func (s *tester) try(t target, exe string) error {
	emulator, env, reason := s.runner(t)
	if reason != "" {
		fmt.Printf("%s: NOT TRIED: %s\n", t.name(), reason)
		return nil
	}
	for _, trial := range []trial{
		{nil, "uci\nisready\nquit\n", []string{"id name Skein " + s.version, "uciok", "readyok"}},
		{[]string{"--version"}, "", []string{"Skein " + s.version + "\n"}},
		{[]string{"position startpos moves e2e4", "go depth 6"}, "", []string{"info depth 6 ", "bestmove "}},
		{[]string{"analyse", "--depth", "6", "e4"}, "", []string{" 6/", "best move: 1... "}},
		{[]string{"bench"}, "", []string{s.signature + " nodes "}},
	} {
		command := append(append(emulator[:len(emulator):len(emulator)], exe), trial.args...)
		ctx, cancel := context.WithTimeout(context.Background(), trialTime)
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Stdin, cmd.Env = strings.NewReader(trial.input), append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			return fmt.Errorf("%q: %w\n%s", command, err, out)
		}
		out = bytes.ReplaceAll(out, []byte("\r\n"), []byte("\n"))
		for _, want := range trial.want {
			if !strings.Contains("\n"+string(out), "\n"+want) {
				return fmt.Errorf("%q: no line that begins with %q among\n%s", command, want, out)
			}
		}
	}
	fmt.Println(strings.Join(append([]string{t.name() + ": tried"}, emulator...), " "))
	return nil
}

// runner returns the program that runs those of the platform, none if they run
// as they are, and what to add to the environment; or why they cannot be run.
func (s *tester) runner(t target) (emulator, env []string, reason string) {
	if t.level == "v3" && !(cpu.X86.HasAVX2 && cpu.X86.HasBMI2 && cpu.X86.HasFMA) {
		return nil, nil, "this processor lacks AVX2, BMI2 or FMA"
	}
	name := ""
	switch {
	case t.os == runtime.GOOS && t.arch == runtime.GOARCH:
		return nil, nil, ""
	case t.os == "linux" && runtime.GOOS == "linux":
		name = map[string]string{"amd64": "qemu-x86_64", "arm64": "qemu-aarch64"}[t.arch]
	case t.os == "windows" && t.arch == runtime.GOARCH:
		name = "wine"
	default:
		return nil, nil, fmt.Sprintf("no way to run it on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, nil, name + " is not installed"
	}
	if name == "wine" {
		if s.wine == nil {
			if s.wine, err = prefix.New(filepath.Join(s.dir, "wine")); err != nil {
				return nil, nil, err.Error()
			}
		}
		env = s.wine
	}
	return []string{path}, env, ""
}

// close ends the processes of Wine and removes its prefix.
func (s *tester) close() {
	if s.wine != nil {
		prefix.End(s.wine)
	}
	os.RemoveAll(s.dir)
}

var benchLine = regexp.MustCompile(`(?m)^Bench: (\d+)$`)

// newTester reads the signature from the message of the last commit.
func newTester(version string) (*tester, error) {
	message, err := git("log", "--max-count=1", "--format=%B")
	if err != nil {
		return nil, err
	}
	found := benchLine.FindStringSubmatch(message)
	if found == nil {
		return nil, errors.New("the message of the last commit has no line Bench: N")
	}
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	return &tester{version: version, signature: found[1], dir: dir}, nil
}
