// Package cli is what the command lines of our tools have in common: commands
// with flags of their own, and signals that end them.
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

// Command carries out a command with the arguments behind its name. It ends early
// when ctx is done.
type Command func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Program is a program of several commands.
type Program struct {
	Name     string
	Usage    string // what help prints
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

// Run carries out the command args[0] with the arguments behind it. Asking for
// help is no error; having no command or an unknown one is, and prints the usage.
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

// NewFlags returns the flags of a command, named as in "tune eval". arguments
// describes what follows them.
func NewFlags(command, arguments string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: %s [FLAG...] %s\n", command, arguments)
		flags.PrintDefaults()
	}
	return flags
}

// ParseMixed parses flags that may stand between other arguments, which it
// returns.
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

// Names is a flag that may be given more than once.
type Names []string

// String implements flag.Value.
func (n *Names) String() string { return strings.Join(*n, " ") }

// Set implements flag.Value.
func (n *Names) Set(s string) error { *n = append(*n, s); return nil }

// FilterFlags adds the flags that choose positions of games. Their defaults are
// those of f.
func FilterFlags(flags *flag.FlagSet, f *record.Filter) {
	flags.IntVar(&f.MinMove, "min-move", f.MinMove, "leave out positions of games before this `move`")
	flags.IntVar(&f.MaxScore, "max-score", f.MaxScore,
		"leave out positions of games with scores beyond as many `units` of 1/256 pawn; 0: none")
	flags.BoolVar(&f.Quiet, "quiet", f.Quiet,
		"leave out positions of games in check or whose move is a capture or promotion")
}
