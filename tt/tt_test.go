package tt

import (
	"errors"
	"math"
	"math/bits"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"skein/chess"
	"skein/internal/invariant"
)

// open returns a table of 1 MiB that is closed when the test ends.
func open(tb testing.TB, b backing) *Table {
	tb.Helper()
	t := &Table{backing: b}
	if err := t.Resize(1, 2); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := t.Close(); err != nil {
			tb.Error(err)
		}
	})
	return t
}

// sibling returns the nth of several keys with the same cluster, in a table of
// up to 2^32 clusters.
func sibling(n uint64) chess.Key { return 0x9d39247e_00000000 | chess.Key(n*0x2545f&checkMask) }

// key returns the key of the nth position (S. Vigna's splitmix64).
func key(n uint64) chess.Key {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return chess.Key(n ^ n>>31)
}

// entryOf returns an entry that is a function of k.
func entryOf(k chess.Key) (e Entry) {
	h := uint64(k) * 0xd6e8feb86659fd93
	e = unpack(h ^ h>>32)
	e.Depth %= 32
	from := e.Move.From() // a rook move along its rank: not all codes are moves
	e.Move = chess.NewMove(from, from^(1+e.Move.To()%7))
	return e
}

func want(t *testing.T, table *Table, k chess.Key, e Entry) {
	t.Helper()
	if got, ok := table.Probe(k); !ok || got != e {
		t.Errorf("Probe(%#x) = %+v, %v, want %+v", k, got, ok, e)
	}
}

func wantNone(t *testing.T, table *Table, k chess.Key) {
	t.Helper()
	if got, ok := table.Probe(k); ok {
		t.Errorf("Probe(%#x) = %+v, want nothing", k, got)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, b := range []backing{hugePages, smallPages, goHeap} {
		table := open(t, b)
		n := uint64(0)
		for _, move := range []chess.Move{chess.NoMove, 1, chess.NewCastling(chess.H8, chess.A8),
			chess.NewEnPassant(39, 46), chess.NewPromotion(55, chess.H8, chess.Queen)} {
			for _, score := range []int16{math.MinInt16, -1, 0, 1, math.MaxInt16} {
				for _, eval := range []int16{math.MinInt16, -1, 0, 1, math.MaxInt16} {
					for _, depth := range []uint8{0, 1, 127, 128, MaxDepth} {
						for bound := BoundNone; bound <= BoundExact; bound++ {
							for _, pv := range []bool{false, true} {
								e := Entry{move, score, eval, Node{depth, bound, pv}}
								n++
								table.Store(key(n), e)
								want(t, table, key(n), e)
							}
						}
					}
				}
			}
		}
		// No key is special.
		for _, k := range []chess.Key{0, 1, 1 << 63, math.MaxUint64, checkMask} {
			wantNone(t, table, k)
			table.Store(k, Entry{})
			want(t, table, k, Entry{})
		}
		if !invariant.Enabled {
			table.Store(5, Entry{Node: Node{Depth: 255}})
			want(t, table, 5, Entry{Node: Node{Depth: MaxDepth}})
		}
	}
}

func FuzzPack(f *testing.F) {
	f.Add(uint16(0), int16(0), int16(0), uint8(0), uint8(0), false, uint64(0), uint64(0))
	f.Add(uint16(0xffff), int16(-1), int16(math.MinInt16), uint8(MaxDepth), uint8(3), true, ^uint64(0), ^uint64(0))
	f.Fuzz(func(t *testing.T, move uint16, score, eval int16, depth, bound uint8, pv bool, generation, k uint64) {
		e := Entry{chess.Move(move), score, eval, Node{min(depth, MaxDepth), Bound(bound & 3), pv}}
		d := e.pack()
		if got := unpack(d); got != e {
			t.Errorf("%+v packed is %#x, unpacked %+v", e, d, got)
		}
		if d == 0 || d>>generationShift != 0 {
			t.Errorf("%+v packed is %#x", e, d)
		}
		// In a cluster, in every slot and with every generation.
		d |= generation << generationShift
		for slot := range uint(slots) {
			var c cluster
			c.store(slot, chess.Key(k), d)
			if s, found := c.find(chess.Key(k)); s != slot || found != d {
				t.Errorf("stored %#x in slot %d, found %#x in slot %d", d, slot, found, s)
			}
			if _, found := c.find(chess.Key(k ^ 1)); found != 0 {
				t.Errorf("found %#x for a wrong key", found)
			}
		}
	})
}

func TestSamePosition(t *testing.T) {
	const k chess.Key = 0x123456789abcdef0
	deep := Entry{Move: 7, Score: 3, Node: Node{Depth: 20, Bound: BoundLower}}
	entry := func(m chess.Move, depth uint8, b Bound) Entry {
		return Entry{Move: m, Node: Node{Depth: depth, Bound: b}}
	}
	for _, test := range []struct {
		name     string
		old      Entry
		searches int // between the two
		new      Entry
		want     Entry
	}{
		{"deeper", deep, 0, entry(8, 21, BoundUpper), entry(8, 21, BoundUpper)},
		{"a little shallower", deep, 0, entry(8, 16, BoundUpper), entry(8, 16, BoundUpper)},
		{"much shallower", deep, 0, entry(8, 15, BoundUpper), deep},
		{"much shallower but exact", deep, 0, entry(8, 0, BoundExact), entry(8, 0, BoundExact)},
		{"much shallower but younger", deep, 1, entry(8, 1, BoundUpper), entry(8, 1, BoundUpper)},
		{"without move", deep, 0, entry(0, 22, BoundUpper), entry(7, 22, BoundUpper)},
		{"without bound", deep, 3, Entry{Eval: 9, Node: Node{Depth: 30}}, deep},
		{"without bound twice", Entry{Move: 7, Eval: 8}, 0, Entry{Eval: 9}, Entry{Move: 7, Eval: 9}},
		{"deepest", entry(7, MaxDepth, BoundUpper), 0, entry(8, MaxDepth, BoundUpper), entry(8, MaxDepth, BoundUpper)},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := open(t, hugePages)
			table.Store(k, test.old)
			for range test.searches {
				table.NewSearch()
			}
			table.Store(k, test.new)
			want(t, table, k, test.want)
			// The position still uses one slot.
			for n := range uint64(slots - 1) {
				table.Store(k^chess.Key(n+1), deep)
			}
			want(t, table, k, test.want)
		})
	}
}

