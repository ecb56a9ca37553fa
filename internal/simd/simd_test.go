package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// widths are those of small and of usual larger networks, with every remainder
// of the blocks that vector versions process.
var widths = []int{16, 32, 48, 64, 80, 96, 112, 128, 208, 256, 320, 336, 384, 512, 768, 1024}

// eachLevel runs test with every level that this machine supports.
func eachLevel(t *testing.T, test func(t *testing.T)) {
	t.Cleanup(func() { use(level) })
	for _, level := range supported() {
		use(level)
		t.Run(level, test)
	}
}

// mustPanic expects run to panic.
func mustPanic(t *testing.T, name string, run func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	run()
}

// inputs are distributions of the elements of a vector.
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

// rowKernel is a kernel that adds rows of weights to pairs and subtracts others. The rows
// of table are adjacent and as long as dst: a row of the first half followed by one of
// the second.
type rowKernel struct {
	name string
	sign []int64 // factors of the rows of table
	run  func(dst, src, table []int16)
}

var rowKernels = []rowKernel{
	{"AddSubPair", []int64{1, -1}, func(dst, src, table []int16) {
		n := len(dst) / 2
		AddSubPair(dst, src, table, 0, 2*n, n, 3*n)
	}},
	{"AddSubSubPair", []int64{1, -1, -1}, func(dst, src, table []int16) {
		n := len(dst) / 2
		AddSubSubPair(dst, src, table, 0, 2*n, 4*n, n, 3*n, 5*n)
	}},
}

// vectorAt returns n elements that start at an odd multiple of eight bytes.
func vectorAt(r *rand.Rand, n int, next func(*rand.Rand) int16) []int16 {
	return fill(r, n+4, next)[4:]
}

// settle halves rows of table until the sums of setSums fit 16 bits. Partial
// sums may not.
func settle(src, table []int16, sign []int64) {
	for i := range src {
		for {
			sum := int64(src[i])
			for j, sign := range sign {
				sum += sign * int64(table[j*len(src)+i])
			}
			if sum == int64(int16(sum)) {
				break
			}
			for j := range sign {
				table[j*len(src)+i] /= 2
			}
		}
	}
}

// TestRowKernels compares each kernel with exact sums, and checks that sources
// and the memory around dst are not changed.
func TestRowKernels(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range rowKernels {
			for _, input := range inputs {
				for _, width := range widths {
					testRowKernel(t, &kernel, input.name, width, input.next)
				}
			}
		}
	})
}

func testRowKernel(t *testing.T, kernel *rowKernel, input string, width int, next func(*rand.Rand) int16) {
	t.Helper()
	const guard = 20
	name, n := kernel.name+", "+input, 2*width
	r := rand.New(rand.NewPCG(1, uint64(n)))
	src, table := vectorAt(r, n, next), vectorAt(r, n*len(kernel.sign), next)
	settle(src, table, kernel.sign)
	srcCopy, tableCopy := slices.Clone(src), slices.Clone(table)
	buffer := fill(r, guard+n+guard, inputs[0].next)
	want := slices.Clone(buffer)
	setSums(want[guard:guard+n], src, table, kernel.sign)
	kernel.run(buffer[guard:guard+n], src, table)
	if i := firstDifference(buffer, want); i >= 0 {
		t.Errorf("%s, length %d: element %d is %d instead of %d", name, n, i-guard, buffer[i], want[i])
	}
	if !slices.Equal(src, srcCopy) || !slices.Equal(table, tableCopy) {
		t.Errorf("%s, length %d: a source was overwritten", name, n)
	}
}

// setSums is the reference of the row kernels.
func setSums(dst, src, table []int16, sign []int64) {
	for i := range dst {
		sum := int64(src[i])
		for j, sign := range sign {
			sum += sign * int64(table[j*len(dst)+i])
		}
		dst[i] = int16(sum)
	}
}

