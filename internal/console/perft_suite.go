package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"sync"
	"time"

	"skein/chess"
	"skein/internal/cli"
	"skein/internal/corpora"
	"skein/internal/meminfo"
	"skein/movegen"
	"skein/position"
	"skein/search"
)

// suiteOptions has the options of perft for suites.
type suiteOptions struct {
	names   []string // files, or folders with *.epd files
	workers int      // number of rows counted at the same time
	nodes   uint64   // depths with more leaves are skipped; 0: none
	hash    int      // MiB of each worker's table of counts; 0: no table
}

// suiteFlags adds the flags for suites.
func (c *call) suiteFlags() *suiteOptions {
	o := &suiteOptions{}
	c.flags.Group("Suites")
	c.flags.StringArrayVar(&o.names, "suite", nil,
		"check the counts of the perft suite `FILE`, or of all *.epd files of a folder; more files may follow")
	c.flags.IntVar(&o.workers, "threads", defaultThreads(), "suites: count `N` rows at the same time")
	c.flags.Uint64Var(&o.nodes, "nodes", 0, "suites: skip depths with more than `N` leaves; 0: none")
	c.flags.IntVar(&o.hash, "hash", 0, "suites: cache counts in a table of this many `MiB` for each thread")
	return o
}

// perftSuites checks the counts of the suites.
func perftSuites(c *call, o *suiteOptions) error {
	if o.workers < 1 || o.workers > search.MaxThreads {
		return usagef("--threads %d is not between 1 and %d", o.workers, search.MaxThreads)
	}
	if o.hash < 0 {
		return usagef("--hash %d is negative", o.hash)
	}
	if o.hash > math.MaxInt>>20/o.workers {
		return usagef("--hash %d is too large", o.hash)
	}
	if err := meminfo.Check(uint64(o.hash)<<20*uint64(o.workers), 0); err != nil {
		return fmt.Errorf("--hash %d with %d threads: %w", o.hash, o.workers, err)
	}
	files, err := suiteFiles(o.names)
	if err != nil {
		return err
	}
	counters := c.newCounters(o)
	var total tally
	start := time.Now()
	for _, file := range files {
		rows, err := cli.Await(c.ctx, func() ([]corpora.PerftRow, error) { return corpora.PerftRows(file) })
		if c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		if err != nil {
			c.complain("%v", err)
			continue
		}
		if len(rows) == 0 {
			c.complain("%s: no rows", file)
		}
		t, err := c.checkRows(rows, o.nodes, counters)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.fromFiles(), "%s: %v\n", filepath.Base(file), t); err != nil {
			return err
		}
		total.add(t)
	}
	total.elapsed = time.Since(start)
	c.failed = c.failed || total.wrong > 0
	_, err = fmt.Fprintf(c.Out, "total: %v\n", total)
	return err
}

// suiteFiles returns the names with each folder replaced by its *.epd files. It is
// an error if a folder has none.
func suiteFiles(names []string) (files []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, name)
			continue
		}
		found, err := fs.Glob(os.DirFS(name), "*.epd")
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no *.epd files", name)
		}
		for _, file := range found {
			files = append(files, filepath.Join(name, file))
		}
	}
	return files, nil
}

// tally counts what was checked, in one row, one file or all.
type tally struct {
	rows, depths, refused, skipped, wrong int
	nodes                                 uint64
	elapsed                               time.Duration
}

func (t *tally) add(u tally) {
	t.rows += u.rows
	t.depths += u.depths
	t.refused += u.refused
	t.skipped += u.skipped
	t.wrong += u.wrong
	t.nodes += u.nodes
}

func (t tally) String() string {
	speed := count(search.NodesPerSecond(t.nodes, t.elapsed))
	return fmt.Sprintf("%d rows, %d depths, %d skipped, %d refused, %d wrong, %d leaves in %s, %s/s",
		t.rows, t.depths, t.skipped, t.refused, t.wrong, t.nodes, clock(t.elapsed), speed)
}

