// Package tt is a transposition table: what a search found out about positions, by
// their keys, shared by any number of threads without a lock.
//
//	table, err := tt.New(64) // MiB
//	if err != nil {
//		return err
//	}
//	defer table.Close()
//	table.NewSearch()
//	table.Store(p.Key(), tt.Entry{Move: best, Score: 35, Node: tt.Node{Depth: 8, Bound: tt.BoundExact}})
//	if e, ok := table.Probe(p.Key()); ok && movegen.IsLegal(&p, e.Move) {
//		fmt.Println(e.Move, e.Score, e.Depth)
//	}
//
// # Layout
//
// A table is an array of clusters. A cluster is one cache line of eight words
// of 64 bits and holds six entries:
//
//	words 0-5   data of slots 0-5
//	            bits  0-15 move
//	                 16-31 static evaluation
//	                 32-47 score
//	                 48-55 depth + 1; 0 in a slot never used
//	                 56-57 bound
//	                 58    PV
//	                 59-63 generation
//	word 6      checks of slots 0, 1, 2 in bits 0-20, 21-41, 42-62
//	word 7      checks of slots 3, 4, 5 likewise
//
// The high bits of the key select the cluster, floor(key*n / 2^64) for n
// clusters, so n need not be a power of two (D. Lemire, "Fast Random Integer
// Generation in an Interval", 2019). The low 21 bits of the key are the check
// that distinguishes the positions in a cluster. Probing a position that was
// never stored finds a wrong entry with a probability of at most 6/2^21, three
// in a million, so moves from the table must be checked for legality.
//
// # Guarantees
//
// Probe and Store access the table only by atomic loads and stores of single
// words, so any number of goroutines may call them concurrently, together with
// Prefetch, NewSearch, Hashfull and Size. The words of an entry are not written
// together; instead the stored check is the check of the key XOR a hash of the
// data word. A torn entry, of a check and a data word by two writers, does not
// match and is found only with a probability of 2^-21 (R. Hyatt and T. Mann, "A
// Lock-less Transposition-Table Implementation for Parallel Search Chess
// Engines", ICGA Journal 25(1), 2002, here with three checks per word).
// Concurrent writers of one check word may overwrite each other's check, which
// loses an entry but never creates a wrong one.
//
// Resize, Clear and Close must not run concurrently with any other call.
//
// # Replacement and aging
//
// A position replaces its own entry, unless that is much deeper and of the same
// search and the new score is only a bound; an entry without a score never
// replaces one with a score. A position without an entry takes an empty slot,
// or the slot with the lowest depth - 8*age, where age is the number of calls
// of NewSearch since the entry was stored. Ages wrap after 32 searches, when an
// entry that was not replaced counts as new again. (D. Breuker, J. Uiterwijk
// and J. van den Herik, "Replacement Schemes for Transposition Tables", ICCA
// Journal 17(4), 1994; the rule of depth and age within a cluster is that of
// Stockfish.)
//
// # Memory
//
// The table is allocated outside the Go heap, where a failed allocation is an
// error instead of the end of the process, the garbage collector does not count
// it, and it can be released immediately. On Linux it requests huge pages,
// which avoid most TLB misses of random access. Since Linux overcommits memory
// and kills the process when it is used, a size above what the system or the
// control group can still provide (package meminfo), less a reserve, is refused in
// advance.
//
// New memory is zero, which is an empty table. New and Resize touch every page, in
// parallel, so that page faults do not slow down the first search.
package tt

import (
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"skein/chess"
	"skein/internal/invariant"
	"skein/internal/prefetch"
)

// Bound says how the score of an entry relates to the true one.
type Bound uint8

// The bounds. BoundExact is BoundUpper | BoundLower, so bounds can be tested
// with &.
const (
	BoundNone  Bound = iota // no score, only a static evaluation and possibly a move
	BoundUpper              // the true score is at most this (fail low)
	BoundLower              // the true score is at least this (fail high)
	BoundExact
)

// MaxDepth is the largest depth of an Entry, in plies. Store reduces larger
// ones to it; in builds with the tag debug it panics.
const MaxDepth = 254

// Entry is the entry of one position. The table does not interpret Score and
// Eval; callers must convert mate scores so that they do not depend on the
// distance from the root.
type Entry struct {
	Move  chess.Move // NoMove if none is known
	Score int16
	Eval  int16 // static evaluation
	Node
}

// Node is about the node whose search stored an entry. It is a type of its own
// because the compiler keeps a structure of more than four fields in memory, and
// copies it there with loads wider than the stores before, which stalls.
type Node struct {
	Depth uint8 // in plies, up to MaxDepth; 0 is quiescence search
	Bound Bound
	PV    bool // the node is or was on a principal variation
}

// Table is a transposition table. The zero Table is closed: Resize opens it.
type Table struct {
	clusters   []cluster
	generation atomic.Uint64 // of the current search, at its position in a data word
	memory     memory
	backing    backing
}

// New returns an empty table of mb MiB. The error is a *MemoryError, or about a
// size below 1.
func New(mb int) (*Table, error) {
	t := &Table{}
	if err := t.Resize(mb, 1); err != nil {
		return nil, err
	}
	return t, nil
}

