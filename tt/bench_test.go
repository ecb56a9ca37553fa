package tt

import (
	"fmt"
	"math/bits"
	"testing"

	"skein/chess"
)

// work simulates what a search does between prefetch and probe: about 600
// cycles of dependent operations, so that the processor cannot start the next
// probe early.
func work(x uint64) uint64 {
	for range 160 {
		x = bits.RotateLeft64(x, 23) * 0x9e3779b97f4a7c15
	}
	return x
}

// benchmark runs op on random keys, about as many as a full table has slots,
// for several sizes and kinds of pages. The times include work: compare with
// BenchmarkWork.
func benchmark(b *testing.B, op func(t *Table, k chess.Key, e Entry) uint64) {
	for _, mb := range []int{16, 256, 1024} {
		for _, kind := range []struct {
			name    string
			backing backing
		}{{"huge", hugePages}, {"small", smallPages}} {
			b.Run(fmt.Sprintf("%dMiB/%s", mb, kind.name), func(b *testing.B) {
				t := &Table{backing: kind.backing}
				if err := t.Resize(mb, 1); err != nil {
					b.Skip(err)
				}
				defer t.Close()
				positions := uint64(mb * clustersPerMiB * slots)
				for i := range t.clusters { // fill every slot, in order
					c := &t.clusters[i]
					for slot := range slots {
						k := key(uint64(i*slots + slot))
						e := entryOf(k)
						c.store(uint(slot), k, e.pack())
					}
				}
				for _, ahead := range []bool{true, false} {
					name := "noprefetch"
					if ahead {
						name = "prefetch"
					}
					b.Run(name, func(b *testing.B) {
						b.ReportAllocs()
						x := uint64(1)
						for b.Loop() {
							k := key(x % positions)
							if ahead {
								t.Prefetch(k)
							}
							x = work(x)
							x += op(t, k, entryOf(k))
						}
					})
				}
			})
		}
	}
}

func BenchmarkWork(b *testing.B) {
	x := uint64(1)
	for b.Loop() {
		x = work(x) + uint64(key(x))
	}
}

func BenchmarkProbe(b *testing.B) {
	benchmark(b, func(t *Table, k chess.Key, _ Entry) uint64 {
		e, _ := t.Probe(k)
		return uint64(e.Move)
	})
}

func BenchmarkStore(b *testing.B) {
	benchmark(b, func(t *Table, k chess.Key, e Entry) uint64 {
		t.Store(k, e)
		return 0
	})
}

func BenchmarkProbeStore(b *testing.B) {
	benchmark(b, func(t *Table, k chess.Key, e Entry) uint64 {
		old, _ := t.Probe(k)
		t.Store(k, e)
		return uint64(old.Move)
	})
}

// BenchmarkCached measures Probe and Store with the table in the first-level
// cache.
func BenchmarkCached(b *testing.B) {
	t, err := New(1)
	if err != nil {
		b.Fatal(err)
	}
	defer t.Close()
	const positions = 1 << 10
	var keys [positions]chess.Key
	for i := range keys {
		keys[i] = key(uint64(i)) >> 8 // few clusters, all full
	}
	for _, k := range keys {
		t.Store(k, entryOf(k))
	}
	b.Run("Probe", func(b *testing.B) {
		x := uint64(1)
		for b.Loop() {
			x = x*0x9e3779b97f4a7c15 + 1
			e, _ := t.Probe(keys[x>>54])
			x += uint64(e.Move)
		}
	})
	b.Run("Store", func(b *testing.B) {
		x := uint64(1)
		for b.Loop() {
			x = x*0x9e3779b97f4a7c15 + 1
			k := keys[x>>54]
			t.Store(k, Entry{Move: chess.Move(x), Node: Node{Depth: uint8(x >> 60), Bound: BoundUpper}})
		}
	})
}