// TestInPlace tests the kernels with dst as the first source.
func TestInPlace(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, kernel := range rowKernels {
			r := rand.New(rand.NewPCG(2, 0))
			src, table := fill(r, 96, inputs[0].next), fill(r, 4*96, inputs[0].next)
			settle(src, table, kernel.sign)
			want := make([]int16, 96)
			kernel.run(want, src, table)
			kernel.run(src, src, table)
			if !slices.Equal(src, want) {
				t.Errorf("%s gives different results in place", kernel.name)
			}
		}
	})
}

// TestAddSubRows tests lists of rows in random order.
func TestAddSubRows(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, input := range inputs {
			for _, width := range widths {
				for _, lengths := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {2, 3}, {32, 0}, {17, 32}} {
					for _, inPlace := range []bool{false, true} {
						testAddSubRows(t, input.name, width, lengths, inPlace, input.next)
					}
				}
			}
		}
	})
}

func testAddSubRows(
	t *testing.T, input string, width int, lengths [2]int, inPlace bool, next func(*rand.Rand) int16,
) {
	t.Helper()
	const guard = 20
	r := rand.New(rand.NewPCG(uint64(lengths[0]), uint64(lengths[1])))
	add, sub, sign := someRowsToAdd(r, width, lengths)
	buffer := fill(r, guard+width+guard, next)
	table, src := vectorAt(r, len(sign)*width, next), vectorAt(r, width, next)
	dst := buffer[guard : guard+width]
	settle(src, table, sign)
	if inPlace {
		copy(dst, src)
		src = dst
	}
	want := slices.Clone(buffer)
	setSums(want[guard:guard+width], src, table, sign)
	AddSubRows(dst, src, table, add, sub)
	if i := firstDifference(buffer, want); i >= 0 {
		t.Errorf("%s, width %d, lists %d, in place %t: element %d is %d instead of %d",
			input, width, lengths, inPlace, i-guard, buffer[i], want[i])
	}
}

// someRowsToAdd returns lists of adjacent rows in random order, and their
// factors for setSums.
func someRowsToAdd(r *rand.Rand, width int, lengths [2]int) (add, sub []int32, sign []int64) {
	for i := range lengths[0] {
		add = append(add, int32(i*width))
		sign = append(sign, 1)
	}
	for i := range lengths[1] {
		sub = append(sub, int32((lengths[0]+i)*width))
		sign = append(sign, -1)
	}
	r.Shuffle(len(add), func(i, j int) { add[i], add[j] = add[j], add[i] })
	r.Shuffle(len(sub), func(i, j int) { sub[i], sub[j] = sub[j], sub[i] })
	return add, sub, sign
}

// TestRowOutside expects panics for rows outside the table.
func TestRowOutside(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, lists := range [][2][]int32{{{-1}, nil}, {nil, {33}}, {{0, 1 << 30}, nil}} {
			mustPanic(t, fmt.Sprintf("lists %d", lists), func() {
				AddSubRows(make([]int16, 32), make([]int16, 32), make([]int16, 64), lists[0], lists[1])
			})
		}
	})
}

