package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func clip(x float32) float64 { return min(max(float64(x), 0), 1) }

func TestPairsFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		v, g, dst := floats(r, 2*n), floats(r, n), floats(r, n+17)
		guard := slices.Clone(dst[n:])
		want, back := make([]float64, n), make([]float64, 2*n)
		for i := range want {
			want[i] = clip(v[i]) * clip(v[n+i])
			for _, pair := range [][2]int{{i, n + i}, {n + i, i}} {
				if x := v[pair[0]]; 0 < x && x < 1 {
					back[pair[0]] = float64(g[i]) * clip(v[pair[1]])
				}
			}
		}
		PairsFloat(dst[:n], v)
		sameFloats(t, "PairsFloat", dst[:n], want, 1)
		if !slices.Equal(dst[n:], guard) {
			t.Fatalf("PairsFloat, %d elements: wrote after the end", n)
		}
		PairsBackFloat(v, v, g)
		sameFloats(t, "PairsBackFloat", v, back, 4)
	})
}

// withZeros returns n values, of which a share is positive or negative zero.
func withZeros(r *rand.Rand, n int, zeros float64) []float32 {
	x := floats(r, n)
	for i := range x {
		if r.Float64() < zeros {
			x[i] = float32(math.Copysign(0, r.NormFloat64()))
		}
	}
	return x
}

func TestNonZeroFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		for _, zeros := range []float64{0, 0.1, 0.5, 0.9, 1} {
			x, list := withZeros(r, n, zeros), make([]int32, n+8)
			if n > 0 && zeros == 0.5 {
				x[r.IntN(n)] = float32(math.NaN())
			}
			var want []int32
			for i, v := range x {
				if v != 0 {
					want = append(want, int32(i))
				}
			}
			if got := NonZeroFloat(list, x); !slices.Equal(got, want) {
				t.Fatalf("NonZeroFloat, %d elements: %v instead of %v", n, got, want)
			}
			if slices.Max(list[n:]) != 0 {
				t.Fatalf("NonZeroFloat, %d elements: wrote after the end", n)
			}
		}
	})
}

func TestMulRowsFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		for _, inputs := range []int{1, 32, 67} {
			x, table, dtable := withZeros(r, inputs, 0.6), floats(r, inputs*n), floats(r, inputs*n)
			dst, g, dx := floats(r, n), floats(r, n), floats(r, inputs)
			list := NonZeroFloat(make([]int32, inputs), x)
			want, wantX, wantTable := make([]float64, n), make([]float64, inputs), make([]float64, inputs*n)
			for j := range want {
				want[j] = float64(dst[j])
			}
			for i := range inputs {
				if wantX[i] = float64(dx[i]); x[i] != 0 {
					wantX[i] = 0
				}
				for j := range n {
					k := i*n + j
					want[j] += float64(x[i]) * float64(table[k])
					wantTable[k] = float64(dtable[k]) + float64(x[i])*float64(g[j])
					if x[i] != 0 {
						wantX[i] += float64(g[j]) * float64(table[k])
					}
				}
			}
			MulRowsFloat(dst, x, table, list)
			sameFloats(t, fmt.Sprintf("MulRowsFloat of %d", inputs), dst, want, 40)
			MulRowsBackFloat(dx, dtable, g, x, table, list)
			sameFloats(t, fmt.Sprintf("MulRowsBackFloat of %d, dx", n), dx, wantX, float64(10+n/4))
			sameFloats(t, "MulRowsBackFloat, dtable", dtable, wantTable, 10)
		}
	})
}

// TestLayersCheckLengths expects panics for slices that are too short.
func TestLayersCheckLengths(t *testing.T) {
	v, short := make([]float32, 64), make([]float32, 63)[:63:63]
	for name, run := range map[string]func(){
		"PairsFloat":               func() { PairsFloat(v[:32], short) },
		"PairsBackFloat":           func() { PairsBackFloat(v, short, v[:32]) },
		"PairsBackFloat, out":      func() { PairsBackFloat(short, v, v[:32]) },
		"NonZeroFloat":             func() { NonZeroFloat(make([]int32, 63), v) },
		"MulRowsFloat, row":        func() { MulRowsFloat(v[:16], v, v, []int32{4}) },
		"MulRowsFloat, input":      func() { MulRowsFloat(v[:16], v[:3:3], v, []int32{3}) },
		"MulRowsFloat, before":     func() { MulRowsFloat(v[:16], v, v, []int32{-1}) },
		"MulRowsBackFloat, row":    func() { MulRowsBackFloat(v, v, v[:16], v, v, []int32{4}) },
		"MulRowsBackFloat, dx":     func() { MulRowsBackFloat(short, v, v[:16], v, v, nil) },
		"MulRowsBackFloat, dtable": func() { MulRowsBackFloat(v, short, v[:16], v, v, nil) },
	} {
		mustPanic(t, name, run)
	}
}

// TestPairsKeepNaN checks that clipping preserves NaN.
func TestPairsKeepNaN(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		if n == 0 {
			return
		}
		v, dst := floats(r, 2*n), make([]float32, n)
		i := r.IntN(n)
		v[i] = float32(math.NaN())
		if PairsFloat(dst, v); dst[i] == dst[i] {
			t.Fatalf("PairsFloat, %d elements: %g", n, dst[i])
		}
	})
}

// BenchmarkLayers measures the layers after the accumulators for one position,
// with a quarter of the products nonzero and 16 neurons in the first layer.
func BenchmarkLayers(b *testing.B) {
	benchmark(b, "PairsFloat", func(r *rand.Rand, width int) func() {
		v, dst := floats(r, width), make([]float32, width/2)
		return func() { PairsFloat(dst, v) }
	})
	benchmark(b, "PairsBackFloat", func(r *rand.Rand, width int) func() {
		v, dv, g := floats(r, width), make([]float32, width), floats(r, width/2)
		return func() { PairsBackFloat(dv, v, g) }
	})
	benchmark(b, "NonZeroFloat", func(r *rand.Rand, width int) func() {
		x, list := withZeros(r, width, 0.75), make([]int32, width)
		return func() { NonZeroFloat(list, x) }
	})
	benchmark(b, "MulRowsFloat", func(r *rand.Rand, width int) func() {
		x, table, dst := withZeros(r, width, 0.75), floats(r, 16*width), make([]float32, 16)
		list := NonZeroFloat(make([]int32, width), x)
		return func() { MulRowsFloat(dst, x, table, list) }
	})
	benchmark(b, "MulRowsBackFloat", func(r *rand.Rand, width int) func() {
		x, dx := withZeros(r, width, 0.75), make([]float32, width)
		table, dtable := floats(r, 16*width), floats(r, 16*width)
		g, list := make([]float32, 16), NonZeroFloat(make([]int32, width), x)
		return func() { MulRowsBackFloat(dx, dtable, g, x, table, list) }
	})
}
