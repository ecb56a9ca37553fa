//go:build linux

// Command faults attacks the programs with signals, FIFOs, closed and slow
// readers, truncated and vanishing files, full disks, two writers of one file and
// little memory, for as long as it is given, and prints a table of attacks, tries
// and outcomes.
//
//	go run ./scripts/faults -time 2m
//
// Attacks are drawn at random; -seed draws the same ones again. Some need root, for
// a small file system of their own, and are skipped without. The exit status is 1 if
// a program crashed, hung or lost something; its last words are then printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("faults: ")
	duration := flag.Duration("time", 2*time.Minute, "attack for so long; every attack is tried at least once")
	seed := flag.Uint64("seed", 1, "draw the same attacks again")
	only := flag.String("only", "", "try attacks whose name contains `text`")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := run(ctx, *duration, *seed, *only, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	if failed {
		os.Exit(1)
	}
}

// attack is one way to hurt a program. try returns what the program did wrong,
// errSkipped if the attack is not possible here, or nil.
type attack struct {
	name string
	try  func(f *field) error

	tries, failures int
	skipped         bool
}

var errSkipped = errors.New("not possible here")

// field is where an attack takes place.
type field struct {
	bin    string // folder of the programs
	tables string // folder of endgame tables to copy from
	dir    string // empty folder of this try
	rng    *rand.Rand
}

// program returns the path of one of the programs.
func (f *field) program(name string) string { return filepath.Join(f.bin, name) }

// file returns the path of a file in the folder of this try.
func (f *field) file(name string) string { return filepath.Join(f.dir, name) }

// pause waits for a random time up to most.
func (f *field) pause(most time.Duration) { time.Sleep(time.Duration(f.rng.Int64N(int64(most)))) }

// run builds the programs, attacks them and writes the table to out.
func run(
	ctx context.Context, duration time.Duration, seed uint64, only string, out io.Writer,
) (failed bool, err error) {
	bin, err := os.MkdirTemp("", "faults")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(bin)
	build := exec.CommandContext(ctx, "go", "build", "-o", bin+"/", "./cmd/...")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("build: %w", err)
	}
	var attacks []*attack
	for _, a := range append(engineAttacks(), toolAttacks()...) {
		if strings.Contains(a.name, only) {
			attacks = append(attacks, a)
		}
	}
	if len(attacks) == 0 {
		return false, fmt.Errorf("no attack's name contains %q", only)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	end := time.Now().Add(duration)
	for i := 0; ctx.Err() == nil && (i < len(attacks) || time.Now().Before(end)); i++ {
		a := attacks[i%len(attacks)]
		if i >= len(attacks) {
			a = attacks[rng.IntN(len(attacks))]
		}
		err := a.once(bin, rng)
		if ctx.Err() != nil {
			break // a signal may have reached the program, too
		}
		if a.count(err) {
			fmt.Fprintf(out, "%s: %v\n", a.name, err)
			failed = true
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "attack\ttries\toutcome")
	for _, a := range attacks {
		fmt.Fprintf(w, "%s\t%d\t%s\n", a.name, a.tries, a.outcome())
	}
	return failed, w.Flush()
}

// once tries the attack once and returns what went wrong.
func (a *attack) once(bin string, rng *rand.Rand) error {
	dir, err := os.MkdirTemp("", "fault")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	f := &field{bin: bin, tables: filepath.Join("testdata", "syzygy"), dir: dir, rng: rng}
	return a.try(f)
}

// count counts a try by its error and reports whether it is a failure.
func (a *attack) count(err error) bool {
	if errors.Is(err, errSkipped) {
		a.skipped = true
		return false
	}
	a.tries++
	if err != nil {
		a.failures++
	}
	return err != nil
}

// outcome sums the tries up.
func (a *attack) outcome() string {
	switch {
	case a.failures > 0:
		return fmt.Sprintf("%d FAILED", a.failures)
	case a.tries == 0 && !a.skipped:
		return "not tried"
	case a.tries == 0:
		return "skipped: " + errSkipped.Error()
	}
	return "survived"
}
