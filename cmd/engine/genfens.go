package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"skein/internal/input"
	"skein/internal/selfplay"
	"skein/nnue"
)

// genfens writes N different balanced start positions for games, in the format
// that OpenBench requires: a few random moves after the initial position or one
// of a book, determined by the seed. OpenBench appends what the form for data
// generation has for the engine; Skein defines no such arguments and says that it
// ignores them.
func genfens(net *nnue.Network, args []string, out io.Writer) error {
	if len(args) < 5 || args[1] != "seed" || args[3] != "book" {
		return errors.New("expected N seed S book None|FILE")
	}
	for _, arg := range args[5:] {
		if _, err := fmt.Fprintln(out, "info string ignored", arg); err != nil {
			return err
		}
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return fmt.Errorf("%q is not a number of positions", args[0])
	}
	config := selfplay.DefaultConfig()
	config.Openings.VerifyNodes = 5000
	if config.Seed, err = strconv.ParseUint(args[2], 10, 64); err != nil {
		return fmt.Errorf("seed %q is not a number", args[2])
	}
	if args[4] != "None" {
		if _, err := input.Stat(args[4]); err != nil {
			return fmt.Errorf("book: %w", err)
		}
		if config.Openings.Book, err = selfplay.LoadBook(args[4]); err != nil {
			return err
		}
		config.Openings.BookPlies = 4
	}
	player, err := selfplay.NewPlayer(net, &config)
	if err != nil {
		return err
	}
	return errors.Join(writeStarts(player, n, out), player.Close())
}

// writeStarts writes n different starts.
func writeStarts(player *selfplay.Player, n int, out io.Writer) error {
	const maxRepeats = 1000
	seen := make(map[string]bool)
	repeats := 0
	for number := uint64(0); len(seen) < n; number++ {
		start, _, err := player.Start(context.Background(), number)
		if err != nil {
			return err
		}
		fen := start.FEN()
		if seen[fen] {
			if repeats++; repeats == maxRepeats {
				return fmt.Errorf("only %d different positions were found", len(seen))
			}
			continue
		}
		seen[fen], repeats = true, 0
		if _, err := fmt.Fprintln(out, "info string genfens", fen); err != nil {
			return err
		}
	}
	return nil
}
