//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestService stops a program and its child.
func TestService(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	s, err := startService("shell", log, ".", []string{"WORD=ready"}, "sh", "-c", "sleep 1000 & echo $WORD; wait")
	if err != nil {
		t.Fatal(err)
	}
	await(t, "output of the shell", func() bool {
		text, err := os.ReadFile(log)
		return err == nil && string(text) == "ready\n"
	})
	if err := s.failure(); err != nil {
		t.Error(err)
	}
	child := func() bool { // not one that has ended but that its parent has not asked for
		_, err := command(t.Context(), ".", "pgrep", "--session", strconv.Itoa(s.cmd.Process.Pid),
			"--runstates", "DRST", "--exact", "sleep")
		return err == nil
	}
	await(t, "child", child) // until then it is a copy of the shell
	s.stop()
	if err := s.failure(); err == nil || !strings.Contains(err.Error(), "ended") {
		t.Error("stopped:", err)
	}
	await(t, "end of the child", func() bool { return !child() }) // a signal takes time
}

// await fails the test unless something happens soon.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s", what)
		}
	}
}

// TestFailure recognizes an exception in the output of a program.
func TestFailure(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s, err := startService("shell", log, ".", nil, "sh", "-c", "echo 'Traceback (most recent call last):'; sleep 1000")
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop()
	await(t, "failure", func() bool {
		err = s.failure()
		return err != nil
	})
	if !strings.Contains(err.Error(), "shell reports an error") {
		t.Error(err)
	}
}
