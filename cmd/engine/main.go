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
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"skein/internal/cli"
	"skein/internal/console"
	"skein/uci"
)

const usage = `usage: engine [COMMAND...]

Without arguments the engine speaks UCI on standard input and output. These
commands are for use at a terminal; each has --help:

	engine analyse     analyze a position, or the games of a PGN file
	engine epd         run test suites
	engine serve       serve a page for analysis and play in the browser
	engine perft       count the leaf nodes of the tree of legal moves
	engine completion  write a script that makes a shell complete commands and flags

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

// Exit statuses other than 0 and 1.
const (
	exitUsage       = 2   // invalid arguments
	exitInterrupted = 130 // after a signal, as shells count
)

func main() {
	cli.IgnoreClosedPipes()
	os.Exit(run(untilSignal(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// untilSignal returns a context that ends with the first SIGINT or SIGTERM. The
// second one ends the program at once.
func untilSignal() context.Context {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, cancel)
	return ctx
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
		var output *fs.PathError // of a failed write; others are about the arguments
		if status := exitStatus(err, stderr); status != 1 || errors.As(err, &output) {
			return status
		}
		return exitUsage
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
		if _, err := io.WriteString(out, usage); err != nil {
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
	return 1 // the failure was reported on out
}

// allCommands describes the commands for use at a terminal.
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
	if isConsole := func(c cli.Command) bool { return c.Name == name }; rest != "" &&
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
		return exitInterrupted
	case !cli.IsClosedPipe(err):
		fmt.Fprintln(stderr, "engine:", err)
	}
	return 1
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
