// Package console implements the engine's commands for use at a terminal: they
// analyze positions, annotate games, run test suites and count moves, with flags
// and exit statuses as usual on Unix. On a terminal output is updated in place;
// through a pipe it is plain text or JSON.
//
// All scores are shown from White's point of view.
package console

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"skein/chess"
	"skein/search"
	"skein/syzygy"
)

// Exit statuses.
const (
	exitOK          = 0
	exitFailure     = 1   // something could not be read, written or searched
	exitUsage       = 2   // invalid arguments
	exitInterrupted = 130 // by SIGINT or SIGTERM, as shells count
)

// Env connects the commands to the program that uses them.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Name     string // of the engine, with version
	// NewEngine creates an engine; net is the path of a network, "" for the
	// embedded one. Hash is in MiB.
	NewEngine func(threads, hash int, net string) (*search.Engine, error)
}

// command is a command with its help.
type command struct {
	synopsis, help string
	run            func(c *call) error
}

var commands = map[string]command{
	"analyse": {analyseSynopsis, analyseHelp, analyse},
	"epd":     {epdSynopsis, epdHelp, runEPD},
	"perft":   {perftSynopsis, perftHelp, perft},
}

// Has reports whether there is such a command.
func Has(name string) bool {
	_, ok := commands[canonical(name)]
	return ok
}

func canonical(name string) string {
	if name == "analyze" {
		return "analyse"
	}
	return name
}

// call is an invocation of a command.
type call struct {
	Env
	ctx    context.Context
	args   []string
	flags  *flag.FlagSet
	screen screen // properties of Out
	failed bool   // an error occurred that did not end the command
	errMu  sync.Mutex
}

// usageError is an error in the arguments.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// Run runs the command args[0], for which Has must be true, with the remaining
// arguments, until it has finished or ctx is done. It returns the exit status.
func Run(ctx context.Context, env Env, args []string) int {
	name := canonical(args[0])
	cmd := commands[name]
	c := &call{Env: env, ctx: ctx, args: args[1:], screen: screenOf(env.Out)}
	c.flags = flag.NewFlagSet("engine "+name, flag.ContinueOnError)
	c.flags.SetOutput(io.Discard)
	err := cmd.run(c)
	var usage *usageError
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(env.Out, "usage: engine %s %s\n\n%s\nOptions:\n", name, cmd.synopsis, cmd.help)
		c.flags.SetOutput(env.Out)
		c.flags.PrintDefaults()
		return exitOK
	case errors.As(err, &usage):
		fmt.Fprintf(env.Err, "engine %s: %v\nusage: engine %s %s\n", name, err, name, cmd.synopsis)
		return exitUsage
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	case err != nil:
		fmt.Fprintf(env.Err, "engine %s: %s\n", name, printable(err.Error()))
		return exitFailure
	case c.failed:
		return exitFailure
	}
	return exitOK
}

// errInterrupted is returned by a command that was interrupted.
var errInterrupted = errors.New("interrupted")

