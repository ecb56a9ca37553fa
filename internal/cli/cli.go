// Package cli provides what the command lines of the tools have in common:
// commands with their own flags, and termination by signals.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"skein/chess"
	"skein/internal/record"
	"skein/internal/simd"
)

// Command runs a command with the arguments that follow its name. It returns early
// when ctx is done.
type Command func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Program is a program of several commands.
type Program struct {
	Name     string
	Usage    string // printed by help
	Commands map[string]Command
}

// Exit statuses.
const (
	exitFailure     = 1
	exitInterrupted = 130 // as a shell reports SIGINT
)

// Main runs the command named by os.Args. If it fails, the process exits with
// status 1, or 130 after an interrupt. The first SIGINT or SIGTERM cancels the
// context of the command, the second one ends the process.
func (p *Program) Main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel) // restores the default handling of signals
	err := p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintf(os.Stderr, "%s: interrupted\n", p.Name)
		os.Exit(exitInterrupted)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(exitFailure)
	}
}

// Await returns the results of f, or the error of ctx as soon as it is done: f may
// wait for input indefinitely. As f then continues in the background, it must have
// no lasting effects.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var zero T
		return zero, ctx.Err()
	}
}

// output remembers the first write error, so that commands need not check for it.
type output struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Run runs the command args[0] with the arguments that follow it. A missing or
// unknown command is an error and prints the usage; a request for help is not. It
// is also an error if the command cannot write to stdout.
func (p *Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(stderr, p.Usage)
		return errors.New("no command given")
	}
	if err := simd.Err(); err != nil {
		return err
	}
	switch args[0] {
	case "help", "-h", "--help":
		_, err := fmt.Fprint(stdout, p.Usage)
		return err
	}
	command, ok := p.Commands[args[0]]
	if !ok {
		fmt.Fprint(stderr, p.Usage)
		return fmt.Errorf("unknown command %q", args[0])
	}
	out := &output{w: stdout}
	err := command(ctx, args[1:], out, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil // the flag package has printed the flags
	case err == nil && out.err != nil:
		return fmt.Errorf("%s: %w", args[0], out.err)
	}
	return err
}

// NewFlags returns the flag set of a command, whose name is as in "tune eval".
// arguments describes in the usage what follows the flags.
func NewFlags(command, arguments string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: %s [FLAG...] %s\n", command, arguments)
		flags.PrintDefaults()
	}
	return flags
}

// ParseMixed parses flags that may be mixed with other arguments, and returns the
// latter.
func ParseMixed(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		if args = flags.Args(); len(args) == 0 {
			return rest, nil
		}
		rest, args = append(rest, args[0]), args[1:]
	}
}

// Names is a flag that may be repeated; it collects the values.
type Names []string

// String implements flag.Value.
func (n *Names) String() string { return strings.Join(*n, " ") }

// Set implements flag.Value.
func (n *Names) Set(s string) error { *n = append(*n, s); return nil }

// FilterFlags adds the flags that select positions of games. Their defaults are
// those of f.
func FilterFlags(flags *flag.FlagSet, f *record.Filter) {
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "games: skip positions before this `move`")
	ScoreVar(flags, &f.MaxScore, "max-score",
		"games: skip positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet,
		"games: skip positions in check or in which a capture or promotion was played")
}

// ScoreVar adds a flag that sets p, whose value is the default.
func ScoreVar(flags *flag.FlagSet, p *chess.Score, name, usage string) {
	flags.IntVar((*int)(p), name, int(*p), usage)
}
