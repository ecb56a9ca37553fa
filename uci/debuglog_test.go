package uci

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLogThatFails logs to a file that cannot be written: that is reported once.
func TestLogThatFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	readOnly, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	failures := make(chan error, 10)
	log := newDebugLog(readOnly, func(err error) { failures <- err })
	for range 10 {
		log.add(">>", []byte("isready\n"))
		time.Sleep(time.Millisecond)
	}
	log.end()
	select {
	case err := <-failures:
		if !strings.Contains(err.Error(), path) {
			t.Errorf("error %v does not name the file", err)
		}
	case <-time.After(patience):
		t.Fatal("no error")
	}
	if len(failures) > 0 {
		t.Errorf("%d more errors", len(failures))
	}
}

// TestLogThatBlocks adds more than a log keeps while its file, a full pipe, does
// not accept anything: nobody waits, and the loss is recorded.
func TestLogThatBlocks(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	log := newDebugLog(w, func(error) {})
	line := []byte(strings.Repeat("x", 1<<20) + "\n")
	for range 3 * maxUnlogged / len(line) {
		log.add("<<", line)
	}
	log.close()
	text := make(chan string)
	go func() {
		var all strings.Builder
		r.WriteTo(&all)
		text <- all.String()
	}()
	select {
	case got := <-text:
		if !strings.HasSuffix(got, " lines lost\n") || len(got) < maxUnlogged/2 {
			t.Errorf("a log of %d bytes without the number of lost lines", len(got))
		}
	case <-time.After(patience):
		t.Fatal("the log does not end")
	}
}