// parse parses the flags, which may be mixed with other arguments, and returns
// the other arguments.
func (c *call) parse() ([]string, error) {
	var rest []string
	args := c.args
	for {
		if err := c.flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usagef("%v", err)
		}
		left := c.flags.Args()
		if len(left) == 0 {
			return rest, nil
		}
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// complain reports an error that does not end the command.
func (c *call) complain(format string, args ...any) {
	c.failed = true
	c.warn(format, args...)
}

// warn reports a problem that is not an error. It is safe for concurrent use.
func (c *call) warn(format string, args ...any) {
	c.errMu.Lock()
	defer c.errMu.Unlock()
	fmt.Fprintf(c.Err, "%s: %s\n", c.flags.Name(), printable(fmt.Sprintf(format, args...)))
}

// effort holds the flags about searches that several commands share.
type effort struct {
	time          time.Duration
	depth         int
	nodes         uint64
	threads, hash int
	net           string
	syzygy        string // folders; "" for no tablebases
}

// effortFlags adds the flags, with the given defaults of threads and hash in MiB.
func (c *call) effortFlags(threads, hash int) *effort {
	e := &effort{}
	c.flags.Func("time", "search for `T`, as in 500ms, 10s or 1m30s", func(s string) (err error) {
		if e.time, err = time.ParseDuration(s); err != nil || e.time <= 0 {
			return errors.New("expected a duration such as 500ms, 10s or 1m30s")
		}
		return nil
	})
	c.flags.IntVar(&e.depth, "depth", 0, "search to depth `N`")
	c.flags.Uint64Var(&e.nodes, "nodes", 0, "search `N` nodes")
	c.flags.IntVar(&e.threads, "threads", threads, "search with `N` threads")
	c.flags.IntVar(&e.hash, "hash", hash, "size of the transposition table in `MiB`")
	c.flags.StringVar(&e.net, "net", "", "network `FILE` (default: the embedded one)")
	c.flags.StringVar(&e.syzygy, "syzygy", "",
		fmt.Sprintf("use the Syzygy tablebases in `FOLDERS`, separated by %q", filepath.ListSeparator))
	return e
}

// check returns an error about a value out of range.
func (e *effort) check(given *flag.FlagSet) error {
	set := map[string]bool{}
	given.Visit(func(f *flag.Flag) { set[f.Name] = true })
	switch {
	case set["depth"] && (e.depth < 1 || e.depth >= chess.MaxPly):
		return usagef("--depth %d is not between 1 and %d", e.depth, chess.MaxPly-1)
	case set["nodes"] && e.nodes < 1:
		return usagef("--nodes %d is not at least 1", e.nodes)
	case e.threads < 1 || e.threads > search.MaxThreads:
		return usagef("--threads %d is not between 1 and %d", e.threads, search.MaxThreads)
	case e.hash < 1:
		return usagef("--hash %d is not at least 1", e.hash)
	}
	return nil
}

// limited reports whether anything ends the search.
func (e *effort) limited() bool { return e.time > 0 || e.depth > 0 || e.nodes > 0 }

// limits returns the limits of one search.
func (e *effort) limits() search.Limits {
	return search.Limits{Depth: e.depth, Nodes: e.nodes, MoveTime: e.time}
}

// engine is a searcher with its tablebases, nil for none.
type engine struct {
	*search.Engine
	tables *syzygy.Tables
}

// Close closes the engine and its tablebases.
func (e *engine) Close() error { return errors.Join(e.Engine.Close(), e.tables.Close()) }

// newEngine creates the engine. It raises GOMAXPROCS above the number of search
// threads, so that interrupts and output are handled in time.
func (c *call) newEngine(e *effort) (*engine, error) {
	tables, err := c.openTables(e.syzygy)
	if err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(max(processors, e.threads+2))
	searcher, err := c.NewEngine(e.threads, e.hash, e.net)
	if err != nil {
		return nil, errors.Join(err, tables.Close())
	}
	searcher.SetTablebase(search.Tablebase{Tables: tables, ProbeLimit: syzygy.MaxMen, ProbeDepth: 1, FiftyMoves: true})
	return &engine{searcher, tables}, nil
}

// openTables opens the tablebases in the folders of path, nil if it is empty. It
// is an error if there are none. Damaged or missing tables that are found during
// a search only cause warnings.
func (c *call) openTables(path string) (*syzygy.Tables, error) {
	if path == "" {
		return nil, nil
	}
	var problems []error
	searching := false
	tables := syzygy.Open(path, func(err error) {
		if searching {
			c.warn("%v", err)
			return
		}
		problems = append(problems, err)
	})
	searching = true
	if wdl, _ := tables.Count(); wdl == 0 {
		problems = append(problems, fmt.Errorf("--syzygy %s: no tablebases found", path))
	}
	if len(problems) > 0 {
		return nil, errors.Join(append(problems, tables.Close())...)
	}
	return tables, nil
}

// processors is how many processors the process may use, by its affinity and the limit
// of its control group.
var processors = runtime.GOMAXPROCS(0)

// defaultThreads is the number of processors, as far as the engine can use them.
func defaultThreads() int { return min(processors, search.MaxThreads) }

// controlled returns limits with a control that stops the search when the
// command is interrupted, and a function to call after the search.
func (c *call) controlled(lim search.Limits) (search.Limits, func() bool) {
	lim.Control = search.NewControl(false)
	return lim, context.AfterFunc(c.ctx, lim.Control.Stop)
}
