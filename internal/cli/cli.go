// Package cli provides what the command lines of all programs have in common:
// commands with grouped flags, help, shell completion, and termination by signals.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"skein/internal/simd"
	"skein/internal/terminal"
)

// Run runs a command with the arguments that are not flags. It returns early when
// ctx is done. Its error does not name the command, which [Command.Run] adds.
type Run func(ctx context.Context, args []string, stdout, stderr io.Writer) error

// Command is a command of a program.
type Command struct {
	Name      string
	Alias     string // another spelling of the name, not listed; may be empty
	Arguments string // what its usage shows after the flags, as in "-o OUT FILE..."
	Summary   string // one sentence without a period, for the help of the program
	Help      string // more text for its own help, in paragraphs; may be empty
	Hidden    bool   // not listed
	// Define adds the flags and returns the function to call once they are parsed,
	// which may be nil if the command is only described.
	Define func(flags *Flags) Run
}

// Program is a program of several commands.
type Program struct {
	Name     string
	Purpose  string // one sentence
	Note     string // last paragraph of the help
	Commands []Command
}

// Exit statuses.
const (
	ExitFailure     = 1   // something could not be done
	ExitUsage       = 2   // invalid arguments
	ExitInterrupted = 130 // by SIGINT or SIGTERM, as shells count
)

// UntilSignal returns a context that ends with the first SIGINT or SIGTERM. The
// second one ends the process at once.
func UntilSignal() context.Context {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel) // restores the default handling of signals
	return ctx
}

// Main runs the command named by os.Args until a signal. If it fails, the process
// exits with ExitFailure or, after a signal, ExitInterrupted.
func (p *Program) Main() {
	IgnoreClosedPipes()
	ctx := UntilSignal()
	err := p.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		text := strings.ReplaceAll(err.Error(), context.Cause(ctx).Error(), "interrupted")
		p.complain(strings.ReplaceAll(text, context.Canceled.Error(), "interrupted"))
		os.Exit(ExitInterrupted)
	case IsClosedPipe(err):
		os.Exit(ExitFailure) // its reader has closed it
	default:
		p.complain(err.Error())
		os.Exit(ExitFailure)
	}
}

// complain prints an error, which may quote any file.
func (p *Program) complain(text string) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", p.Name, terminal.Printable(text))
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
	o.err = cmp.Or(o.err, err)
	return n, err
}

// Run runs the command args[0] with the flags and arguments that follow it. A
// missing command is an error and prints the help of the program; a request for help
// is not. Other errors are an unknown command, an invalid flag, and a failure to
// write to stdout.
func (p *Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		io.WriteString(stderr, p.help(terminal.Columns(stderr)))
		return errors.New("no command given")
	}
	if err := simd.Err(); err != nil {
		return err
	}
	commands := slices.Clone(p.Commands)
	commands = append(commands, CompletionCommand(p.Name, func() []Command { return commands }))
	if len(args) == 2 && args[0] == "help" {
		args = []string{args[1], "--help"}
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		_, err := io.WriteString(stdout, p.help(terminal.Columns(stdout)))
		return err
	}
	var names []string
	for i := range commands {
		c := &commands[i]
		if c.IsCalled(name) {
			return c.Run(ctx, p.Name, args[1:], stdout, stderr)
		}
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return fmt.Errorf("unknown command %q%s; %s --help lists them", name, suggestion(name, "", names), p.Name)
}

// IsCalled reports whether a name is that of the command, in either spelling.
func (c *Command) IsCalled(name string) bool {
	return name == c.Name || name == c.Alias && name != ""
}

// Run parses the flags and runs the command of the program. A request for help is no
// error. Errors begin with the name of the command.
func (c *Command) Run(ctx context.Context, program string, args []string, stdout, stderr io.Writer) error {
	flags := NewFlags(program + " " + c.Name)
	run := c.Define(flags)
	err := flags.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return c.WriteHelp(stdout, flags)
	}
	if err == nil {
		out := &output{w: stdout}
		if err = run(ctx, flags.Args(), out, stderr); err == nil {
			err = out.err
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Name, err)
	}
	return nil
}

// help returns the help of the program in so many columns.
func (p *Program) help(columns int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "usage: %s COMMAND [FLAG...] [ARGUMENT...]\n\n%s\n\nCommands:\n", p.Name,
		terminal.Wrap(p.Purpose, columns, 0))
	var rows [][2]string
	for i := range p.Commands {
		if c := &p.Commands[i]; !c.Hidden {
			rows = append(rows, [2]string{c.Name, c.Summary})
		}
	}
	rows = append(rows, [2]string{completionName, completionSummary})
	writeRows(&s, rows, rowsWidth(rows), columns)
	note := fmt.Sprintf("%s COMMAND --help lists the flags of a command. %s", p.Name, p.Note)
	s.WriteString("\n" + terminal.Wrap(note, columns, 0) + "\n")
	return s.String()
}
