package uci

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// output writes whole lines, from several goroutines, and the debug log. After
// close or a failed write it discards everything.
type output struct {
	closed atomic.Bool

	mu      sync.Mutex // held while writing
	w       io.Writer
	failure func()                // called after a failed write
	err     atomic.Pointer[error] // of the failed write

	log atomic.Pointer[debugLog] // nil if there is none
}

func newOutput(w io.Writer) *output { return &output{w: w, failure: func() {}} }

// onFailure sets the function to call when a write fails. It must not be called
// concurrently with Write.
func (o *output) onFailure(f func()) { o.failure = f }

// failed returns the error of a failed write, nil if there was none. It does not
// wait for a Write that blocks.
func (o *output) failed() error {
	if err := o.err.Load(); err != nil {
		return *err
	}
	return nil
}

// close discards what is written from now on and ends the log. It does not wait for
// a Write that blocks.
func (o *output) close() {
	o.closed.Store(true)
	o.openLog("") // cannot fail
}

// Write writes whole lines at once. It never returns an error: onFailure ends the
// driver instead.
func (o *output) Write(lines []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed.Load() {
		return len(lines), nil
	}
	o.record("<<", lines)
	if _, err := o.w.Write(lines); err != nil {
		o.closed.Store(true)
		reason := err // alone on the heap
		o.err.Store(&reason)
		o.failure()
	}
	return len(lines), nil
}

// report writes an error on one line.
func (o *output) report(err error) {
	o.printf("info string ERROR: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

// openLog appends to the log file at path from now on; "" ends the log. On error,
// and after a failed write, which is reported once, there is no log.
func (o *output) openLog(path string) error {
	if old := o.log.Swap(nil); old != nil {
		old.end()
	}
	if path == "" {
		return nil
	}
	log, err := openDebugLog(path, func(err error) { o.report(fmt.Errorf("option Debug Log File: %w", err)) })
	if err != nil {
		return err
	}
	o.log.Store(log)
	return nil
}

// record adds lines to the log, each with the time and an arrow: ">>" for input,
// "<<" for output.
func (o *output) record(arrow string, lines []byte) {
	if log := o.log.Load(); log != nil {
		log.add(arrow, lines)
	}
}
