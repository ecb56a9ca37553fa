// Command engine is the Skein chess engine. Without arguments it speaks UCI on
// standard input and output; arguments are commands to run instead.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"skein/internal/cli"
	"skein/internal/console"
	"skein/uci"
)

// usage is what --help prints before the commands of the protocol, with a place for
// those of the terminal.
const usage = `usage: engine [COMMAND...]

Without arguments the engine speaks UCI on standard input and output. These
commands are for use at a terminal; each has --help:

%s
Other arguments are run as commands from the list below: all together as one
command, as in

	engine bench 12 1 16
	engine bench --help

or, if any of them contains a space, each as a command of its own, as in

	engine "position startpos moves e2e4" "go depth 12"

The exit status is 1 if a command failed or output could not be written, 2 for
invalid arguments of the commands with --help above, and 130 if a signal cut a
command off; --version prints the version. The environment variable SKEIN_SIMD
forces the level of the vector kernels: generic, avx2, avx512 or neon.

Commands:

`

func main() {
	cli.IgnoreClosedPipes()
	os.Exit(run(cli.UntilSignal(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its streams as parameters. It returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "--version" {
		_, err := fmt.Fprintln(out, uci.Name, version)
		return exitStatus(err, stderr)
	}
	if len(args) == 2 && args[0] == "help" && (console.Has(args[1]) || args[1] == "completion") {
		args = []string{args[1], "--help"}
	}
	if len(args) > 0 && console.Has(args[0]) {
		return console.Run(ctx, environment(in, out, stderr), args)
	}
	if len(args) > 0 && args[0] == "completion" {
		completion := cli.CompletionCommand("engine", allCommands)
		err := completion.Run(ctx, "engine", args[1:], out, stderr)
		_, output := errors.AsType[*fs.PathError](err) // of a failed write; others are about the arguments
		if status := exitStatus(err, stderr); status != cli.ExitFailure || output {
			return status
		}
		return cli.ExitUsage
	}
	driver, err := newDriver(in, out)
	if err != nil {
		return exitStatus(err, stderr)
	}
	if len(args) == 0 {
		if err = driver.Run(ctx); cli.IsClosedPipe(err) || errors.Is(err, uci.ErrInterrupted) {
			return 0 // whoever reads the output has gone, or the session ended during a command
		}
		return exitStatus(err, stderr)
	}
	lines := commandLines(args)
	switch strings.Join(args, " ") {
	case "-h", "--help", "help":
		if _, err := fmt.Fprintf(out, usage, terminalCommands()); err != nil {
			return exitStatus(err, stderr)
		}
		lines = []string{"help"}
	}
	err = driver.RunCommands(ctx, lines)
	if err == nil || errors.Is(err, uci.ErrOutput) || errors.Is(err, uci.ErrInterrupted) {
		return exitStatus(err, stderr)
	}
	for _, line := range lines {
		if suggest(line, stderr) {
			break
		}
	}
	return cli.ExitFailure // which was reported on out
}

// terminalCommands lists the commands for use at a terminal, each on a line.
func terminalCommands() string {
	var list strings.Builder
	for _, c := range append(console.Commands(), cli.CompletionCommand("engine", allCommands)) {
		fmt.Fprintf(&list, "\tengine %-11s %s\n", c.Name, c.Summary)
	}
	return list.String()
}

// allCommands describes all commands.
func allCommands() []cli.Command {
	list := append(console.Commands(), cli.CompletionCommand("engine", allCommands))
	for _, c := range append(commands(nil), tuneCommands()...) {
		list = append(list, cli.Command{Name: c.Name, Summary: c.Help})
	}
	return list
}

// suggest writes which command may have been meant by a line, and reports whether
// there is one.
func suggest(line string, stderr io.Writer) bool {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if isConsole := func(c cli.Command) bool { return c.IsCalled(name) }; rest != "" &&
		slices.ContainsFunc(console.Commands(), isConsole) {
		fmt.Fprintf(stderr, "engine: %s takes its arguments one by one, without quotes around all\n", name)
		return true
	}
	var names []string
	for _, c := range allCommands() {
		names = append(names, c.Name)
	}
	nearest := cli.Nearest(name, names)
	if nearest == "" || nearest == name {
		return false
	}
	fmt.Fprintf(stderr, "engine: did you mean %s?\n", nearest)
	return true
}

// exitStatus returns the exit status after err, which may be nil, and reports err
// unless it is a closed pipe or an interrupt.
func exitStatus(err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, uci.ErrInterrupted):
		return cli.ExitInterrupted
	case !cli.IsClosedPipe(err):
		fmt.Fprintln(stderr, "engine:", err)
	}
	return cli.ExitFailure
}

// commandLines returns the command lines that arguments stand for: all of them are
// one, as in bench 12, unless any contains a space. COMMAND --help is help COMMAND.
func commandLines(args []string) []string {
	for _, arg := range args {
		if strings.ContainsAny(arg, " \t") {
			return args
		}
	}
	if len(args) == 2 && (args[1] == "-h" || args[1] == "--help") {
		return []string{"help " + args[0]}
	}
	return []string{strings.Join(args, " ")}
}
