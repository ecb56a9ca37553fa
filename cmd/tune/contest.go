package main

import (
	"errors"
	"path/filepath"
	"runtime"

	"skein/internal/cli"
	"skein/internal/input"
	"skein/internal/selfplay"
	"skein/internal/spsa"
)

// contestFlags is the flags of games that worker processes play.
type contestFlags struct {
	workers int // processes
	clock   clock
	contest spsa.Contest
}

// defineWorkers adds the flag of the number of processes.
func (c *contestFlags) defineWorkers(flags *cli.Flags) {
	flags.IntVar(&c.workers, "workers", runtime.GOMAXPROCS(0), "number of processes; does not affect the result")
}

// defineGames adds the flags of games, in a group.
func (c *contestFlags) defineGames(flags *cli.Flags) {
	c.contest.Config = selfplay.DefaultConfig()
	config := &c.contest.Config
	flags.Group("Games")
	flags.StringVar(&c.contest.Net, "net", "", "network `file`; default is the embedded one")
	flags.StringVar(&c.contest.Book, "book", "", "EPD or FEN `file` of openings; default is random moves")
	flags.Uint64Var(&config.HardNodes, "nodes", 20000, "stop a search after this many `nodes`; 0: no limit")
	flags.Uint64Var(&config.SoftNodes, "soft", 0, "start no new iteration after this many `nodes`; 0: no limit")
	c.clock.define(flags)
	flags.IntVar(&config.Hash, "hash", 8, "`MiB` of the transposition table of each side")
	flags.Uint64Var(&config.Seed, "seed", 1, "random seed; the same seed gives the same run")
}

// check returns an error about the settings. It makes the names of files absolute,
// for the processes.
func (c *contestFlags) check(flags *cli.Flags) (err error) {
	if c.workers < 1 {
		return errors.New("workers must be positive")
	}
	if err := c.clock.set(&c.contest.Config, flags); err != nil {
		return err
	}
	for _, name := range []*string{&c.contest.Net, &c.contest.Book} {
		if *name == "" {
			continue
		}
		if _, err := input.Stat(*name); err != nil {
			return err
		}
		if *name, err = filepath.Abs(*name); err != nil {
			return err
		}
	}
	return nil
}
