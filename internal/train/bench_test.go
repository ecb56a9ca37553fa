package train

import "testing"

// BenchmarkDecode decodes records for a network with king buckets.
func BenchmarkDecode(b *testing.B) {
	a := shapes[len(shapes)-1]
	records := pack(entries(b, 12, 4096))
	var s sample
	for i := 0; b.Loop(); i++ {
		if err := s.decode(&a, &records[i%len(records)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSieve filters records by score, move number and surprise.
func BenchmarkSieve(b *testing.B) {
	s := Filter{MaxScore: 500, MinMove: 5, MaxSurprise: 0.8}.sieve(400)
	records := pack(entries(b, 12, 4096))
	kept := 0
	for i := 0; b.Loop(); i++ {
		if s.keep(&records[i%len(records)]) {
			kept++
		}
	}
	if kept == 0 {
		b.Error("nothing passes")
	}
}

// BenchmarkSort sorts records by output bucket.
func BenchmarkSort(b *testing.B) {
	a := shapes[len(shapes)-1]
	w := newWorker(newModel(a, false))
	records := pack(entries(b, 12, 4096))
	for b.Loop() {
		w.sort(&a, records, 0, len(records))
	}
}
