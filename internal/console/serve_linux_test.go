package console

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestOpenBrowser expects the browser to be in a process group of its own, so that an
// interrupt of this program does not end it.
func TestOpenBrowser(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "group")
	script := "#!/bin/sh\ncut -d ' ' -f 5 /proc/$$/stat > '" + out + ".part'\nmv '" + out + ".part' '" + out + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if err := openBrowser("http://127.0.0.1/"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(out)
		if err != nil {
			continue
		}
		if group, err := strconv.Atoi(string(bytes.TrimSpace(text))); err != nil || group == syscall.Getpgrp() {
			t.Errorf("group %s is that of this program, %v", text, err)
		}
		return
	}
	t.Error("no browser was started")
}