func TestClusterKeepsSix(t *testing.T) {
	table := open(t, hugePages)
	for n := range uint64(slots) {
		table.Store(sibling(n), entryOf(sibling(n)))
	}
	for n := range uint64(slots) {
		want(t, table, sibling(n), entryOf(sibling(n)))
	}
	wantNone(t, table, sibling(slots))
	lost := 0
	table.Store(sibling(slots), Entry{Move: 1})
	want(t, table, sibling(slots), Entry{Move: 1})
	for n := range uint64(slots) {
		if _, ok := table.Probe(sibling(n)); !ok {
			lost++
		}
	}
	if lost != 1 {
		t.Errorf("%d entries lost by one store", lost)
	}
}

func TestReplacement(t *testing.T) {
	for _, test := range []struct {
		name   string
		depths [slots]uint8
		ages   [slots]int
		want   int // the slot to replace
	}{
		{"shallowest", [slots]uint8{9, 8, 7, 3, 5, 6}, [slots]int{}, 3},
		{"first of equals", [slots]uint8{9, 5, 5, 5, 9, 9}, [slots]int{}, 1},
		{"last", [slots]uint8{9, 8, 7, 6, 5, 4}, [slots]int{}, 5},
		{"oldest", [slots]uint8{5, 5, 5, 5, 5, 5}, [slots]int{4, 6, 5, 3, 2, 1}, 1},
		{"old and deep stays", [slots]uint8{30, 2, 9, 9, 9, 9}, [slots]int{3, 0, 0, 0, 0, 0}, 1},
		{"old and deep goes", [slots]uint8{30, 9, 9, 9, 9, 9}, [slots]int{3, 0, 0, 0, 0, 0}, 0},
		{"very old and very deep goes", [slots]uint8{0, 0, 240, 8, 0, 0}, [slots]int{0, 0, 31, 0, 0, 0}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			// With every first generation, since generations wrap.
			for begin := range 34 {
				table := open(t, hugePages)
				for range begin {
					table.NewSearch()
				}
				c := &table.clusters[table.index(sibling(0))]
				for past := 31; past >= 0; past-- {
					for slot := range slots {
						if test.ages[slot] == past {
							e := Entry{Node: Node{Depth: test.depths[slot], Bound: BoundLower}}
							d := e.pack() | table.generation.Load()&^(1<<generationShift-1)
							c.store(uint(slot), sibling(uint64(slot)), d)
						}
					}
					if past > 0 {
						table.NewSearch()
					}
				}
				table.Store(sibling(slots), Entry{Node: Node{Bound: BoundUpper}})
				for slot := range slots {
					if _, ok := table.Probe(sibling(uint64(slot))); ok == (slot == test.want) {
						t.Errorf("slot %d kept its entry: %v", slot, ok)
					}
				}
			}
		})
	}
}

