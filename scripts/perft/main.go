// Command perft checks move generation against perft suites:
//
//	go run ./scripts/perft [-j N] [-nodes N] [-hash MB] DIR|FILE...
//
// A suite is an *.epd file of lines "FEN ;D1 20 ;D2 400"; of a folder, all of
// them are taken. Every depth of every row is counted, with -nodes only those
// of at most that many nodes. FENs are read in Chess960 mode, in which
// standard ones mean the same. With -hash each worker remembers the counts of
// the positions it meets, which makes deep rows several times faster and puts
// the Zobrist keys to the test as well.
//
// Each mismatch is printed with its file and line, each file with a summary.
// A row that the FEN reader refuses for an impossible check is printed and
// counted as refused, any other FEN error as wrong. The exit status is 1 if
// anything was wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"skein/chess"
	"skein/internal/corpora"
	"skein/movegen"
	"skein/position"
)

// tally is what has been checked, of one row, one file or all.
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
	return fmt.Sprintf("%d rows, %d depths, %d skipped, %d refused, %d wrong, %d nodes, %.1f s, %.1f Mnodes/s",
		t.rows, t.depths, t.skipped, t.refused, t.wrong, t.nodes,
		t.elapsed.Seconds(), float64(t.nodes)/max(t.elapsed.Seconds(), 1e-9)/1e6)
}

func main() {
	jobs := flag.Int("j", runtime.NumCPU(), "rows to count at the same time")
	limit := flag.Uint64("nodes", 0, "skip depths of more than this many nodes (0: none)")
	hash := flag.Int("hash", 0, "size of each worker's table of counts in MB (0: none)")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: perft [-j N] [-nodes N] [-hash MB] DIR|FILE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}

	files, err := suites(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "perft:", err)
		os.Exit(2)
	}
	var total tally
	start := time.Now()
	for _, file := range files {
		rows, err := corpora.PerftRows(file)
		if err != nil {
			fmt.Println(err)
			total.wrong++
			continue
		}
		t := checkAll(rows, *jobs, *limit, *hash)
		fmt.Printf("%s: %v\n", filepath.Base(file), t)
		total.add(t)
	}
	total.elapsed = time.Since(start)
	fmt.Printf("total: %v\n", total)
	if total.wrong > 0 {
		os.Exit(1)
	}
}

// suites replaces each folder by the *.epd files in it.
func suites(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		found, err := filepath.Glob(filepath.Join(arg, "*.epd"))
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: no *.epd files", arg)
		}
		files = append(files, found...)
	}
	return files, nil
}

// checkAll checks the rows of a file, jobs at a time.
func checkAll(rows []corpora.PerftRow, jobs int, limit uint64, hash int) tally {
	var (
		total tally
		mu    sync.Mutex // guards total and the output
		wg    sync.WaitGroup
	)
	start := time.Now()
	work := make(chan corpora.PerftRow)
	for range max(jobs, 1) {
		wg.Go(func() {
			c := newCounter(hash)
			for row := range work {
				t, messages := check(row, limit, c)
				mu.Lock()
				total.add(t)
				for _, m := range messages {
					fmt.Printf("%s: %s\n", row.Where, m)
				}
				mu.Unlock()
			}
		})
	}
	for _, row := range rows {
		work <- row
	}
	close(work)
	wg.Wait()
	total.elapsed = time.Since(start)
	return total
}

// check counts one row at every depth and words what is wrong.
func check(row corpora.PerftRow, limit uint64, count *counter) (t tally, messages []string) {
	t.rows = 1
	p, err := position.Parse(row.FEN, true)
	if err != nil {
		var fenErr *position.FENError
		if errors.As(err, &fenErr) && strings.HasPrefix(fenErr.Reason, "impossible") {
			t.refused = 1
		} else {
			t.wrong = 1
		}
		return t, []string{err.Error()}
	}
	for _, c := range row.Counts {
		if limit != 0 && c.Nodes > limit {
			t.skipped++
			continue
		}
		n := count.perft(&p, c.Depth)
		t.depths++
		t.nodes += n
		if n != c.Nodes {
			t.wrong++
			messages = append(messages,
				fmt.Sprintf("%s: depth %d: %d nodes, expected %d", row.FEN, c.Depth, n, c.Nodes))
		}
	}
	return t, messages
}

// counter counts leaves, with a table of counts or without.
type counter struct {
	table []entry // a power of two long, or empty
}

// entry is the count below a position; tag is the key mixed with the depth.
type entry struct{ tag, nodes uint64 }

func newCounter(megabytes int) *counter {
	size := 0
	if n := megabytes << 20 / 16; n > 0 {
		size = 1 << (bits.Len(uint(n)) - 1)
	}
	return &counter{make([]entry, size)}
}

func (c *counter) perft(p *position.Position, depth int) uint64 {
	if depth < 3 || len(c.table) == 0 {
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
		p.Do(m, &next, &delta)
		tag := uint64(next.Key()) ^ uint64(depth)*0x9e3779b97f4a7c15
		e := &c.table[tag&uint64(len(c.table)-1)]
		if e.tag != tag {
			*e = entry{tag, c.perft(&next, depth-1)}
		}
		total += e.nodes
	}
	return total
}
