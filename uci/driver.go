// Package uci is the engine's front end: the Universal Chess Interface between
// any reader and any writer.
//
// Two goroutines share the work. The reader takes in lines and never waits for
// the search: it carries out stop, ponderhit, quit and debug itself, answers
// isready while a search is running, and queues everything else. The executor
// carries the queue out in order, one command at a time, the search included.
// So a position, setoption or second go that arrives during a search is carried
// out after that search has ended. A stop ends the running search and every go
// read before the stop; each go is answered by exactly one bestmove.
//
// Source: S. Meyer-Kahlen, "Description of the universal chess interface
// (UCI)", April 2006.
package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"skein/chess"
	"skein/polyglot"
	"skein/position"
	"skein/search"
)

// Values of the options Hash, in MiB, and Threads before anybody sets them:
// those the Engine handed to New must have been made with.
const (
	DefaultHash    = 16
	DefaultThreads = 1
)

// showInterval is the least time between two reports of the lines being searched,
// or of refutations.
const showInterval = time.Second

// quitGrace is how long a Driver that was told to quit lets commands read
// before end by themselves. Searches end at once, so only something like a
// running bench or the clearing of a huge table is cut off.
const quitGrace = 500 * time.Millisecond

// Config tells a Driver about the program around it.
type Config struct {
	Version  string                  // follows the engine's name in the answer to uci
	Commands []Command               // beyond those of the protocol
	LoadNet  func(path string) error // for EvalFile: "" is the embedded network; nil if there is no choice
	Tunables []Tunable               // more options
	Describe func() string           // one line to say before the first readyok, and the next after another network; nil if none
}

// Command is a command of the program around the Driver. Run is called by the
// executor, so the Engine is its own while it runs. What it returns is reported
// as the command's failure.
type Command struct {
	Name string
	Help string // one line, without the name
	Run  func(args []string, out io.Writer) error
}

// Tunable is a number that an option sets, between searches.
type Tunable struct {
	Name     string
	Value    int // at first
	Min, Max int
	Set      func(int)
}

// Driver connects one engine to one pair of streams. It runs once.
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
	game         *position.Game
	doubleStep   chess.Square // behind the pawn that just made one, or NoSquare
	book         *polyglot.Book
	random       func() uint64 // chooses among moves of the book, and those of a weak player
	ugi          bool          // the session is one of UGI
	settings     settings
	tablebase    search.Tablebase
	described    bool          // what Config.Describe returns has been said
	searchEnd    time.Time     // when the last search ended
	load         loadMeter     // of the running search
	interval     time.Duration // between current lines, and between refutations
	buf          []byte        // the line being formatted
	firstFailure error
}

// New returns a driver of engine that reads commands from in, which may be nil
// if only RunCommands is used, and writes answers to out.
//
// It also raises GOMAXPROCS above the number of search threads, here and with
// the option Threads: with as many workers as processors the reader would be
// scheduled too late, and stop would take milliseconds.
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

// reserveProcessors lets reader and clock run beside threads busy workers.
func reserveProcessors(threads int) { runtime.GOMAXPROCS(max(runtime.NumCPU(), threads+2)) }

// Run carries out commands until quit, the end of the input, the end of ctx or
// a failure to write. Then it stops all searches, lets what was read before end
// within half a second, and returns. The reader's goroutine ends with the next
// line or the end of the input.
func (d *Driver) Run(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.out.onFailure(cancel)
	go func() {
		defer cancel()
		d.read()
	}()
	d.execute(ctx)
}

// ErrOutput is the failure to write answers, wrapped with its reason.
var ErrOutput = errors.New("output")

// RunCommands carries out lines as if they had been read, each to its end, up
// to a quit or the end of ctx. It returns the first failure, before others one
// that is ErrOutput. There is nobody to say stop or ponderhit: these are
// ignored.
func (d *Driver) RunCommands(ctx context.Context, lines []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.out.onFailure(cancel)
	for _, line := range lines {
		j := d.parse(line)
		if j == nil {
			continue
		}
		if j.is("quit") {
			break
		}
		if !j.is("stop") && !j.is("ponderhit") {
			d.inbox.put(j)
		}
	}
	d.inbox.finish()
	finished := d.execute(ctx)
	if err := d.out.failed(); err != nil {
		return fmt.Errorf("%w: %w", ErrOutput, err)
	}
	if !finished {
		return nil
	}
	return d.firstFailure
}

// execute carries out the queue until it is finished or ctx ends, and waits no
// longer than the grace period after that. It reports whether all that was
// begun has ended.
func (d *Driver) execute(ctx context.Context) bool {
	defer d.out.close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for j := d.inbox.next(); j != nil; j = d.inbox.next() {
			d.carryOut(j)
		}
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

// carryOut runs one command and reports its failure.
func (d *Driver) carryOut(j *job) {
	err := j.err
	if err == nil {
		err = j.handler.run(j)
	}
	if err != nil {
		d.fail(err)
	}
}

// fail is report for the executor, which remembers the first failure.
func (d *Driver) fail(err error) {
	if d.firstFailure == nil {
		d.firstFailure = err
	}
	d.report(err)
}

// report tells the user on one line that something was refused, and why.
func (d *Driver) report(err error) {
	d.note("error: %s", strings.ReplaceAll(err.Error(), "\n", " "))
}

// note tells the user something that is no failure.
func (d *Driver) note(format string, args ...any) {
	d.out.printf("info string "+format+"\n", args...)
}

// remark is a note for those who switched debug on.
func (d *Driver) remark(format string, args ...any) {
	if d.debug.Load() {
		d.note(format, args...)
	}
}

// quote shortens input for a message.
func quote(s string) string {
	const limit = 40
	if len(s) > limit {
		return fmt.Sprintf("%q...", s[:limit])
	}
	return fmt.Sprintf("%q", s)
}
