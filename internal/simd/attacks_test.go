package simd

import (
	"math/rand/v2"
	"runtime"
	"testing"
)

// steps are the moves of pieces by one step, as differences of file and rank.
type steps [][2]int

var (
	straight = steps{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	diagonal = steps{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}
	jumps    = steps{{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}}
)

// reach returns the squares that pieces on from reach by steps in one direction, any number of them if far is true,
// up to the first one in occupied.
func (directions steps) reach(from, occupied uint64, far bool) (to uint64) {
	for s := range 64 {
		if from>>s&1 == 0 {
			continue
		}
		for _, d := range directions {
			for file, rank := s%8+d[0], s/8+d[1]; file >= 0 && file < 8 && rank >= 0 && rank < 8; {
				square := uint64(1) << (rank*8 + file)
				to |= square
				if !far || occupied&square != 0 {
					break
				}
				file, rank = file+d[0], rank+d[1]
			}
		}
	}
	return to
}

// referenceAttacks is the reference of the attacks of the pieces own.
func referenceAttacks(own, occupied uint64, byType *[6]uint64) Attacks {
	of := func(kind int) uint64 { return own & byType[kind] }
	var once, forks uint64
	for s := range 64 {
		moves := jumps.reach((of(3)|of(4)|of(5))&(1<<s), 0, false)
		forks |= once & moves
		once |= moves
	}
	return Attacks{
		Knights:       jumps.reach(of(1), 0, false),
		Bishops:       diagonal.reach(of(2), occupied, true),
		Rooks:         straight.reach(of(3), occupied, true),
		Queens:        diagonal.reach(of(4), occupied, true) | straight.reach(of(4), occupied, true),
		KingDiagonals: diagonal.reach(of(5), occupied, true),
		KingLines:     straight.reach(of(5), occupied, true),
		Forks:         forks,
	}
}

// randomBoard returns up to men men of random types and colors, several kings among them.
func randomBoard(r *rand.Rand, men int) (byType [6]uint64, byColor [2]uint64) {
	for range r.IntN(men + 1) {
		square := uint64(1) << r.IntN(64)
		if (byColor[0]|byColor[1])&square == 0 {
			byType[r.IntN(6)] |= square
			byColor[r.IntN(2)] |= square
		}
	}
	return byType, byColor
}

func TestAttacks(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 0))
		for range 10000 {
			byType, byColor := randomBoard(r, 64)
			checkAttacks(t, &byType, &byColor)
		}
	})
}

func FuzzAttacks(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint64(4), uint64(8), uint64(16), uint64(32), uint64(21), uint64(42))
	f.Fuzz(func(t *testing.T, pawns, knights, bishops, rooks, queens, kings, white, black uint64) {
		checkAttacks(t, &[6]uint64{pawns, knights, bishops, rooks, queens, kings}, &[2]uint64{white, black &^ white})
	})
}

// checkAttacks compares the kernel of the level in use, if it has one, with the reference.
func checkAttacks(t *testing.T, byType *[6]uint64, byColor *[2]uint64) {
	t.Helper()
	var got [2]Attacks
	kernel := SetAttacks(&got, byType, byColor)
	if want := useVector && runtime.GOARCH == "amd64"; kernel != want {
		t.Fatalf("there is a kernel: %t instead of %t", kernel, want)
	}
	for c, own := range byColor {
		if want := referenceAttacks(own, byColor[0]|byColor[1], byType); kernel && got[c] != want {
			t.Fatalf("types %x, colors %x: %+v of color %d instead of %+v", *byType, *byColor, got[c], c, want)
		}
	}
}

func BenchmarkAttacks(b *testing.B) {
	// r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1
	byType := [6]uint64{0xe300080000e700, 0x240008040000, 0x10100000101000,
		0x2100000000000021, 0x800000000000008, 0x4000000000000040}
	byColor := [2]uint64{0x814f769, 0x69f3340800000000}
	b.Cleanup(func() { use(level) })
	eachKernelLevel(func(level string) {
		b.Run("Attacks/64/"+level, func(b *testing.B) {
			var attacks [2]Attacks
			for b.Loop() {
				if !SetAttacks(&attacks, &byType, &byColor) {
					b.Skip("there is no kernel")
				}
			}
		})
	})
}
