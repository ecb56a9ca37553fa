package movegen

import (
	"testing"

	"skein/position"
)

// BenchmarkPerft reports the speed of bulk-counted perft in nodes per second.
func BenchmarkPerft(b *testing.B) {
	for _, bench := range []struct {
		name, fen string
		depth     int
	}{
		{"start6", position.StartFEN, 6},
		{"kiwipete5", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p, err := position.Parse(bench.fen, false)
			if err != nil {
				b.Fatal(err)
			}
			var nodes uint64
			for b.Loop() {
				nodes += Perft(&p, bench.depth)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}
