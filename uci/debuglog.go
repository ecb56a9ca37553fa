package uci

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"skein/internal/input"
)

const (
	// maxUnlogged is how many bytes may wait to be written to a log; lines beyond
	// are lost.
	maxUnlogged = 16 << 20

	// logGrace is how long the end of a log is waited for.
	logGrace = 500 * time.Millisecond
)

// debugLog appends lines to a file. They are written by a goroutine of its own, so
// that the protocol does not wait for the file.
type debugLog struct {
	file   *os.File
	failed func(error)   // called once, with the error of the first write that failed
	done   chan struct{} // closed when the file is

	mu       sync.Mutex // not held while writing
	changed  sync.Cond  // signaled for the goroutine
	unlogged []byte     // lines to write
	lost     int        // lines that could not be added since the last write
	closed   bool       // nothing more will be added
}

// openDebugLog opens the regular file at path, which it creates if it does not
// exist. failed is called once if the file cannot be written.
func openDebugLog(path string, failed func(error)) (*debugLog, error) {
	if _, err := input.Stat(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|nonBlocking, 0o644)
	if err != nil {
		return nil, err
	}
	return newDebugLog(f, failed), nil
}

// newDebugLog starts a log that is written to f.
func newDebugLog(f *os.File, failed func(error)) *debugLog {
	l := &debugLog{file: f, failed: failed, done: make(chan struct{})}
	l.changed.L = &l.mu
	go func() {
		defer close(l.done)
		defer f.Close()
		l.write()
	}()
	return l
}

// write writes what is added until the log is closed or a write fails.
func (l *debugLog) write() {
	for {
		lines, ok := l.next()
		if !ok {
			return
		}
		if _, err := l.file.Write(lines); err != nil {
			l.close()
			l.failed(err)
			return
		}
	}
}

// next waits for lines and removes them. It is not ok after the last ones.
func (l *debugLog) next() (lines []byte, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.unlogged) == 0 && !l.closed {
		l.changed.Wait()
	}
	lines, l.unlogged = l.unlogged, nil
	if l.lost > 0 {
		lines = fmt.Appendf(lines, "%d lines lost\n", l.lost)
		l.lost = 0
	}
	return lines, len(lines) > 0
}

// add adds lines, each with the time and an arrow: ">>" for input, "<<" for output.
func (l *debugLog) add(arrow string, lines []byte) {
	now := time.Now().Format("2006-01-02 15:04:05.000000")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	for line := range bytes.Lines(lines) {
		if len(l.unlogged)+len(line) > maxUnlogged {
			l.lost++
			continue
		}
		l.unlogged = fmt.Appendf(l.unlogged, "%s %s %s\n", now, arrow, bytes.TrimRight(line, "\r\n"))
	}
	l.changed.Signal()
}

// close lets the log end after the lines added so far.
func (l *debugLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	l.changed.Signal()
}

// end closes the log and waits until it is written, at most for logGrace.
func (l *debugLog) end() {
	l.close()
	select {
	case <-l.done:
	case <-time.After(logGrace):
	}
}