func TestEmptySlotsFirst(t *testing.T) {
	for generation := range uint64(32) {
		for used := range uint(slots) {
			var c cluster
			for slot := range used {
				e := Entry{}
				c.store(slot, sibling(uint64(slot)), e.pack()|(generation+1)<<generationShift)
			}
			if v := c.victim(ageBase(generation)); v != used {
				t.Errorf("with %d slots in use the victim is %d", used, v)
			}
		}
	}
}

func TestAge(t *testing.T) {
	table := open(t, hugePages)
	e := Entry{Move: 0xffff, Score: -1, Eval: -1, Node: Node{Depth: MaxDepth, Bound: BoundExact, PV: true}}
	for range 40 {
		d := e.pack() | table.generation.Load()&^(1<<generationShift-1)
		for n := range uint64(70) {
			if got := age(table.generation.Load(), d); got != n%32 {
				t.Fatalf("age after %d searches = %d", n, got)
			}
			table.NewSearch()
		}
	}
}

func TestHashfull(t *testing.T) {
	table := open(t, hugePages)
	if n := table.Hashfull(); n != 0 {
		t.Errorf("empty: %d", n)
	}
	const capacity = clustersPerMiB * slots
	for n := range uint64(capacity / 2) {
		table.Store(key(n), Entry{Node: Node{Depth: 1, Bound: BoundUpper}})
	}
	if n := table.Hashfull(); n < 450 || n > 500 { // some clusters overflow
		t.Errorf("half full: %d", n)
	}
	table.NewSearch()
	if n := table.Hashfull(); n != 0 {
		t.Errorf("next search: %d", n)
	}
	for n := range uint64(capacity * 8) {
		table.Store(key(n), Entry{Node: Node{Depth: 1, Bound: BoundUpper}})
	}
	if n := table.Hashfull(); n < 990 || n > 1000 {
		t.Errorf("full: %d", n)
	}
}

func TestClear(t *testing.T) {
	table := open(t, hugePages)
	if err := table.Resize(5, 3); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{-1, 0, 1, 2, 3, 64} {
		for i := range table.clusters {
			for w := range table.clusters[i] {
				table.clusters[i][w] = math.MaxUint64
			}
		}
		table.NewSearch()
		table.Clear(threads)
		for i, c := range table.clusters {
			if c != (cluster{}) {
				t.Fatalf("%d threads: cluster %d is not empty", threads, i)
			}
		}
		if g := table.generation.Load(); g != ageBase(0) {
			t.Errorf("%d threads: generation %#x", threads, g)
		}
	}
}

func TestParallelCoversOnce(t *testing.T) {
	for _, size := range []int{0, 1, clustersPerMiB, 7*clustersPerMiB + 3} {
		for _, threads := range []int{1, 2, 3, 5, 100} {
			table := Table{clusters: make([]cluster, size)}
			table.parallel(threads, func(part []cluster) {
				for i := range part {
					part[i][0]++
				}
			})
			for i, c := range table.clusters {
				if c[0] != 1 {
					t.Fatalf("size %d, %d threads: cluster %d visited %d times", size, threads, i, c[0])
				}
			}
		}
	}
}

func TestResize(t *testing.T) {
	table := open(t, hugePages)
	for _, mb := range []int{2, 3, 17, 17, 1} {
		table.NewSearch()
		table.Store(5, Entry{Move: 5})
		if err := table.Resize(mb, 2); err != nil {
			t.Fatal(err)
		}
		if table.Size() != mb {
			t.Errorf("Size() = %d, want %d", table.Size(), mb)
		}
		wantNone(t, table, 5)
		if p := uintptr(unsafe.Pointer(&table.clusters[0])); p%clusterSize != 0 {
			t.Errorf("%#x is not the start of a cache line", p)
		}
		table.Store(math.MaxUint64, Entry{Move: 6}) // uses the last cluster
		want(t, table, math.MaxUint64, Entry{Move: 6})
	}
}

