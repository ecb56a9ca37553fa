//go:build unix

// Command compare measures the packages for other programs beside those of
// github.com/corentings/chess: move generation, FEN, SAN and PGN, on the same data in
// the same run, and prints a table in Markdown.
//
//	go run -C scripts/compare . -time 10s
//
// Each task is done by both in turn until its time is over, and the fastest round of
// each counts, in processor time, that of the garbage collector included. Both must
// come to the same result, or the task is an error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"
)

// other is the module that is compared with.
const other = "github.com/corentings/chess/v2"

func main() {
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	testdata := filepath.Join("..", "..", "testdata")
	duration := flag.Duration("time", 5*time.Second, "measure each task for so long")
	pgn := flag.String("pgn", filepath.Join(testdata, "pgn", "worldchamps-dev.pgn"), "read games from `file`")
	epd := flag.String("epd", filepath.Join(testdata, "perft", "random-dev.epd"), "read positions from `file`")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	tasks, err := newTasks(*pgn, *epd)
	if err == nil {
		err = report(os.Stdout, tasks, *duration)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// task is work that both libraries can do. The functions return a result that must be
// the same.
type task struct {
	name, unit   string
	units        int // in one round
	ours, theirs func() (int, error)
}

// report measures the tasks and writes the table.
func report(w io.Writer, tasks []task, duration time.Duration) error {
	fmt.Fprintf(w, "| task | per | Skein | %s %s | ratio |\n|---|---|---|---|---|\n", other, version())
	for _, t := range tasks {
		ours, theirs, err := t.measure(duration)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.1f |\n", t.name, t.unit, per(ours, t.units), per(theirs, t.units),
			float64(theirs)/float64(ours))
	}
	return nil
}

// version returns the version of the other module, "" if it is unknown.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range info.Deps {
		if m.Path == other {
			return m.Version
		}
	}
	return ""
}

// A task has at least minRounds rounds, of at least minRound of processor time.
const (
	minRounds = 3
	minRound  = 50 * time.Millisecond
)

// measure returns the times that doing the task once takes in the fastest rounds.
func (t *task) measure(duration time.Duration) (ours, theirs time.Duration, err error) {
	if t.units == 0 {
		return 0, 0, errors.New("no data")
	}
	end := time.Now().Add(duration)
	for round := 0; round < minRounds || time.Now().Before(end); round++ {
		ourTime, want, err := repeat(t.ours)
		if err != nil {
			return 0, 0, fmt.Errorf("skein: %w", err)
		}
		theirTime, got, err := repeat(t.theirs)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", other, err)
		}
		if got != want {
			return 0, 0, fmt.Errorf("results differ: %d of Skein, %d of %s", want, got, other)
		}
		ours, theirs = fastest(ours, ourTime), fastest(theirs, theirTime)
	}
	return ours, theirs, nil
}

// repeat calls f for a round and returns the average time of a call and the result.
func repeat(f func() (int, error)) (average time.Duration, result int, err error) {
	begin := processorTime()
	for n := time.Duration(1); ; n++ {
		if result, err = f(); err != nil {
			return 0, 0, err
		}
		if total := processorTime() - begin; total >= minRound {
			return total / n, result, nil
		}
	}
}

// processorTime returns the time that all processors have spent on this program.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // only the arguments can be wrong
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// fastest returns the lesser of the best time until now, 0 if there is none, and d,
// which counts as a nanosecond at least.
func fastest(best, d time.Duration) time.Duration {
	d = max(d, 1)
	if best == 0 {
		return d
	}
	return min(best, d)
}

// per returns the time of one of n units with three significant digits.
func per(d time.Duration, n int) string {
	ns := float64(d.Nanoseconds()) / float64(n)
	for _, unit := range []string{"ns", "µs", "ms"} {
		if ns < 1000 {
			return fmt.Sprintf("%.3g %s", ns, unit)
		}
		ns /= 1000
	}
	return fmt.Sprintf("%.3g s", ns)
}
