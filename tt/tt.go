// Package tt is the transposition table: what some thread already found out
// about a position, shared by all threads without a lock.
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
// The high bits of the key choose the cluster, floor(key*n / 2^64) for n
// clusters, so n need not be a power of two (D. Lemire, "Fast Random Integer
// Generation in an Interval", 2019). The low 21 bits of the key are the check
// that tells the positions of a cluster apart. A probe of a position that was
// never stored finds a wrong entry with a probability of 6/2^21 at most, three
// in a million, so a move that comes from the table is to be tested before it
// is played.
//
// # Guarantees
//
// Every access of Probe and Store is an atomic load or store of one word, so
// any number of goroutines may call them at the same time, together with
// Prefetch, NewSearch, Hashfull and Size. No two words are ever written
// together; instead the check stored is the check of the key XOR a hash of the
// data word. A check and a data word that two writers left side by side do not
// fit together, and nobody finds them but for a chance of one in 2^21
// (R. Hyatt and T. Mann, "A Lock-less Transposition-Table Implementation for
// Parallel Search Chess Engines", ICGA Journal 25(1), 2002, here with three
// checks to a word). Two writers of one check word may undo each other's
// change: that loses an entry and never invents one.
//
// Resize, Clear and Close want the table for themselves.
//
// # Replacement and ageing
//
// A position is stored over its own older entry, unless that is much deeper,
// of the same search, and the new one is a mere bound. Else it takes an empty
// slot, or the slot with the smallest depth - 8*age, where age counts the
// calls of NewSearch since the entry was stored. So deep entries stay for long
// and nothing stays for ever. Ages wrap after 32 searches, when an untouched
// entry looks new again. (D. Breuker, J. Uiterwijk and J. van den Herik,
// "Replacement Schemes for Transposition Tables", ICCA Journal 17(4), 1994;
// the depth-and-age rule within a cluster as in Stockfish.)
//
// # Memory
//
// The table lives outside of the Go heap, where an allocation that does not
// fit is an error instead of the end of the process, where the garbage
// collector does not count it, and where it can be given back at once. On
// Linux it asks for huge pages, which save most of the address translations of
// random access. As Linux grants memory that it does not have and kills the
// process when it is used, a size above what internal/meminfo finds available,
// less a reserve, is refused beforehand.
//
// Fresh memory is zero, which is an empty table. New and Resize touch every
// page, in parallel, so that no search pays for the page faults.
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
)

// Bound tells how the score of an entry relates to the true one.
type Bound uint8

// The bounds. BoundExact is BoundUpper and BoundLower in one, so a bound can be
// tested with &.
const (
	BoundNone  Bound = iota // no score, only the static evaluation and perhaps a move
	BoundUpper              // the true score is at most this (fail low)
	BoundLower              // the true score is at least this (fail high)
	BoundExact
)

// MaxDepth is the largest depth of an Entry; Store cuts larger ones to it, or
// in builds with the tag debug refuses them.
const MaxDepth = 254

// Entry is what is known about one position. The table does not interpret
// Score and Eval; mate scores relative to the root are the caller's to shift.
type Entry struct {
	Move  chess.Move // NoMove if none is known
	Score int16
	Eval  int16 // static evaluation
	Depth uint8 // up to MaxDepth; 0 is quiescence search
	Bound Bound
	PV    bool // the node is or was on a principal variation
}

// Table is a transposition table. The zero Table is closed: Resize opens it.
type Table struct {
	clusters   []cluster
	generation atomic.Uint64 // of the running search, as ageBase
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

// Resize changes the size to mb MiB, with the given number of threads or one for
// each processor, whichever is more. The table is empty afterwards. If the memory is not to be had, Resize returns a
// *MemoryError and the table stays as it was, with its entries. The new memory
// is reserved before the old is released, and used only afterwards.
func (t *Table) Resize(mb, threads int) error {
	if mb == t.Size() && mb > 0 {
		t.Clear(threads)
		return nil
	}
	if err := t.resize(mb); err != nil {
		return err
	}
	t.parallel(max(threads, runtime.NumCPU()), touch)
	return nil
}

func (t *Table) resize(mb int) error {
	if mb < 1 {
		return fmt.Errorf("tt: a table of %d MiB is below the minimum of 1 MiB", mb)
	}
	if mb > math.MaxInt>>20 {
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

// Close gives the memory back. A closed table has no size, and only Resize makes
// it usable again.
func (t *Table) Close() error {
	if err := t.memory.release(); err != nil {
		return fmt.Errorf("tt: releasing %d MiB: %w", t.Size(), err)
	}
	t.memory, t.clusters = memory{}, nil
	return nil
}

// Size returns the size in MiB.
func (t *Table) Size() int { return len(t.clusters) / clustersPerMiB }

// Clear forgets everything, with the given number of threads.
func (t *Table) Clear(threads int) {
	t.parallel(threads, func(part []cluster) { clear(part) })
	t.generation.Store(ageBase(0))
}

// parallel calls f for disjoint parts of the table, one for each thread. Parts
// meet at huge page boundaries, so that no two threads fault the same page in.
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

// touch makes the system provide the pages of fresh memory.
func touch(part []cluster) {
	const stride = 4096 / clusterSize // no system has smaller pages
	for i := 0; i < len(part); i += stride {
		part[i] = cluster{}
	}
}

// NewSearch begins the next generation: all that is stored by now grows older.
func (t *Table) NewSearch() { t.generation.Add(1 << generationShift) }

// Hashfull returns how many permille of the slots hold an entry of the current
// generation, judged by the first thousand clusters.
func (t *Table) Hashfull() int {
	const sample = 1000
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

// Probe returns the entry of the position with key k, if there is one.
func (t *Table) Probe(k chess.Key) (e Entry, ok bool) {
	_, d := t.clusters[t.index(k)].find(k)
	e.unpack(d)
	if invariant.Enabled && d != 0 {
		invariant.NoError(e.validate(k))
	}
	return e, d != 0
}

// Store remembers e for the position with key k. An entry with NoMove keeps
// the move known before. The entry may not be kept: see Replacement above.
func (t *Table) Store(k chess.Key, e Entry) {
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

// Prefetch tells the processor that the position with key k will be probed
// soon. Where there is no such instruction it does nothing.
func (t *Table) Prefetch(k chess.Key) { prefetch(&t.clusters[t.index(k)]) }
