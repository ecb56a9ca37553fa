package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// widths are those of every small network and of usual larger ones, with every
// remainder of the blocks that vector versions take. One is not a multiple of
// 16.
var widths = []int{7, 16, 32, 48, 64, 80, 96, 112, 128, 208, 256, 336, 384, 512, 768, 1024}

// eachLevel runs test with every implementation that this machine has.
func eachLevel(t *testing.T, test func(t *testing.T)) {
	t.Cleanup(func() { use(level) })
	for _, level := range supported() {
		use(level)
		t.Run(level, test)
	}
}

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
// what becomes of src and of the rows of table, which lie one behind the other
// and are as long as dst.
var rowKernels = []struct {
	name string
	sign []int64
	run  func(dst, src, table []int16)
}{
	{"AddSub", []int64{1, 1, -1}, func(dst, src, table []int16) { AddSub(dst, src, table, 0, len(dst)) }},
	{"AddSubSub", []int64{1, 1, -1, -1}, func(dst, src, table []int16) {
		n := len(dst)
		AddSubSub(dst, src, table, 0, n, 2*n)
	}},
	{"AddAddSubSub", []int64{1, 1, 1, -1, -1}, func(dst, src, table []int16) {
		n := len(dst)
		AddAddSubSub(dst, src, table, 0, n, 2*n, 3*n)
	}},
}

// pairKernels are the kernels of pairs. Here each row of table is one of the
// first half and one of the second.
var pairKernels = []struct {
	name string
	sign []int64
	run  func(dst, src, table []int16)
}{
	{"AddSubPair", []int64{1, 1, -1}, func(dst, src, table []int16) {
		n := len(dst) / 2
		AddSubPair(dst, src, table, 0, 2*n, n, 3*n)
	}},
	{"AddSubSubPair", []int64{1, 1, -1, -1}, func(dst, src, table []int16) {
		n := len(dst) / 2
		AddSubSubPair(dst, src, table, 0, 2*n, 4*n, n, 3*n, 5*n)
	}},
}

// vectorAt returns n elements that lie at an odd multiple of two bytes.
func vectorAt(r *rand.Rand, n int, next func(*rand.Rand) int16) []int16 {
	return fill(r, n+1, next)[1:]
}

// TestRowKernels compares each kernel with exact sums cut to 16 bits, and sees
// that sources and the surroundings of dst stay as they are.
func TestRowKernels(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range rowKernels {
			for _, input := range inputs {
				for _, width := range widths {
					testRowKernel(t, kernel.name+", "+input.name, kernel.sign, width, input.next, kernel.run)
				}
			}
		}
	})
}

// testRowKernel runs a kernel on n elements.
func testRowKernel(t *testing.T, name string, sign []int64, n int, next func(*rand.Rand) int16, run func(dst, src, table []int16)) {
	t.Helper()
	const guard = 17
	r := rand.New(rand.NewPCG(1, uint64(n)))
	src, table := vectorAt(r, n, next), vectorAt(r, n*(len(sign)-1), next)
	srcCopy, tableCopy := slices.Clone(src), slices.Clone(table)
	buffer := fill(r, guard+n+guard, inputs[0].next)
	want := slices.Clone(buffer)
	setSums(want[guard:guard+n], src, table, sign)
	run(buffer[guard:guard+n], src, table)
	if i := firstDifference(buffer, want); i >= 0 {
		t.Errorf("%s, length %d: element %d is %d instead of %d", name, n, i-guard, buffer[i], want[i])
	}
	if !slices.Equal(src, srcCopy) || !slices.Equal(table, tableCopy) {
		t.Errorf("%s, length %d: a source was overwritten", name, n)
	}
}

// setSums is the definition of the row kernels.
func setSums(dst, src, table []int16, sign []int64) {
	for i := range dst {
		sum := int64(src[i])
		for j, sign := range sign[1:] {
			sum += sign * int64(table[j*len(dst)+i])
		}
		dst[i] = int16(sum)
	}
}

func TestPairKernels(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range pairKernels {
			for _, input := range inputs {
				for _, width := range widths {
					testRowKernel(t, kernel.name+", "+input.name, kernel.sign, 2*width, input.next, kernel.run)
				}
			}
		}
	})
}

// TestInPlace lets dst be the first source.
func TestInPlace(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range slices.Concat(rowKernels, pairKernels) {
			r := rand.New(rand.NewPCG(2, 0))
			src, table := fill(r, 96, inputs[0].next), fill(r, 4*96, inputs[0].next)
			want := make([]int16, 96)
			kernel.run(want, src, table)
			kernel.run(src, src, table)
			if !slices.Equal(src, want) {
				t.Errorf("%s gives something else in place", kernel.name)
			}
		}
	})
}

