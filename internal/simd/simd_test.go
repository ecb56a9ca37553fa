package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// widths are those of every small network, and larger ones.
var widths = []int{16, 32, 48, 64, 80, 96, 112, 128, 256, 1024}

// inputs are ways to fill a vector. Sums of extreme values leave 16 bits.
var inputs = []struct {
	name string
	next func(r *rand.Rand) int16
}{
	{"random", func(r *rand.Rand) int16 { return int16(r.Uint32()) }},
	{"extreme", func(r *rand.Rand) int16 {
		return []int16{math.MinInt16, math.MinInt16 + 1, -1, 0, 1, math.MaxInt16 - 1, math.MaxInt16}[r.IntN(7)]
	}},
	{"lowest", func(*rand.Rand) int16 { return math.MinInt16 }},
	{"highest", func(*rand.Rand) int16 { return math.MaxInt16 }},
	{"around the clip", func(r *rand.Rand) int16 { return int16(r.IntN(520) - 130) }},
}

func fill(r *rand.Rand, n int, next func(*rand.Rand) int16) []int16 {
	v := make([]int16, n)
	for i := range v {
		v[i] = next(r)
	}
	return v
}

// rowKernels are the kernels that add and subtract rows of weights. sign tells
// what becomes of each source.
var rowKernels = []struct {
	name string
	sign []int64
	run  func(dst []int16, src [][]int16)
}{
	{"AddSub", []int64{1, 1, -1}, func(dst []int16, s [][]int16) { AddSub(dst, s[0], s[1], s[2]) }},
	{"AddSubSub", []int64{1, 1, -1, -1}, func(dst []int16, s [][]int16) { AddSubSub(dst, s[0], s[1], s[2], s[3]) }},
	{"AddAddSubSub", []int64{1, 1, 1, -1, -1}, func(dst []int16, s [][]int16) { AddAddSubSub(dst, s[0], s[1], s[2], s[3], s[4]) }},
	{"Add", []int64{1, 1}, func(dst []int16, s [][]int16) { copy(dst, s[0]); Add(dst, s[1]) }},
}

// TestRowKernels compares each kernel with exact sums cut to 16 bits, and sees
// that sources and the surroundings of dst stay as they are.
func TestRowKernels(t *testing.T) {
	const guard = 16
	for _, kernel := range rowKernels {
		for _, input := range inputs {
			for _, width := range widths {
				r := rand.New(rand.NewPCG(1, uint64(width)))
				sources := make([][]int16, len(kernel.sign))
				copies := make([][]int16, len(sources))
				for i := range sources {
					sources[i] = fill(r, width, input.next)
					copies[i] = slices.Clone(sources[i])
				}
				buffer := fill(r, guard+width+guard, inputs[0].next)
				want := slices.Clone(buffer)
				for i := range width {
					var sum int64
					for j, sign := range kernel.sign {
						sum += sign * int64(sources[j][i])
					}
					want[guard+i] = int16(sum)
				}
				kernel.run(buffer[guard:guard+width], sources)
				if i := firstDifference(buffer, want); i >= 0 {
					t.Errorf("%s, %s, width %d: element %d is %d instead of %d", kernel.name, input.name, width, i-guard, buffer[i], want[i])
				}
				for j := range sources {
					if i := firstDifference(sources[j], copies[j]); i >= 0 {
						t.Errorf("%s, %s, width %d: element %d of source %d was overwritten", kernel.name, input.name, width, i, j)
					}
				}
			}
		}
	}
}

func firstDifference(a, b []int16) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// TestRowKernelsInPlace lets dst be the first source.
func TestRowKernelsInPlace(t *testing.T) {
	for _, kernel := range rowKernels[:3] {
		r := rand.New(rand.NewPCG(2, 0))
		sources := make([][]int16, len(kernel.sign))
		for i := range sources {
			sources[i] = fill(r, 64, inputs[0].next)
		}
		want := make([]int16, 64)
		kernel.run(want, sources)
		kernel.run(sources[0], sources)
		if !slices.Equal(sources[0], want) {
			t.Errorf("%s gives something else in place", kernel.name)
		}
	}
}

// screluDot is the definition, cut to 32 bits at the very end.
func screluDot(v, w []int16, limit int16) int32 {
	var sum int64
	for i := range v {
		x := int64(v[i])
		if x < 0 {
			x = 0
		}
		if x > int64(limit) {
			x = int64(limit)
		}
		sum += x * x * int64(w[i])
	}
	return int32(sum)
}

