// Command ucicheck checks UCI conformance of an engine: how fast it starts and
// answers isready and stop while all cores search, whether it answers each go
// exactly once and not too early, and how it exits. All output is checked by
// package internal/ucicheck, which demands of each line the fields that Skein writes.
//
//	go build -o /tmp/engine ./cmd/engine
//	go run ./scripts/ucicheck /tmp/engine
//	taskset -c 0 go run ./scripts/ucicheck -cores 1 /tmp/engine
//
// Times are wall-clock times. The exit status is 1 if a check failed; no time is
// a failure by itself.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"skein/position"
)

// settings are the parameters of the checks.
type settings struct {
	path   string
	cores  int
	rounds int
}

// checks are run in this order. Each returns its measurements as text.
var checks = []struct {
	name string
	run  func(settings) (string, error)
}{
	{"start to uciok", measureStart},
	{"isready during a search", measureReady},
	{"stop to bestmove", measureStop},
	{"mated, go infinite", checkMated},
	{"output of short searches", checkOutput},
	{"quit during a search", checkExit(func(e *engine) error { return e.send("quit") })},
	{"end of input during a search", checkExit(func(e *engine) error { e.CloseInput(); return nil })},
	{"SIGTERM during a search", checkExit(func(e *engine) error { return e.Signal(syscall.SIGTERM) })},
}

func main() {
	s := settings{}
	flag.IntVar(&s.cores, "cores", runtime.NumCPU(), "search threads")
	flag.IntVar(&s.rounds, "rounds", 200, "searches to stop")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: ucicheck [-cores N] [-rounds N] ENGINE")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 || s.cores < 1 || s.rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	s.path = flag.Arg(0)
	if !report(os.Stdout, s) {
		os.Exit(1)
	}
}

// report runs all checks, prints a table and reports whether none failed.
func report(out io.Writer, s settings) bool {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	ok := true
	for _, c := range checks {
		if runtime.GOOS == "windows" && strings.HasPrefix(c.name, "SIGTERM") {
			continue // Windows does not have it
		}
		result, err := c.run(s)
		if err != nil {
			ok = false
			result = "FAILED: " + err.Error()
		}
		fmt.Fprintf(table, "%s\t%s\n", c.name, result)
	}
	table.Flush()
	return ok
}

// measureStart times ten starts.
func measureStart(s settings) (string, error) {
	var times []time.Duration
	for range 10 {
		begin := time.Now()
		e, err := start(s.path)
		if err != nil {
			return "", err
		}
		err = e.ask("uci", "uciok")
		times = append(times, time.Since(begin))
		if _, quitErr := e.end("quit"); err != nil || quitErr != nil {
			return "", cmp.Or(err, quitErr)
		}
	}
	return summary(times), nil
}

// measureReady times isready, one after the other, in one search.
func measureReady(s settings) (string, error) {
	e, err := startSearch(s)
	if err != nil {
		return "", err
	}
	defer e.kill()
	var times []time.Duration
	for range 100 {
		begin := time.Now()
		if err := e.ask("isready", "readyok"); err != nil {
			return "", err
		}
		times = append(times, time.Since(begin))
	}
	if err := e.ask("stop", "bestmove"); err != nil {
		return "", err
	}
	return summary(times), e.onlyOneAnswer()
}

// measureStop times stop at different moments of a search, and checks that
// there is one answer each time.
func measureStop(s settings) (string, error) {
	e, err := startSearch(s)
	if err != nil {
		return "", err
	}
	defer e.kill()
	var times []time.Duration
	for i := range s.rounds {
		if i > 0 {
			if err := e.send("go infinite"); err != nil {
				return "", err
			}
		}
		time.Sleep(time.Duration(i%20) * time.Millisecond)
		begin := time.Now()
		if err := e.ask("stop", "bestmove"); err != nil {
			return "", err
		}
		times = append(times, time.Since(begin))
		if err := e.onlyOneAnswer(); err != nil {
			return "", err
		}
	}
	return summary(times) + ", one bestmove each", nil
}

// checkMated checks that an infinite search of a mate position does not send
// bestmove before stop.
func checkMated(s settings) (string, error) {
	e, err := start(s.path)
	if err != nil {
		return "", err
	}
	defer e.kill()
	if err := e.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go infinite"); err != nil {
		return "", err
	}
	time.Sleep(200 * time.Millisecond)
	if err := e.ask("isready", "readyok"); err != nil {
		return "", err
	}
	if e.answers > 0 {
		return "", fmt.Errorf("bestmove before stop")
	}
	if err := e.ask("stop", "bestmove"); err != nil {
		return "", err
	}
	return "silent until stop", e.onlyOneAnswer()
}

// checkOutput searches a few positions with different limits and numbers of lines.
// What is wrong with the output is an error of ask.
func checkOutput(s settings) (string, error) {
	e, err := start(s.path)
	if err != nil {
		return "", err
	}
	defer e.kill()
	searches := 0
	for _, fen := range []string{
		position.StartFEN,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"5rk1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
		"7k/8/5K2/8/8/8/8/6Q1 b - - 0 1",
	} {
		for lines := 1; lines <= 4; lines++ {
			err := e.send(fmt.Sprintf("setoption name MultiPV value %d", lines),
				fmt.Sprintf("setoption name Threads value %d", 1+searches%s.cores), "position fen "+fen)
			for _, limits := range []string{"depth 6", "nodes 10", "nodes 5000", "mate 2 nodes 5000", "movetime 5"} {
				searches++
				if err = cmp.Or(err, e.ask("go "+limits, "bestmove")); err != nil {
					return "", err
				}
			}
		}
	}
	return fmt.Sprintf("%d searches", searches), nil
}

// checkExit times an end in the middle of a search and checks its status.
func checkExit(end func(*engine) error) func(settings) (string, error) {
	return func(s settings) (string, error) {
		var times []time.Duration
		for range 5 {
			e, err := startSearch(s)
			if err != nil {
				return "", err
			}
			time.Sleep(20 * time.Millisecond)
			begin := time.Now()
			if err := cmp.Or(e.session.Sent("quit"), end(e)); err != nil {
				e.kill()
				return "", err
			}
			status, err := e.wait()
			if err != nil {
				return "", err
			}
			if status != 0 {
				return "", fmt.Errorf("exit status %d", status)
			}
			times = append(times, time.Since(begin))
		}
		return summary(times) + ", exit status 0", nil
	}
}

// startSearch starts an engine and an infinite search on all cores.
func startSearch(s settings) (*engine, error) {
	e, err := start(s.path)
	if err != nil {
		return nil, err
	}
	err = cmp.Or(
		e.ask("uci", "uciok"),
		e.send(fmt.Sprintf("setoption name Threads value %d", s.cores)),
		e.ask("isready", "readyok"),
		e.send("position startpos", "go infinite"),
	)
	if err != nil {
		e.kill()
		return nil, err
	}
	return e, nil
}

// summary describes the distribution of times, which it sorts.
func summary(times []time.Duration) string {
	slices.Sort(times)
	at := func(percent int) string { return milliseconds(times[(len(times)-1)*percent/100]) }
	parts := []string{"p50 " + at(50)}
	if len(times) >= 100 {
		parts = append(parts, "p99 "+at(99))
	}
	return strings.Join(append(parts, "max "+at(100)), ", ") + " ms"
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000)
}