func TestResizeFailureKeepsTable(t *testing.T) {
	sizes := []int{-1, 0, math.MaxInt, math.MaxInt >> 20, math.MaxInt>>19 + 2, math.MinInt}
	if bits.UintSize == 64 {
		sizes = append(sizes, math.MaxInt>>23) // 2^60 bytes
	}
	for _, mb := range sizes {
		table := open(t, hugePages)
		table.NewSearch()
		for n := range uint64(100) {
			table.Store(key(n), entryOf(key(n)))
		}
		generation := table.generation.Load()
		err := table.Resize(mb, 2)
		if err == nil {
			t.Fatalf("Resize(%d) succeeded", mb)
		}
		var noMemory *MemoryError
		if mb > 0 && (!errors.As(err, &noMemory) || noMemory.MiB != mb || noMemory.Unwrap() == nil) {
			t.Errorf("Resize(%d): %v, want a MemoryError", mb, err)
		}
		if !strings.HasPrefix(err.Error(), "tt: ") {
			t.Errorf("Resize(%d): %v", mb, err)
		}
		if table.Size() != 1 || table.generation.Load() != generation {
			t.Errorf("Resize(%d) changed the table", mb)
		}
		for n := range uint64(100) {
			want(t, table, key(n), entryOf(key(n)))
		}
	}
	for _, mb := range []int{0, math.MaxInt >> 20} {
		if _, err := New(mb); err == nil {
			t.Errorf("New(%d) succeeded", mb)
		}
	}
}

func TestClose(t *testing.T) {
	table, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
		if table.Size() != 0 {
			t.Errorf("a closed table of %d MiB", table.Size())
		}
	}
	if err := table.Resize(2, 1); err != nil || table.Size() != 2 {
		t.Errorf("reopened: %d MiB, %v", table.Size(), err)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoAllocations(t *testing.T) {
	table := open(t, hugePages)
	n := uint64(0)
	allocs := testing.AllocsPerRun(1000, func() {
		n++
		k := key(n)
		table.Prefetch(k)
		table.Store(k, entryOf(k))
		table.Probe(k)
		table.NewSearch()
		table.Hashfull()
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestTornEntries combines the data word of one store with the check of
// another.
func TestTornEntries(t *testing.T) {
	const pairs = 1 << 20
	found := 0
	for n := range uint64(pairs) {
		a, b := key(2*n), key(2*n+1)
		ea, eb := entryOf(a), entryOf(b)
		var ca, cb cluster
		ca.store(0, a, ea.pack())
		cb.store(0, b, eb.pack())
		torn := cluster{0: ca[0], checkWord: cb[checkWord]}
		for _, k := range []chess.Key{a, b} {
			if _, d := torn.find(k); d != 0 {
				found++
			}
		}
	}
	if found > 8 { // 1 is expected
		t.Errorf("%d of %d torn entries found", found, pairs)
	}
	// Entries of neighboring nodes often differ in only one field.
	for _, shift := range []uint{0, evalShift, scoreShift, depthShift} {
		folds := map[uint64]bool{}
		for v := range uint64(256) {
			folds[fold(v<<shift)] = true
		}
		if len(folds) != 256 {
			t.Errorf("256 values at bit %d have %d folds", shift, len(folds))
		}
	}
}

// TestConcurrent runs eight goroutines that store entries determined by their
// keys and check all entries that they find. The keys share few clusters, so
// that writers collide, and have different checks, so that an entry found with
// a wrong key must be torn. A torn entry is found with a probability below
// 2^-16, so a single one is tolerated; without the hash in the checks there are
// many.
func TestConcurrent(t *testing.T) {
	for _, b := range []backing{goHeap, hugePages} { // the race detector sees the first
		table := open(t, b)
		const goroutines, crowd = 8, 32
		rounds := uint64(200_000)
		if testing.Short() {
			rounds /= 10
		}
		position := func(n uint64) chess.Key {
			n %= crowd
			return chess.Key(n%2)<<63 | chess.Key(n*0x12345&checkMask)
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		hits, wrong := 0, 0
		for g := range uint64(goroutines) {
			wg.Go(func() {
				h, w := 0, 0
				for n := range rounds {
					r := uint64(key(g*rounds + n))
					k := position(r)
					table.Prefetch(k)
					if e, ok := table.Probe(k); ok {
						h++
						if e != entryOf(k) {
							w++
						}
					}
					k = position(r >> 32)
					table.Store(k, entryOf(k))
					if n%1024 == 0 {
						table.NewSearch()
						table.Hashfull()
						runtime.Gosched()
					}
				}
				mu.Lock()
				defer mu.Unlock()
				hits += h
				wrong += w
			})
		}
		wg.Wait()
		if hits == 0 {
			t.Error("nothing found")
		}
		if wrong > 1 {
			t.Errorf("%d of %d entries found belong to another position", wrong, hits)
		}
	}
}
