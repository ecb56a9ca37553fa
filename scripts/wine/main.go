// Command wine runs the short tests of packages as programs for 64-bit Windows, in a
// Wine prefix of its own, which it removes, and prints the output of tests that fail.
//
//	go run ./scripts/wine ./internal/atomicfile ./uci
//
// Wine up to version 8 cannot remove files the way that Go empties the folders of
// tests, so that a test which fails for this reason alone counts as passed. The exit
// status is 1 if another test fails, or if Wine is not installed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	"skein/scripts/wine/prefix"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("wine: ")
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage: wine PACKAGE...") }
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// run tests the packages until ctx ends, when the prefix is still removed.
func run(ctx context.Context, packages []string) (err error) {
	wine, err := exec.LookPath("wine")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "wine")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env, err := prefix.New(filepath.Join(dir, "prefix"))
	if err != nil {
		return err
	}
	defer prefix.End(env)
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-short", "-exec", wine}, packages...)...)
	cmd.Env = append(os.Environ(), append(env, "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error {
		err := cmd.Process.Signal(os.Interrupt) // starts no more tests
		prefix.End(env)                         // and this ends those that run
		return err
	}
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	results, err := read(events)
	waited := cmd.Wait()
	if err != nil {
		return err
	}
	if failed := results.report(os.Stdout); failed > 0 {
		return fmt.Errorf("%d failures", failed)
	}
	if _, ok := errors.AsType[*exec.ExitError](waited); !ok || results.excused == 0 {
		return waited
	}
	return nil
}
