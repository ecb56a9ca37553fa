package syzygy

import (
	"math/rand/v2"
	"testing"

	"skein/internal/corpora"
	"skein/position"
)

// BenchmarkProbeWDL probes random positions of all endings at hand, again and
// again, so that the tables are in the cache as far as they fit.
func BenchmarkProbeWDL(b *testing.B) {
	tables := Open(corpora.Path("syzygy"), nil)
	defer tables.Close()
	positions := randomPositions(tables, 20000)
	for b.Loop() {
		for i := range positions {
			if _, err := tables.ProbeWDL(&positions[i]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(positions)), "ns/probe")
}

// randomPositions returns positions of endings that can be probed.
func randomPositions(t *Tables, n int) []position.Position {
	rng := rand.New(rand.NewPCG(1, 2))
	var endings []material
	for i, m := range t.catalog.endings {
		if t.wdlFiles[i].path != "" {
			endings = append(endings, m)
		}
	}
	var positions []position.Position
	for len(positions) < n {
		p, err := position.Parse(fen(randomBoard(rng, endings[rng.IntN(len(endings))])), false)
		if err != nil {
			continue // a check that cannot be
		}
		if _, err := t.ProbeWDL(&p); err == nil {
			positions = append(positions, p)
		}
	}
	return positions
}
