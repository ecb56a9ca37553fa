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

// Main carries out the command that os.Args names and ends the process with status
// 1 if it fails. An interrupt or SIGTERM ends the command's context, a second one
// the process.
func (p *Program) Main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel)
	if err := p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", p.Name, err)
		os.Exit(1)
	}
}

// Run runs the command args[0] with the arguments that follow it. A missing or
// unknown command is an error and prints the usage; a request for help is not.
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
	if err := command(ctx, args[1:], stdout, stderr); !errors.Is(err, flag.ErrHelp) {
		return err
	}
	return nil // the flag package has printed the flags
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
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore,
		"games: skip positions with absolute scores above this many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet,
		"games: skip positions in check or in which a capture or promotion was played")
}