// TestAddSubRows takes lists of rows that begin at any element of a table.
func TestAddSubRows(t *testing.T) {
	const guard = 17
	eachLevel(t, func(t *testing.T) {
		for _, input := range inputs {
			for _, width := range widths {
				for _, lengths := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {2, 3}, {32, 0}, {17, 32}} {
					r := rand.New(rand.NewPCG(uint64(lengths[0]), uint64(lengths[1])))
					table := vectorAt(r, 12*width, input.next)
					add, sub := offsets(r, lengths[0], len(table)-width), offsets(r, lengths[1], len(table)-width)
					buffer := fill(r, guard+width+guard, input.next)
					want := slices.Clone(buffer)
					for i := range width {
						for _, offset := range add {
							want[guard+i] += table[int(offset)+i]
						}
						for _, offset := range sub {
							want[guard+i] -= table[int(offset)+i]
						}
					}
					AddSubRows(buffer[guard:guard+width], table, add, sub)
					if i := firstDifference(buffer, want); i >= 0 {
						t.Errorf("%s, width %d, lists %d: element %d is %d instead of %d", input.name, width, lengths, i-guard, buffer[i], want[i])
					}
				}
			}
		}
	})
}

// offsets returns n numbers from 0 to last, which is among them.
func offsets(r *rand.Rand, n, last int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(r.IntN(last + 1))
	}
	if n > 0 {
		list[n-1] = int32(last)
	}
	return list
}

// TestRowOutside sees that no row beyond the table is read.
func TestRowOutside(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, lists := range [][2][]int32{{{-1}, nil}, {nil, {33}}, {{0, 1 << 30}, nil}} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("no panic with lists %d", lists)
					}
				}()
				AddSubRows(make([]int16, 32), make([]int16, 64), lists[0], lists[1])
			}()
		}
	})
}

func firstDifference(a, b []int16) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// exactDot is the definition of SCReLUDot, cut to 32 bits at the very end.
func exactDot(a, b, w []int16, limit int16) int32 {
	var sum int64
	for i, v := range slices.Concat(a, b) {
		x := int64(min(max(v, 0), limit))
		sum += x * x * int64(w[i])
	}
	return int32(sum)
}

// TestSCReLUDot covers the promised range, limit up to 255 and weights up to
// ±127, where at large widths the sum can leave 32 bits.
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
	eachLevel(t, func(t *testing.T) {
		for _, input := range inputs {
			for _, weight := range weights {
				for _, width := range widths {
					for _, limit := range []int16{0, 1, 127, 255} {
						r := rand.New(rand.NewPCG(3, uint64(width)))
						a, b, w := vectorAt(r, width, input.next), vectorAt(r, width, input.next), vectorAt(r, 2*width, weight.next)
						if got, want := SCReLUDot(a, b, w, limit), exactDot(a, b, w, limit); got != want {
							t.Errorf("%s values, %s weights, width %d, limit %d: %d instead of %d", input.name, weight.name, width, limit, got, want)
						}
					}
				}
			}
		}
	})
}

func TestSCReLUDotByHand(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, test := range []struct {
			v, w [16]int16
			want int32
		}{
			{[16]int16{-1, 0, 1, 2, 254, 255, 256, 32767, -32768}, [16]int16{127, 127, 127, -3, 1, 1, 1, -1, 127}, 127 - 12 + 254*254 + 255*255},
			{[16]int16{15: 300}, [16]int16{15: -127}, -127 * 255 * 255},
		} {
			var zero [16]int16
			for _, got := range []int32{
				SCReLUDot(test.v[:], zero[:], slices.Concat(test.w[:], test.v[:]), 255),
				SCReLUDot(zero[:], test.v[:], slices.Concat(test.v[:], test.w[:]), 255),
			} {
				if got != test.want {
					t.Errorf("SCReLUDot of %v and %v is %d instead of %d", test.v, test.w, got, test.want)
				}
			}
		}
	})
}

func TestChoose(t *testing.T) {
	have := []string{"generic", "avx2"}
	for _, test := range []struct{ asked, want, err string }{
		{"", "avx2", ""},
		{"avx2", "avx2", ""},
		{"generic", "generic", ""},
		{"avx512", "generic", "SKEIN_SIMD=avx512: not supported by this processor and build, which have: generic, avx2"},
		{"neon", "generic", "not supported"},
		{"AVX2", "generic", `SKEIN_SIMD="AVX2" is none of generic, avx2, avx512, neon`},
	} {
		got, err := choose(test.asked, have)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("asked for %q: %s, error %v", test.asked, got, err)
		}
	}
}

