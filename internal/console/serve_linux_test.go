package console

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeBrowser puts a script in place of the browser, and returns a function that waits
// for the text that its command writes.
func fakeBrowser(t *testing.T, command string) (text func() string) {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	script := "#!/bin/sh\n" + command + " > '" + out + ".part'\nmv '" + out + ".part' '" + out + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return func() string {
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if text, err := os.ReadFile(out); err == nil {
				return strings.TrimSpace(string(text))
			}
		}
		t.Fatal("no browser was started")
		return ""
	}
}

// TestOpenBrowser expects the browser to be in a process group of its own, so that an
// interrupt of this program does not end it.
func TestOpenBrowser(t *testing.T) {
	text := fakeBrowser(t, "cut -d ' ' -f 5 /proc/$$/stat")
	if err := openBrowser("http://127.0.0.1/"); err != nil {
		t.Fatal(err)
	}
	if group, err := strconv.Atoi(text()); err != nil || group == syscall.Getpgrp() {
		t.Errorf("group %d is that of this program, %v", group, err)
	}
}

// TestServeOpen opens the page that the command names, with its token.
func TestServeOpen(t *testing.T) {
	text := fakeBrowser(t, `echo "$*"`)
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	env := Env{Out: writer, Err: io.Discard, Name: "Skein test", NewEngine: newEngine}
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, env, []string{"serve", "--open", "--port", "0", "--hash", "1", "--listen", "0.0.0.0"})
	}()
	url, err := bufio.NewReader(reader).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if got := text(); got != strings.TrimSpace(url) || !strings.Contains(got, "?token=") {
		t.Errorf("opens %q, not %q", got, url)
	}
	cancel()
	<-ended
}