// Resize changes the size to mb MiB, at least 1, and empties the table, with the
// given number of threads, or one for each processor if that is more. It is an error
// if mb is less than 1. If the memory is not available, it returns a *MemoryError and
// the table stays unchanged. The new memory is reserved before the old is released,
// and touched only afterwards.
func (t *Table) Resize(mb, threads int) error {
	threads = max(threads, runtime.NumCPU())
	if mb == t.Size() && mb > 0 {
		t.Clear(threads)
		return nil
	}
	if err := t.resize(mb); err != nil {
		return err
	}
	t.parallel(threads, touch)
	return nil
}

func (t *Table) resize(mb int) error {
	if mb < 1 {
		return fmt.Errorf("tt: a table of %d MiB is below the minimum of 1 MiB", mb)
	}
	if mb > (math.MaxInt-hugePageSize)>>20 {
		return &MemoryError{MiB: mb, Err: errAddressSpace}
	}
	fresh, clusters, err := reserve(mb<<20, t.Size()<<20, t.backing)
	if err != nil {
		return &MemoryError{MiB: mb, Err: err}
	}
	if err := t.Close(); err != nil {
		fresh.release()
		return err
	}
	t.memory, t.clusters = fresh, clusters
	t.generation.Store(ageBase(0))
	return nil
}

// Close releases the memory. A closed table has size 0 and can be used again
// only after Resize.
func (t *Table) Close() error {
	if err := t.memory.release(); err != nil {
		return fmt.Errorf("tt: releasing %d MiB: %w", t.Size(), err)
	}
	t.memory, t.clusters = memory{}, nil
	return nil
}

// Size returns the size in MiB.
func (t *Table) Size() int { return len(t.clusters) / clustersPerMiB }

// Clear empties the table, with the given number of threads.
func (t *Table) Clear(threads int) {
	t.parallel(threads, func(part []cluster) { clear(part) })
	t.generation.Store(ageBase(0))
}

// parallel calls f for disjoint parts of the table, one per thread. Parts are
// divided at huge page boundaries, so that no page is touched by two threads.
func (t *Table) parallel(threads int, f func(part []cluster)) {
	const grain = hugePageSize / clusterSize
	grains := (len(t.clusters) + grain - 1) / grain
	threads = max(1, min(threads, grains))
	var wg sync.WaitGroup
	for i := range threads {
		from := min(grains*i/threads*grain, len(t.clusters))
		to := min(grains*(i+1)/threads*grain, len(t.clusters))
		wg.Go(func() { f(t.clusters[from:to]) })
	}
	wg.Wait()
}

// touch makes the system provide the pages of new memory.
func touch(part []cluster) {
	const stride = 4096 / clusterSize // no system has smaller pages
	for i := 0; i < len(part); i += stride {
		part[i] = cluster{}
	}
}

// NewSearch starts the next generation: all existing entries age by one.
func (t *Table) NewSearch() { t.generation.Add(1 << generationShift) }

// Hashfull returns the share of slots with an entry of the current generation,
// in permille, estimated from the first 200 clusters: searches of a few thousand
// nodes would spend 2 % of their time on a thousand.
func (t *Table) Hashfull() int {
	const sample = 200
	now := t.generation.Load()
	used := 0
	for i := range t.clusters[:sample] {
		c := &t.clusters[i]
		for slot := range slots {
			if d := atomic.LoadUint64(&c[slot]); d != 0 && age(now, d) == 0 {
				used++
			}
		}
	}
	return used * 1000 / (sample * slots)
}

// index returns the cluster of a key.
func (t *Table) index(k chess.Key) uint64 {
	hi, _ := bits.Mul64(uint64(k), uint64(len(t.clusters)))
	return hi
}

// Probe returns the entry of the position with key k; ok reports whether there
// is one. If not, e has NoMove and BoundNone, and its Depth means nothing.
func (t *Table) Probe(k chess.Key) (e Entry, ok bool) {
	_, d := t.clusters[t.index(k)].find(k)
	e = unpack(d)
	if invariant.Enabled && d != 0 {
		invariant.NoError(e.validate(k))
	}
	return e, d != 0
}

// Store stores e for the position with key k, unless a better entry of the
// position is kept: see Replacement. An entry with NoMove keeps the move of the
// position's old entry.
//
//go:noinline
func (t *Table) Store(k chess.Key, e Entry) {
	// Not inlined, since copies crowd the instruction cache; see docs/search.md.
	if invariant.Enabled {
		invariant.NoError(e.validate(k))
	}
	c := &t.clusters[t.index(k)]
	now := t.generation.Load()
	slot, old := c.find(k)
	if old == 0 {
		slot = c.victim(now)
	} else {
		if !e.supersedes(old, now) {
			return
		}
		if e.Move == chess.NoMove {
			e.Move = chess.Move(old)
		}
	}
	c.store(slot, k, e.pack()|now&^(1<<generationShift-1))
}

// Prefetch starts loading the cluster of key k into the cache. Where there is
// no such instruction it does nothing.
func (t *Table) Prefetch(k chess.Key) { prefetch.Line(&t.clusters[t.index(k)][0]) }