// FuzzKernels reads all vectors from one string of bytes.
func FuzzKernels(f *testing.F) {
	f.Add([]byte("vectors of sixteen numbers each are read from these bytes, again and again until there are enough"), int16(255))
	f.Add([]byte{0x80, 0, 0x7f, 0xff, 0xff, 0xff}, int16(127))
	f.Cleanup(func() { use(level) })
	f.Fuzz(func(t *testing.T, data []byte, limit int16) {
		if len(data) < 2 {
			return
		}
		width := 16 * (1 + len(data)/160)
		at := 0
		next := func(*rand.Rand) int16 {
			hi, lo := data[at%len(data)], data[(at+1)%len(data)]
			at += 2
			return int16(hi)<<8 | int16(lo)
		}
		var s [5][]int16
		for i := range s {
			s[i] = fill(nil, 2*width, next)
		}
		table := slices.Concat(s[1:]...)
		w := slices.Clone(s[1])
		for i := range w {
			w[i] %= 128
		}
		limit &= 255
		var add, sub []int32
		for range data[0] % 8 {
			add = append(add, int32(uint16(next(nil)))%int32(width+1))
			sub = append(sub, int32(uint16(next(nil)))%int32(width+1))
		}
		rows := slices.Clone(s[0][:width])
		addSubRowsGeneric(rows, s[1], add, sub)
		for _, level := range supported() {
			use(level)
			for _, kernel := range slices.Concat(rowKernels, pairKernels) {
				got, want := make([]int16, 2*width), make([]int16, 2*width)
				kernel.run(got, s[0], table)
				setSums(want, s[0], table, kernel.sign)
				if i := firstDifference(got, want); i >= 0 {
					t.Fatalf("%s, %s: element %d is %d instead of %d", level, kernel.name, i, got[i], want[i])
				}
			}
			got := slices.Clone(s[0][:width])
			AddSubRows(got, s[1], add, sub)
			if i := firstDifference(got, rows); i >= 0 {
				t.Fatalf("%s, AddSubRows: element %d is %d instead of %d", level, i, got[i], rows[i])
			}
			if got, want := SCReLUDot(s[0][:width], s[0][width:], w, limit), exactDot(s[0][:width], s[0][width:], w, limit); got != want {
				t.Fatalf("%s, SCReLUDot: %d instead of %d", level, got, want)
			}
		}
	})
}

var benchWidths = []int{16, 64, 128, 256, 512, 768, 1024}

// benchmark times run at every level and width.
func benchmark(b *testing.B, name string, prepare func(r *rand.Rand, width int) (run func())) {
	b.Cleanup(func() { use(level) })
	for _, level := range supported() {
		use(level)
		for _, width := range benchWidths {
			run := prepare(rand.New(rand.NewPCG(4, 0)), width)
			b.Run(fmt.Sprintf("%s/%d/%s", name, width, level), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}

func BenchmarkRowKernels(b *testing.B) {
	for _, kernel := range rowKernels {
		benchmark(b, kernel.name, func(r *rand.Rand, width int) func() {
			dst := make([]int16, width)
			src, table := fill(r, len(dst), inputs[0].next), fill(r, 4*len(dst), inputs[0].next)
			return func() { kernel.run(dst, src, table) }
		})
	}
}

func BenchmarkPairKernels(b *testing.B) {
	for _, kernel := range pairKernels {
		benchmark(b, kernel.name, func(r *rand.Rand, width int) func() {
			dst := make([]int16, 2*width)
			src, table := fill(r, len(dst), inputs[0].next), fill(r, 4*len(dst), inputs[0].next)
			return func() { kernel.run(dst, src, table) }
		})
	}
}

// BenchmarkAddSubRows times a refresh from 24 rows.
func BenchmarkAddSubRows(b *testing.B) {
	benchmark(b, "AddSubRows", func(r *rand.Rand, width int) func() {
		dst, table := make([]int16, width), fill(r, 64*width, inputs[0].next)
		var add []int32
		for range 24 {
			add = append(add, int32(r.IntN(64)*width))
		}
		return func() { AddSubRows(dst, table, add, nil) }
	})
}

func BenchmarkSCReLUDot(b *testing.B) {
	benchmark(b, "SCReLUDot", func(r *rand.Rand, width int) func() {
		v := fill(r, 2*width, inputs[4].next)
		w := fill(r, 2*width, func(r *rand.Rand) int16 { return int16(r.IntN(255) - 127) })
		return func() { SCReLUDot(v[:width], v[width:], w, 255) }
	})
}
