// Package console is the engine for people at a terminal: commands that analyse
// positions, annotate games, run test suites and count moves, with flags, exit
// statuses and output as other Unix programs have them. On a terminal output is
// updated in place; through a pipe it is plain lines, or JSON.
//
// All scores shown are from White's view.
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
	exitUsage       = 2   // the arguments make no sense
	exitInterrupted = 130 // by SIGINT or SIGTERM, as shells count
)

// Env is what the commands need of the program around them.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Name     string // of the engine, with version
	// NewEngine makes an engine; net is the path of a network, "" for the
	// embedded one. Hash is in MiB.
	NewEngine func(threads, hash int, net string) (*search.Engine, error)
}

// command is one word after the program's name.
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

// call is one invocation of a command.
type call struct {
	Env
	ctx    context.Context
	args   []string
	flags  *flag.FlagSet
	screen screen // what Out is
	failed bool   // something went wrong that did not end the command
	errMu  sync.Mutex
}

// usageError is about the arguments.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// Run carries out the command args[0], which Has, with the rest as its
// arguments, until it is done or ctx is. It returns the exit status.
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
		fmt.Fprintf(env.Err, "engine %s: %v\n", name, err)
		return exitFailure
	case c.failed:
		return exitFailure
	}
	return exitOK
}

// errInterrupted ends a command before its work is done.
var errInterrupted = errors.New("interrupted")

// parse reads the flags, which may stand before and after other arguments, and
// returns the others.
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

// complain reports something that does not end the command.
func (c *call) complain(format string, args ...any) {
	c.failed = true
	c.warn(format, args...)
}

// warn reports something that is no failure. Any goroutine may call it.
func (c *call) warn(format string, args ...any) {
	c.errMu.Lock()
	defer c.errMu.Unlock()
	fmt.Fprintf(c.Err, c.flags.Name()+": "+format+"\n", args...)
}

// effort is how a command searches: the flags that several have.
type effort struct {
	time          time.Duration
	depth         int
	nodes         uint64
	threads, hash int
	net           string
	syzygy        string // folders; "" is no endgame tables
}

// effortFlags adds the flags, with the numbers of threads and MiB that are used
// if nobody asks for others.
func (c *call) effortFlags(threads, hash int) *effort {
	e := &effort{}
	c.flags.Func("time", "think for `T`, as in 500ms, 10s or 1m30s", func(s string) (err error) {
		if e.time, err = time.ParseDuration(s); err != nil || e.time <= 0 {
			return errors.New("it should be like 500ms, 10s or 1m30s")
		}
		return nil
	})
	c.flags.IntVar(&e.depth, "depth", 0, "think `N` plies deep")
	c.flags.Uint64Var(&e.nodes, "nodes", 0, "look at `N` positions")
	c.flags.IntVar(&e.threads, "threads", threads, "search with `N` threads")
	c.flags.IntVar(&e.hash, "hash", hash, "size of the hash table, `MiB`")
	c.flags.StringVar(&e.net, "net", "", "network `FILE` (default: the embedded one)")
	c.flags.StringVar(&e.syzygy, "syzygy", "", fmt.Sprintf("use the Syzygy endgame tables in `FOLDERS`, separated by %q", filepath.ListSeparator))
	return e
}

// check finds values out of range among those that were given.
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

// engine is a searcher with the endgame tables it uses, nil for none.
type engine struct {
	*search.Engine
	tables *syzygy.Tables
}

// Close gives back what both hold.
func (e *engine) Close() error { return errors.Join(e.Engine.Close(), e.tables.Close()) }

// newEngine makes the engine and keeps processors for clock and output.
func (c *call) newEngine(e *effort) (*engine, error) {
	tables, err := c.openTables(e.syzygy)
	if err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(max(runtime.NumCPU(), e.threads+2))
	searcher, err := c.NewEngine(e.threads, e.hash, e.net)
	if err != nil {
		return nil, errors.Join(err, tables.Close())
	}
	searcher.SetTablebase(search.Tablebase{Tables: tables, ProbeLimit: syzygy.MaxMen, ProbeDepth: 1, FiftyMoves: true})
	return &engine{searcher, tables}, nil
}

// openTables finds endgame tables; there must be some. Those that turn out to
// be damaged or missing when they are needed are only warned about.
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
		problems = append(problems, fmt.Errorf("--syzygy %s: no endgame tables there", path))
	}
	if len(problems) > 0 {
		return nil, errors.Join(append(problems, tables.Close())...)
	}
	return tables, nil
}

// defaultThreads is for commands that should be fast.
func defaultThreads() int { return min(runtime.NumCPU(), search.MaxThreads) }

// controlled returns limits with a control that stops the search when the
// command is interrupted, and what to call after the search.
func (c *call) controlled(lim search.Limits) (search.Limits, func() bool) {
	lim.Control = search.NewControl(false)
	return lim, context.AfterFunc(c.ctx, lim.Control.Stop)
}
