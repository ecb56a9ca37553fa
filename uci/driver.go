// Package uci implements the Universal Chess Interface, the engine's front end,
// on any reader and writer. Package uciclient is the other end.
//
//	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
//	if err != nil {
//		return err
//	}
//	driver := uci.New(engine, os.Stdin, os.Stdout, uci.Config{Version: "1.0"})
//	return driver.Run(ctx) // until quit or the end of the input
//
// Two goroutines share the work. The reader reads lines and never waits for the
// search: it executes stop, ponderhit, quit, debug and the option Debug Log File
// itself, answers isready while a search is running, and queues everything else. The
// executor runs the queue in order, one command at a time, searches included, so that a
// position, another setoption or a second go that arrives during a search takes effect
// after it. A stop ends the running search and every go read before the stop; each go is
// answered by exactly one bestmove.
//
// Source: S. Meyer-Kahlen, "Description of the universal chess interface
// (UCI)", April 2006.
package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"skein/chess"
	"skein/polyglot"
	"skein/position"
	"skein/search"
)

// Defaults of the options Hash, in MiB, and Threads. The Engine passed to New
// must have been created with them.
const (
	DefaultHash    = 16
	DefaultThreads = 1
)

// showInterval is the minimum time between two reports of the lines being
// searched, or of refutations.
const showInterval = time.Second

// quitGrace is how long a Driver waits after quit for commands read before it.
// Searches end at once, so only commands such as a running bench or the clearing
// of a huge table are cut off.
const quitGrace = 500 * time.Millisecond

// Config connects a Driver to the program that uses it.
type Config struct {
	Version  string                  // follows the engine's name in the reply to uci
	Commands []Command               // beyond those of the protocol
	LoadNet  func(path string) error // sets EvalFile: "" is the embedded network; nil if it cannot be changed
	Tunables []Tunable               // more options
	// Describe, which may be nil, is written before the first readyok outside searches,
	// before the next one after another network was set, and with debug on after every
	// search.
	Describe func() string
}

// Command is a command of the program that uses the Driver. Run is called by the
// executor and has exclusive use of the Engine. Its error is reported.
type Command struct {
	Name string
	Help string // one line, without the name
	Run  func(args []string, out io.Writer) error
}

// Tunable is a parameter of the search that becomes an option.
type Tunable struct {
	Name     string
	Value    int // default
	Min, Max int
	Set      func(int)
}

// Driver connects one engine to one pair of streams. It runs once: after Run or
// RunCommands it writes nothing more.
type Driver struct {
	engine   *search.Engine
	in       io.Reader
	out      *output
	config   Config
	inbox    *inbox
	grace    time.Duration
	debug    atomic.Bool
	handlers []handler // in the order help lists them
	byName   map[string]*handler
	options  []option

	// The rest belongs to the executor.
	game       *position.Game // nil after a position that was refused
	refusal    error          // why game is nil
	doubleStep chess.Square   // square skipped by the last move, or NoSquare
	book       *polyglot.Book
	random     func() uint64 // for book moves and limited strength
	ugi        bool          // the session uses UGI
	settings   settings
	tablebase  search.Tablebase
	described  bool          // Config.Describe was reported
	searchEnd  time.Time     // when the last search, perft or command of Config ended
	load       loadMeter     // of the running search
	interval   time.Duration // between current lines, and between refutations
	buf        []byte        // the line being formatted
	cutOff     bool          // perft, or a search with a limit, was stopped

	failures     sync.Mutex
	firstFailure error // guarded by failures, as search threads report damaged tablebases
}

// New returns a driver of engine that reads commands from in, which may be nil
// if only RunCommands is used, and writes answers to out.
//
// It also raises GOMAXPROCS above the number of search threads, here and when the
// option Threads is set, and never lowers it: with as many workers as processors the
// reader would be scheduled too late, and stop would take milliseconds.
func New(engine *search.Engine, in io.Reader, out io.Writer, c Config) *Driver {
	d := &Driver{
		engine: engine,
		in:     in,
		out:    newOutput(out),
		config: c,
		inbox:  newInbox(),
		grace:  quitGrace,
		game:   position.NewGame(position.Start()),
		random: rand.Uint64,

		interval: showInterval,

		doubleStep: chess.NoSquare,
		settings:   defaultSettings(),
		tablebase:  defaultTablebase(),
		byName:     make(map[string]*handler),
	}
	d.options = d.optionTable()
	d.handlers = d.handlerTable()
	for i := range d.handlers {
		d.byName[d.handlers[i].name] = &d.handlers[i]
	}
	reserveProcessors(DefaultThreads)
	return d
}

// reserveProcessors raises GOMAXPROCS so that the reader runs in time beside threads
// busy workers.
func reserveProcessors(threads int) {
	if runtime.GOMAXPROCS(0) < threads+2 {
		runtime.GOMAXPROCS(threads + 2)
	}
}

