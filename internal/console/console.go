// Package console implements the engine's commands for use at a terminal: they
// analyze positions, annotate games, run test suites, serve a page and count moves, with flags
// and exit statuses as usual on Unix. On a terminal output is updated in place;
// through a pipe it is plain text or JSON.
//
// All scores are shown from White's point of view.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/terminal"
	"skein/search"
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

// command is a command. Its define adds the flags to a call and returns the function
// to call, once they are parsed, with the other arguments.
type command struct {
	cli.Command // without Define
	define      func(c *call) func(args []string) error
}

var commands = []command{
	{cli.Command{Name: "analyse", Alias: "analyze", Arguments: analyseArguments, Help: analyseHelp,
		Summary: "analyze a position, or the games of a PGN file"}, analyse},
	{cli.Command{Name: "epd", Arguments: epdArguments, Help: epdHelp, Summary: "run test suites"}, runEPD},
	{cli.Command{Name: "serve", Arguments: serveArguments, Help: serveHelp,
		Summary: "serve a page for analysis and play in the browser"}, serve},
	{cli.Command{Name: "perft", Arguments: perftArguments, Help: perftHelp,
		Summary: "count the leaf nodes of the tree of legal moves"}, perft},
}

// find returns the command with a name, nil if there is none.
func find(name string) *command {
	for i := range commands {
		if commands[i].IsCalled(name) {
			return &commands[i]
		}
	}
	return nil
}

// Has reports whether there is such a command.
func Has(name string) bool { return find(name) != nil }

// Commands describes the commands and their flags.
func Commands() (list []cli.Command) {
	for _, c := range commands {
		c.Define = func(flags *cli.Flags) cli.Run {
			c.define(&call{flags: flags})
			return nil
		}
		list = append(list, c.Command)
	}
	return list
}

// call is an invocation of a command.
type call struct {
	Env
	ctx    context.Context
	flags  *cli.Flags
	screen screen // properties of Out
	failed bool   // an error occurred that did not end the command
	errMu  sync.Mutex
	live   *live // above which warnings belong; nil if there is none
}

// usageError is an error in the arguments.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// Run runs the command args[0], for which Has must be true, with the remaining
// arguments, until it has finished or ctx is done. It returns the exit status.
func Run(ctx context.Context, env Env, args []string) int {
	cmd := find(args[0])
	c := &call{Env: env, ctx: ctx, screen: screenOf(env.Out), flags: cli.NewFlags("engine " + cmd.Name)}
	run := cmd.define(c)
	err := c.flags.Parse(args[1:])
	switch {
	case errors.Is(err, pflag.ErrHelp):
		err = cmd.WriteHelp(env.Out, c.flags)
	case err != nil:
		err = usagef("%v", err)
	default:
		err = run(c.flags.Args())
	}
	return c.exitStatus(err)
}

// exitStatus reports an error, which may be nil, and returns the exit status. That the
// output is a closed pipe is not reported: its reader has closed it.
func (c *call) exitStatus(err error) int {
	var usage *usageError
	switch {
	case errors.As(err, &usage):
		c.complain("%v\n%s --help lists the flags", err, c.flags.Name())
		return cli.ExitUsage
	case c.ctx.Err() != nil && errors.Is(err, context.Cause(c.ctx)):
		return cli.ExitInterrupted
	case cli.IsClosedPipe(err):
		return cli.ExitFailure
	case err != nil:
		c.complain("%v", err)
	}
	if c.failed {
		return cli.ExitFailure
	}
	return 0
}

// complain reports an error that does not end the command.
func (c *call) complain(format string, args ...any) {
	c.failed = true
	c.warn(format, args...)
}

// warn reports a problem that is not an error. It is safe for concurrent use.
func (c *call) warn(format string, args ...any) {
	write := func() {
		c.errMu.Lock()
		defer c.errMu.Unlock()
		for line := range strings.SplitSeq(terminal.Printable(fmt.Sprintf(format, args...)), "\n") {
			fmt.Fprintf(c.Err, "%s: %s\n", c.flags.Name(), line)
		}
	}
	if c.live == nil {
		write()
		return
	}
	c.live.above(write)
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

// limitFlags adds the flags about limits of searches.
func (c *call) limitFlags() *effort {
	e := &effort{}
	c.flags.Group("Limits")
	c.flags.Func("time", "search for `T`: seconds, or a duration such as 500ms or 1m30s", func(s string) (err error) {
		e.time, err = parseTime(s)
		return err
	})
	c.flags.IntVar(&e.depth, "depth", 0, "search to depth `N`")
	c.flags.Uint64Var(&e.nodes, "nodes", 0, "search `N` nodes")
	return e
}

// engineFlags adds the flags about the engine, with the given defaults of threads
// and hash in MiB.
func (c *call) engineFlags(e *effort, threads, hash int) {
	c.flags.Group("Engine")
	c.flags.IntVar(&e.threads, "threads", threads, "search with `N` threads")
	c.flags.IntVar(&e.hash, "hash", hash, "size of the transposition table in `MiB`")
	c.flags.StringVar(&e.net, "net", "", "network `FILE`; default is the embedded one")
	c.flags.StringVar(&e.syzygy, "syzygy", "",
		fmt.Sprintf("use the Syzygy tablebases in `FOLDERS`, separated by %q", filepath.ListSeparator))
}

// parseTime parses a positive duration, with a unit or in seconds.
func parseTime(text string) (time.Duration, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		text = strconv.FormatFloat(seconds, 'f', -1, 64) + "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("expected seconds, or a duration such as 500ms, 10s or 1m30s")
	}
	return d, nil
}

// check returns an error about a value out of range.
func (e *effort) check(flags *cli.Flags) error {
	switch {
	case flags.Changed("depth") && (e.depth < 1 || e.depth >= chess.MaxPly):
		return usagef("--depth %d is not between 1 and %d", e.depth, chess.MaxPly-1)
	case flags.Changed("nodes") && e.nodes < 1:
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

// processors is how many processors the process may use, by its affinity and the limit
// of its control group.
var processors = runtime.GOMAXPROCS(0)

// defaultThreads is the number of processors, as far as the engine can use them.
func defaultThreads() int { return min(processors, search.MaxThreads) }
