// Command engine is the Skein chess engine. Without arguments it speaks UCI on
// standard input and output; arguments are commands to carry out instead.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"skein/internal/simd"
	"skein/nets"
	"skein/nnue"
	"skein/search"
	"skein/uci"
)

// version is set at link time for releases: -ldflags "-X main.version=1.0".
var version = "0.1.0-dev"

const usage = `usage: engine [COMMAND...]

Without arguments the engine speaks UCI on standard input and output. Arguments
are carried out as commands, each to its end: all together as one command, as in

	engine bench 12 1 16

or, if any of them contains a blank, each as a command of its own, as in

	engine "position startpos moves e2e4" "go depth 12"

The exit status is 1 if a command failed. The environment variable SKEIN_SIMD
forces the level of the vector kernels: generic, avx2, avx512 or neon.

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
	if driver.RunCommands(ctx, lines) != nil {
		return 1 // the driver has said why
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

// newDriver makes an engine with the embedded network and its front end.
func newDriver(in io.Reader, out io.Writer) (*uci.Driver, error) {
	if err := simd.Err(); err != nil {
		return nil, err
	}
	net, err := nnue.Read(bytes.NewReader(nets.Default))
	if err != nil {
		return nil, fmt.Errorf("embedded %w", err)
	}
	engine, err := search.New(net, search.Options{Threads: uci.DefaultThreads, Hash: uci.DefaultHash})
	if err != nil {
		return nil, err
	}
	return uci.New(engine, in, out, uci.Config{
		Version:  version,
		Commands: commands(engine),
		Describe: func() string {
			return fmt.Sprintf("kernels %s, network %s", simd.Level(), describeNet(engine.Network()))
		},
		LoadNet: func(path string) error {
			if path == "" {
				engine.SetNetwork(net)
				return nil
			}
			loaded, err := nnue.LoadFile(path)
			if err == nil {
				engine.SetNetwork(loaded)
			}
			return err
		},
	}), nil
}
