package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"skein/bench"
	"skein/chess"
	"skein/internal/atomicfile"
	"skein/internal/simd"
	"skein/internal/terminal"
	"skein/nnue"
	"skein/search"
	"skein/uci"
)

// commands returns the commands of the engine beyond the protocol.
func commands(engine *search.Engine) []uci.Command {
	return []uci.Command{
		{Name: "bench", Help: "[DEPTH [THREADS [HASH]]]: measure speed; print the bench signature",
			Run: func(args []string, out io.Writer) error {
				return runBench(engine, args, out)
			}},
		{Name: "compiler", Help: "show how this program was built", Run: func(_ []string, out io.Writer) error {
			return describeBuild(engine, out)
		}},
		{Name: "export_net", Help: "[--force] FILE: save the network in use; --force replaces FILE",
			Run: func(args []string, out io.Writer) error {
				return exportNet(engine, args, out)
			}},
		{Name: "genfens", Help: "N seed S book None|FILE: write start positions for games",
			Run: func(args []string, out io.Writer) error {
				return genfens(engine.Network(), args, out)
			}},
	}
}

// runBench runs the benchmark with the network of engine, in an engine of its
// own.
func runBench(engine *search.Engine, args []string, out io.Writer) error {
	parameters := []struct {
		name       string
		value, max int
	}{
		{"depth", bench.DefaultDepth, chess.MaxPly},
		{"threads", bench.DefaultThreads, search.MaxThreads},
		{"hash", bench.DefaultHash, uci.MaxHash},
	}
	if len(args) > len(parameters) {
		return fmt.Errorf("expected at most %d numbers, found %d", len(parameters), len(args))
	}
	for i, arg := range args {
		p := &parameters[i]
		n, err := strconv.Atoi(arg)
		if err != nil || n < 1 || n > p.max {
			return fmt.Errorf("%s %q is not a number from 1 to %d", p.name, arg, p.max)
		}
		p.value = n
	}
	own, err := search.New(engine.Network(), search.Options{Threads: parameters[1].value, Hash: parameters[2].value})
	if err != nil {
		return err
	}
	_, err = bench.Run(own, parameters[0].value, out)
	return errors.Join(err, own.Close())
}

// describeBuild writes the version, the compiler, the kernels and the network
// in use, the build settings and the revision of the source.
func describeBuild(engine *search.Engine, out io.Writer) error {
	s := fmt.Sprintf("%s %s\n%s %s/%s\nkernels: %s\nnetwork: %s\n",
		uci.Name, version, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		simd.Level(), describeNet(engine.Network()))
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			s += fmt.Sprintf("%s=%s\n", setting.Key, setting.Value)
		}
	}
	_, err := io.WriteString(out, s)
	return err
}

// describeNet names a network. Its name comes from a file: no line break or
// other control character in it reaches the output.
func describeNet(net *nnue.Network) string {
	return fmt.Sprintf("%s %s %s", terminal.PrintableLine(net.Name()), net.Architecture(), net.Hash())
}

// exportNet writes the network in use to a file, which must not exist unless the
// first argument is --force. The other arguments, joined by spaces, are its name.
func exportNet(engine *search.Engine, args []string, out io.Writer) error {
	produce := atomicfile.Create
	if len(args) > 0 && args[0] == "--force" {
		produce, args = atomicfile.Replace, args[1:]
	}
	path := strings.Join(args, " ")
	if path == "" {
		return errors.New("the name of the file is missing")
	}
	err := produce(path, func(w io.Writer) error {
		_, err := engine.Network().WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, "network written to", path)
	return err
}
