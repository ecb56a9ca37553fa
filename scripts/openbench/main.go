//go:build linux

// Command openbench shows on one machine that OpenBench can test, tune and run
// Skein: it starts a server and a worker of OpenBench, uploads a network, creates a
// data run, a test and an SPSA tune, waits for their end and checks what arrived.
//
//	go run ./scripts/openbench FOLDER
//
// All files are written to FOLDER. What is tested is the last commit, not the
// working tree. It needs git, make, g++, pkill and Python with the modules of
// OpenBench. OpenBench and its fastchess are cloned from GitHub when FOLDER lacks
// them, or from what -openbench and -fastchess name; Go fetches modules that it
// lacks. From then on nothing leaves 127.0.0.1: the server and the worker reach
// GitHub through a proxy of this program, which answers from the local repositories
// and refuses other addresses.
//
// The exit status is 1 if something did not work; server.log and worker.log in
// FOLDER then tell more.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are the settings of a run.
type options struct {
	folder               string // absolute
	openbench, fastchess string // repositories to clone: addresses or folders
	python               string // interpreter with the modules of OpenBench
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("openbench: ")
	var o options
	flag.StringVar(&o.openbench, "openbench", "https://github.com/AndyGrant/OpenBench",
		"clone OpenBench from this `repository`, an address or a folder")
	flag.StringVar(&o.fastchess, "fastchess", "https://github.com/AndyGrant/fastchess",
		"clone fastchess from this `repository`, an address or a folder")
	flag.StringVar(&o.python, "python", "python3", "`program` to run OpenBench with")
	limit := flag.Duration("time", 40*time.Minute, "give up after so long")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./scripts/openbench [FLAG...] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, *limit, fmt.Errorf("not finished within %v", *limit))
	defer cancel()
	var err error
	if o.folder, err = filepath.Abs(flag.Arg(0)); err == nil {
		err = run(ctx, o, os.Stdout)
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		stop()
		log.Fatal(err)
	}
}

// run does everything and writes its progress and the table of results to out.
func run(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintln(out, "preparing OpenBench, fastchess and the engine")
	m, err := prepare(ctx, o)
	if err != nil {
		return err
	}
	hub, err := startHub(m)
	if err != nil {
		return err
	}
	defer hub.close()

	fmt.Fprintln(out, "starting the server")
	site, server, err := startServer(ctx, m, hub)
	if err != nil {
		return err
	}
	defer server.stop()
	if err := site.upload(ctx, m.network); err != nil {
		return err
	}
	w, err := createWorkloads(ctx, site, m)
	if err != nil {
		return err
	}

	fmt.Fprintln(out, "starting the worker")
	worker, err := startWorker(m, hub, site)
	if err != nil {
		return err
	}
	defer worker.stop()
	for _, work := range w {
		if err := work.await(ctx, site, worker, out); err != nil {
			return err
		}
	}
	return report(ctx, m, site, hub, w, out)
}