// TestLength expects panics for lengths that are not multiples of 16.
func TestLength(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		odd := make([]int16, 20)
		for name, run := range map[string]func(){
			"AddSubPair": func() { AddSubPair(odd, odd, odd, 0, 0, 0, 0) },
			"AddSubRows": func() { AddSubRows(odd, odd, odd, nil, nil) },
			"SCReLUDot":  func() { SCReLUDot(odd, odd, make([]int16, 40)) },
		} {
			mustPanic(t, name, run)
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

// exactDot is the reference of SCReLUDot, truncated to 32 bits at the end.
func exactDot(a, b, w []int16) int32 {
	var sum int64
	for i, v := range slices.Concat(a, b) {
		x := int64(min(max(v, 0), 255))
		sum += x * x * int64(w[i])
	}
	return int32(sum)
}

// TestSCReLUDot tests weights up to ±127, with which the sum can exceed 32 bits at large widths.
func TestSCReLUDot(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, input := range inputs {
			for _, weight := range weightInputs {
				for _, width := range widths {
					r := rand.New(rand.NewPCG(3, uint64(width)))
					a, b := vectorAt(r, width, input.next), vectorAt(r, width, input.next)
					w := vectorAt(r, 2*width, func(r *rand.Rand) int16 { return int16(weight.next(r, 127)) })
					if got, want := SCReLUDot(a, b, w), exactDot(a, b, w); got != want {
						t.Errorf("%s values, %s weights, width %d: %d instead of %d",
							input.name, weight.name, width, got, want)
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
			{
				[16]int16{-1, 0, 1, 2, 254, 255, 256, 32767, -32768}, [16]int16{127, 127, 127, -3, 1, 1, 1, -1, 127},
				127 - 12 + 254*254 + 255*255,
			},
			{[16]int16{15: 300}, [16]int16{15: -127}, -127 * 255 * 255},
		} {
			var zero [16]int16
			for _, got := range []int32{
				SCReLUDot(test.v[:], zero[:], slices.Concat(test.w[:], test.v[:])),
				SCReLUDot(zero[:], test.v[:], slices.Concat(test.v[:], test.w[:])),
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
		{
			"avx512", "generic",
			"SKEIN_SIMD=avx512: not supported by this processor and build, which have: generic, avx2",
		},
		{"neon", "generic", "not supported"},
		{"AVX2", "generic", `SKEIN_SIMD="AVX2" is not one of generic, avx2, avx512, neon`},
	} {
		got, err := choose(test.asked, have)
		if got != test.want || (err == nil) != (test.err == "") ||
			err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("asked for %q: %s, error %v", test.asked, got, err)
		}
	}
}

// FuzzKernels compares the kernels with the references for vectors from
// arbitrary bytes.
func FuzzKernels(f *testing.F) {
	f.Add([]byte("vectors of sixteen numbers each are read from these bytes, again and again until there are enough"))
	f.Add([]byte{0x80, 0, 0x7f, 0xff, 0xff, 0xff})
	f.Cleanup(func() { use(level) })
	f.Fuzz(func(t *testing.T, data []byte) {
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
		src := fill(nil, 2*width, next)
		for _, kernel := range rowKernels {
			table := fill(nil, 4*2*width, next)
			settle(src, table, kernel.sign)
			want := make([]int16, 2*width)
			setSums(want, src, table, kernel.sign)
			eachKernelLevel(func(level string) {
				got := make([]int16, 2*width)
				kernel.run(got, src, table)
				if i := firstDifference(got, want); i >= 0 {
					t.Fatalf("%s, %s: element %d is %d instead of %d", level, kernel.name, i, got[i], want[i])
				}
			})
		}
		lengths := [2]int{int(data[0] % 8), int(data[1] % 8)}
		add, sub, sign := someRowsToAdd(rand.New(rand.NewPCG(0, 0)), 2*width, lengths)
		table, w := fill(nil, 16*2*width, next), fill(nil, 2*width, next)
		settle(src, table, sign)
		want := make([]int16, 2*width)
		setSums(want, src, table, sign)
		for i := range w {
			w[i] %= 128
		}
		eachKernelLevel(func(level string) {
			got := slices.Clone(src)
			AddSubRows(got, got, table, add, sub)
			if i := firstDifference(got, want); i >= 0 {
				t.Fatalf("%s, AddSubRows: element %d is %d instead of %d", level, i, got[i], want[i])
			}
			if got, want := SCReLUDot(src[:width], src[width:], w), exactDot(src[:width], src[width:], w); got != want {
				t.Fatalf("%s, SCReLUDot: %d instead of %d", level, got, want)
			}
		})
	})
}

func eachKernelLevel(run func(level string)) {
	for _, level := range supported() {
		use(level)
		run(level)
	}
}

var benchWidths = []int{16, 64, 128, 256, 320, 512, 768, 1024}

// benchmark measures run at every level and for every width for which prepare
// returns one.
func benchmark(b *testing.B, name string, prepare func(r *rand.Rand, width int) (run func())) {
	b.Cleanup(func() { use(level) })
	for _, level := range supported() {
		use(level)
		for _, width := range benchWidths {
			run := prepare(rand.New(rand.NewPCG(4, 0)), width)
			if run == nil {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d/%s", name, width, level), func(b *testing.B) {
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// BenchmarkAddSubPair, and the next, call the kernel as directly as the twin in C.
func BenchmarkAddSubPair(b *testing.B) {
	benchmark(b, "AddSubPair", func(r *rand.Rand, width int) func() {
		dst, src, table := pairs(r, width)
		return func() { AddSubPair(dst, src, table, 0, 2*width, width, 3*width) }
	})
}

func BenchmarkAddSubSubPair(b *testing.B) {
	benchmark(b, "AddSubSubPair", func(r *rand.Rand, width int) func() {
		dst, src, table := pairs(r, width)
		return func() { AddSubSubPair(dst, src, table, 0, 2*width, 4*width, width, 3*width, 5*width) }
	})
}

// pairs returns two pairs and a table of eight rows.
func pairs(r *rand.Rand, width int) (dst, src, table []int16) {
	return make([]int16, 2*width), fill(r, 2*width, inputs[0].next), fill(r, 8*width, inputs[0].next)
}

// BenchmarkAddSubRows measures a refresh from 24 rows.
func BenchmarkAddSubRows(b *testing.B) {
	benchmark(b, "AddSubRows", func(r *rand.Rand, width int) func() {
		dst, table := make([]int16, width), fill(r, 64*width, inputs[0].next)
		var add []int32
		for range 24 {
			add = append(add, int32(r.IntN(64)*width))
		}
		return func() { AddSubRows(dst, dst, table, add, nil) }
	})
}

func BenchmarkSCReLUDot(b *testing.B) {
	benchmark(b, "SCReLUDot", func(r *rand.Rand, width int) func() {
		v := fill(r, 2*width, inputs[4].next)
		w := fill(r, 2*width, func(r *rand.Rand) int16 { return int16(r.IntN(255) - 127) })
		return func() { SCReLUDot(v[:width], v[width:], w) }
	})
}

// BenchmarkScalar measures Go code that processes one element at a time, for
// comparison with the generic kernels.
func BenchmarkScalar(b *testing.B) {
	for _, width := range benchWidths {
		r := rand.New(rand.NewPCG(4, 0))
		dst, src, table := make([]int16, 2*width), fill(r, 2*width, inputs[4].next), fill(r, 4*width, inputs[0].next)
		w := fill(r, 2*width, func(r *rand.Rand) int16 { return int16(r.IntN(255) - 127) })
		b.Run(fmt.Sprintf("AddSubPair/%d/scalar", width), func(b *testing.B) {
			for b.Loop() {
				addSubScalar(dst[:width], src[:width], table[:width], table[width:])
				addSubScalar(dst[width:], src[width:], table[2*width:], table[3*width:])
			}
		})
		b.Run(fmt.Sprintf("SCReLUDot/%d/scalar", width), func(b *testing.B) {
			for b.Loop() {
				screluDotScalar(src[:width], w[:width])
				screluDotScalar(src[width:], w[width:])
			}
		})
	}
}

//go:noinline
func addSubScalar(dst, src, add, sub []int16) {
	n := len(dst)
	src, add, sub = src[:n], add[:n], sub[:n]
	for i := range dst {
		dst[i] = src[i] + add[i] - sub[i]
	}
}

//go:noinline
func screluDotScalar(v, w []int16) (sum int32) {
	w = w[:len(v)]
	for i, x := range v {
		x = min(max(x, 0), Clip)
		sum += int32(x*w[i]) * int32(x)
	}
	return sum
}