// checkRows checks the rows of a file at depths with at most limit leaves, 0 for any, as
// many at a time as there are counters, and prints their errors.
func (c *call) checkRows(rows []corpora.PerftRow, limit uint64, counters []*counter) (tally, error) {
	var (
		total tally
		mu    sync.Mutex // guards total and the output
		wg    sync.WaitGroup
	)
	start := time.Now()
	work := make(chan corpora.PerftRow)
	for _, counter := range counters {
		wg.Go(func() {
			for row := range work {
				t, messages := checkRow(row, limit, counter)
				mu.Lock()
				total.add(t)
				for _, m := range messages {
					fmt.Fprintf(c.fromFiles(), "%s: %s\n", row.Where, m)
				}
				mu.Unlock()
			}
		})
	}
	for _, row := range rows {
		select {
		case work <- row:
		case <-c.ctx.Done():
		}
	}
	close(work)
	wg.Wait()
	total.elapsed = time.Since(start)
	if c.ctx.Err() != nil {
		return total, context.Cause(c.ctx)
	}
	return total, nil
}

// checkRow checks a row at every depth with at most limit leaves, 0 for any. It
// returns messages about errors. A FEN with an impossible check counts as refused,
// any other FEN error as wrong.
func checkRow(row corpora.PerftRow, limit uint64, counter *counter) (t tally, messages []string) {
	t.rows = 1
	p, err := position.Parse(row.FEN, true) // Chess960 includes standard chess
	if err != nil {
		if fenErr, ok := errors.AsType[*position.FENError](err); ok && fenErr.Field == "checks" {
			t.refused = 1
		} else {
			t.wrong = 1
		}
		return t, []string{err.Error()}
	}
	for _, want := range row.Counts {
		if limit != 0 && want.Nodes > limit {
			t.skipped++
			continue
		}
		n, err := counter.count(&p, want.Depth)
		switch {
		case errors.Is(err, movegen.ErrStopped):
			return t, messages
		case err == nil && n != want.Nodes:
			err = fmt.Errorf("depth %d: %d leaves, expected %d", want.Depth, n, want.Nodes)
		}
		t.depths++
		t.nodes += n
		if err != nil {
			t.wrong++
			messages = append(messages, fmt.Sprintf("%s: %v", row.FEN, err))
		}
	}
	return t, messages
}

// counter counts leaves, with or without a table of the counts of positions. The
// table makes deep counts faster and tests the Zobrist keys.
type counter struct {
	table   []countEntry // a power of two long, or empty
	stopped func() bool
}

// countEntry is the count below a position; tag is the key mixed with the depth.
type countEntry struct{ tag, leaves uint64 }

// newCounter returns a counter with a table of at most that many MiB; 0 means none.
// Counts end early once stopped returns true.
func newCounter(mebibytes int, stopped func() bool) *counter {
	size := 0
	if n := mebibytes << 20 / 16; n > 0 {
		size = 1 << (bits.Len(uint(n)) - 1)
	}
	return &counter{make([]countEntry, size), stopped}
}

// newCounters returns the counters of all workers, which end early once c is
// interrupted.
func (c *call) newCounters(o *suiteOptions) []*counter {
	list := make([]*counter, o.workers)
	for i := range list {
		list[i] = newCounter(o.hash, func() bool { return c.ctx.Err() != nil })
	}
	return list
}

// count returns the number of leaves at a depth in plies. Its errors are those of
// movegen.Divide.
func (c *counter) count(p *position.Position, depth int) (uint64, error) {
	if len(c.table) == 0 || depth < 1 || depth > movegen.MaxPerftDepth {
		return movegen.Divide(p, depth, c.stopped, nil)
	}
	n := c.cached(p, depth)
	if c.stopped() {
		return 0, movegen.ErrStopped
	}
	return n, nil
}

// cached counts with the table. The count is meaningless if stopped.
func (c *counter) cached(p *position.Position, depth int) uint64 {
	if depth < 3 {
		return movegen.Perft(p, depth)
	}
	var list chess.MoveList
	movegen.Generate(p, movegen.All, &list)
	var (
		total uint64
		next  position.Position
		delta position.Delta
	)
	for _, m := range list.Slice() {
		if depth > 4 && c.stopped() {
			break
		}
		p.Do(m, &next, &delta)
		tag := uint64(next.Key()) ^ uint64(depth)*0x9e3779b97f4a7c15
		e := &c.table[tag&uint64(len(c.table)-1)]
		if e.tag != tag {
			*e = countEntry{tag, c.cached(&next, depth-1)}
		}
		total += e.leaves
	}
	return total
}
