// Command engine is the Skein chess engine. Without arguments it speaks UCI on
// standard input and output; arguments are commands to carry out instead.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"skein/internal/console"
	"skein/uci"
)

// version is set at link time for releases: -ldflags "-X main.version=1.0".
var version = "0.1.0-dev"

const usage = `usage: engine [COMMAND...]

Without arguments the engine speaks UCI on standard input and output. For people
at a terminal there are

	engine analyse   a position, or the games of a PGN file
	engine epd       test suites
	engine perft     counts of moves

Each has --help. Other arguments are carried out as commands, each to its end:
all together as one command, as in

	engine bench 12 1 16

or, if any of them contains a blank, each as a command of its own, as in

	engine "position startpos moves e2e4" "go depth 12"

The exit status is 1 if a command failed; --version tells the version. The
environment variable SKEIN_SIMD forces the level of the vector kernels: generic,
avx2, avx512 or neon.

Commands:

`

func main() {
	// A closed pipe shall end the engine quietly, as a failed write.
	signal.Ignore(syscall.SIGPIPE)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main between the streams. It returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Fprintln(out, uci.Name, version)
		return 0
	}
	if len(args) > 0 && console.Has(args[0]) {
		return console.Run(ctx, environment(in, out, stderr), args)
	}
	driver, err := newDriver(in, out)
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 1
	}
	if len(args) == 0 {
		driver.Run(ctx)
		return 0
	}
	lines := commandLines(args)
	switch args[0] {
	case "-h", "--help", "help":
		fmt.Fprint(out, usage)
		lines = []string{"help"}
	}
	if err := driver.RunCommands(ctx, lines); err != nil {
		// Other failures are among the answers. Whoever closed a pipe knows.
		if errors.Is(err, uci.ErrOutput) && !errors.Is(err, syscall.EPIPE) {
			fmt.Fprintln(stderr, "engine:", err)
		}
		return 1
	}
	return 0
}

// commandLines turns arguments into lines.
func commandLines(args []string) []string {
	for _, arg := range args {
		if strings.ContainsAny(arg, " \t") {
			return args
		}
	}
	return []string{strings.Join(args, " ")}
}