// Run runs commands until quit, the end of the input, the end of ctx or a
// failure to read or write. It then stops all searches, waits at most half a second
// for the commands already read, and returns ErrOutput if output failed, ErrInput if
// input did, or else ErrInterrupted if a command goes on. After an error the engine must
// be neither used nor closed, as a command may go on. The reader's goroutine ends with
// the next line, which is lost, or the end of the input.
func (d *Driver) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.out.onFailure(cancel)
	var unread atomic.Pointer[error]
	go func() {
		defer cancel()
		if err := d.read(ctx); err != nil {
			unread.Store(&err)
		}
	}()
	finished := d.execute(ctx, d.inbox.next)
	if err := d.outputError(); err != nil {
		return err
	}
	if err := unread.Load(); err != nil {
		return fmt.Errorf("%w: %w", ErrInput, *err)
	}
	if !finished {
		return ErrInterrupted
	}
	return nil
}

// Errors of Run and RunCommands.
var (
	// ErrOutput reports that output could not be written; it is wrapped with the
	// reason.
	ErrOutput = errors.New("output")
	// ErrInput reports that input could not be read; it is wrapped with the reason.
	ErrInput = errors.New("input")
	// ErrInterrupted reports that a command was cut off or left out.
	ErrInterrupted = errors.New("interrupted")
)

// outputError returns ErrOutput with the reason if output failed, else nil.
func (d *Driver) outputError() error {
	if err := d.out.failed(); err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	return nil
}

// RunCommands runs lines as if they had been read, each to its end, up to a
// quit or the end of ctx, which stops a search. It returns ErrOutput if output failed,
// ErrInterrupted if the end of ctx cut off a command, other than an infinite search, or
// left some out, otherwise the first error of a command. After ErrOutput and
// ErrInterrupted the engine must be neither used nor closed, as a command may go on. A
// stop or ponderhit has no effect, as no search is running when it is reached.
func (d *Driver) RunCommands(ctx context.Context, lines []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.out.onFailure(cancel)
	var jobs []*job
	for _, line := range lines {
		j := d.parse(line)
		if j == nil {
			continue
		}
		if j.is("quit") {
			break
		}
		jobs = append(jobs, j)
	}
	begun := 0
	next := func() *job {
		if begun == len(jobs) {
			return nil
		}
		d.inbox.put(jobs[begun]) // one at a time, so that each begins after the one before
		j := d.inbox.next()
		if j != nil {
			begun++
		}
		return j
	}
	finished := d.execute(ctx, next)
	if err := d.outputError(); err != nil {
		return err
	}
	if !finished || begun < len(jobs) || d.cutOff {
		return ErrInterrupted
	}
	return d.firstFailure
}

// execute runs the commands that next returns until that is nil. When ctx ends, it
// closes the queue and waits no longer than the grace period. It reports whether all
// commands have ended.
func (d *Driver) execute(ctx context.Context, next func() *job) bool {
	defer d.out.close()
	done := make(chan struct{})
	go func() {
		for j := next(); j != nil; j = next() {
			d.carryOut(j)
		}
		d.closeFiles()
		close(done) // not deferred: a panic is to be printed before the process ends
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
	}
	d.inbox.close()
	select {
	case <-done:
		return true
	case <-time.After(d.grace):
		return false
	}
}

// closeFiles closes the tablebases and the opening book. No command may run.
func (d *Driver) closeFiles() {
	if d.tablebase.Tables != nil {
		d.setSyzygyPath(value{})
	}
	if d.book != nil {
		d.setBookFile(value{})
	}
}

// carryOut runs one command and reports its error.
func (d *Driver) carryOut(j *job) {
	err := j.err
	if j.ignored > 0 {
		err = fmt.Errorf("ignored %d lines: the queue of commands was full", j.ignored)
	}
	switch {
	case j.ignored > 0 || err == errLineTooLong:
		d.game, d.doubleStep, d.refusal = nil, chess.NoSquare, err // a position may be among the lines
	case err == nil && j.handler.onBoard && d.game == nil:
		err = d.noPosition(j.handler.name)
	case err == nil:
		err = j.handler.run(j)
	}
	if err != nil {
		d.fail(err)
	}
}

// fail reports an error and remembers the first one for the result of RunCommands.
func (d *Driver) fail(err error) {
	d.failures.Lock()
	d.firstFailure = cmp.Or(d.firstFailure, err)
	d.failures.Unlock()
	d.out.report(err)
}

// note writes a message that is not an error.
func (d *Driver) note(format string, args ...any) {
	d.out.printf("info string "+format+"\n", args...)
}

// remark is a note that is only written with debug on.
func (d *Driver) remark(format string, args ...any) {
	if d.debug.Load() {
		d.note(format, args...)
	}
}

// quote shortens input for a message.
func quote(s string) string {
	const limit = 40 // characters
	if utf8.RuneCountInString(s) > limit {
		return fmt.Sprintf("%.*q...", limit, s)
	}
	return fmt.Sprintf("%q", s)
}