// TestSCReLUDot covers the promised range, limit up to 255 and weights up to
// ±127, where at widths from 512 the sum can leave 32 bits.
func TestSCReLUDot(t *testing.T) {
	weights := []struct {
		name string
		next func(r *rand.Rand) int16
	}{
		{"random", func(r *rand.Rand) int16 { return int16(r.IntN(255) - 127) }},
		{"extreme", func(r *rand.Rand) int16 { return int16(r.IntN(2)*254 - 127) }},
		{"lowest", func(*rand.Rand) int16 { return -127 }},
		{"highest", func(*rand.Rand) int16 { return 127 }},
	}
	for _, input := range inputs {
		for _, weight := range weights {
			for _, width := range widths {
				for _, limit := range []int16{1, 127, 255} {
					r := rand.New(rand.NewPCG(3, uint64(width)))
					v, w := fill(r, width, input.next), fill(r, width, weight.next)
					if got, want := SCReLUDot(v, w, limit), screluDot(v, w, limit); got != want {
						t.Errorf("%s values, %s weights, width %d, limit %d: %d instead of %d", input.name, weight.name, width, limit, got, want)
					}
				}
			}
		}
	}
}

func TestSCReLUDotByHand(t *testing.T) {
	for _, test := range []struct {
		v, w [16]int16
		want int32
	}{
		{[16]int16{-1, 0, 1, 2, 254, 255, 256, 32767, -32768}, [16]int16{127, 127, 127, -3, 1, 1, 1, -1, 127}, 127 - 12 + 254*254 + 255*255},
		{[16]int16{15: 300}, [16]int16{15: -127}, -127 * 255 * 255},
	} {
		if got := SCReLUDot(test.v[:], test.w[:], 255); got != test.want {
			t.Errorf("SCReLUDot(%v, %v) = %d instead of %d", test.v, test.w, got, test.want)
		}
	}
}

// FuzzKernels reads all vectors from one string of bytes.
func FuzzKernels(f *testing.F) {
	f.Add([]byte("vectors of sixteen numbers each are read from these bytes, again and again until there are enough"), int16(255))
	f.Add([]byte{0x80, 0, 0x7f, 0xff, 0xff, 0xff}, int16(127))
	f.Fuzz(func(t *testing.T, data []byte, limit int16) {
		if len(data) < 2 {
			return
		}
		width := 16 * (1 + len(data)/160)
		at := 0
		next := func() int16 {
			hi, lo := data[at%len(data)], data[(at+1)%len(data)]
			at += 2
			return int16(hi)<<8 | int16(lo)
		}
		var s [5][]int16
		for i := range s {
			s[i] = make([]int16, width)
			for j := range s[i] {
				s[i][j] = next()
			}
		}
		for _, kernel := range rowKernels {
			dst := make([]int16, width)
			kernel.run(dst, s[:])
			for i := range dst {
				var sum int64
				for j, sign := range kernel.sign {
					sum += sign * int64(s[j][i])
				}
				if dst[i] != int16(sum) {
					t.Fatalf("%s: element %d is %d instead of %d", kernel.name, i, dst[i], int16(sum))
				}
			}
		}
		limit &= 255
		w := s[1]
		for i := range w {
			w[i] %= 128
		}
		if got, want := SCReLUDot(s[0], w, limit), screluDot(s[0], w, limit); got != want {
			t.Fatalf("SCReLUDot: %d instead of %d", got, want)
		}
	})
}

func BenchmarkRowKernels(b *testing.B) {
	for _, kernel := range rowKernels {
		for _, width := range []int{16, 64, 128, 256, 512, 1024} {
			b.Run(fmt.Sprintf("%s/%d", kernel.name, width), func(b *testing.B) {
				r := rand.New(rand.NewPCG(4, 0))
				dst := make([]int16, width)
				sources := make([][]int16, len(kernel.sign))
				for i := range sources {
					sources[i] = fill(r, width, inputs[0].next)
				}
				for b.Loop() {
					kernel.run(dst, sources)
				}
			})
		}
	}
}

func BenchmarkSCReLUDot(b *testing.B) {
	for _, width := range []int{16, 64, 128, 256, 512, 1024} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 0))
			v := fill(r, width, inputs[4].next)
			w := fill(r, width, func(r *rand.Rand) int16 { return int16(r.IntN(255) - 127) })
			for b.Loop() {
				SCReLUDot(v, w, 255)
			}
		})
	}
}
