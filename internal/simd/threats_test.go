package simd

import "testing"

func BenchmarkThreats(b *testing.B) {
	// r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1
	byType := [6]uint64{0xe300080000e700, 0x240008040000, 0x10100000101000,
		0x2100000000000021, 0x800000000000008, 0x4000000000000040}
	byColor := [2]uint64{0x814f769, 0x69f3340800000000}
	b.Cleanup(func() { use(level) })
	eachKernelLevel(func(level string) {
		b.Run("Threats/64/"+level, func(b *testing.B) {
			var threats Threats
			for b.Loop() {
				if !SetThreats(&threats, &byType, &byColor, 0) {
					b.Skip("there is no kernel")
				}
			}
		})
	})
}
