package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// floats returns n normally distributed values around zero, including the
// limits of clipping.
func floats(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		if v[i] = float32(r.NormFloat64()); r.IntN(8) == 0 {
			v[i] = float32(r.IntN(3) - 1)
		}
	}
	return v
}

// sameFloats fails the test unless got agrees with want within the rounding of
// values of the given scale.
func sameFloats(t *testing.T, name string, got []float32, want []float64, scale float64) {
	t.Helper()
	const tolerance = 1e-6
	for i, x := range got {
		if !(math.Abs(float64(x)-want[i]) <= tolerance*scale) {
			t.Fatalf("%s, %d elements: element %d is %g instead of %g", name, len(got), i, x, want[i])
		}
	}
}

// eachFloatWidth runs test at every level and width.
func eachFloatWidth(t *testing.T, test func(t *testing.T, r *rand.Rand, n int)) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range append([]int{0}, widths...) {
			test(t, rand.New(rand.NewPCG(uint64(n), 7)), n)
		}
	})
}

// someRows returns a table of 100 rows of n elements and up to 40 rows that
// start anywhere in it, including the last one.
func someRows(r *rand.Rand, n int) (table []float32, rows []int32) {
	table = floats(r, 100*n+1)
	for range r.IntN(40) {
		rows = append(rows, int32(r.IntN(99*n+2)))
	}
	return table, append(rows, int32(99*n+1))
}

func TestSumRowsFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		table, rows := someRows(r, n)
		bias, dst := floats(r, n), floats(r, n+17)
		guard := slices.Clone(dst[n:])
		want := make([]float64, n)
		for i := range want {
			want[i] = float64(bias[i])
			for _, row := range rows {
				want[i] += float64(table[int(row)+i])
			}
		}
		SumRowsFloat(dst[:n], bias, table, rows)
		sameFloats(t, "SumRowsFloat", dst[:n], want, 40)
		if !slices.Equal(dst[n:], guard) {
			t.Fatalf("SumRowsFloat, %d elements: wrote after the end", n)
		}
		SumRowsFloat(dst[:n], bias, table, nil)
		if !slices.Equal(dst[:n], bias) {
			t.Fatalf("SumRowsFloat, %d elements: without rows it is not the bias", n)
		}
	})
}

func TestAddToRowsFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		table, rows := someRows(r, n)
		rows = append(rows, rows[0]) // one row twice
		src := floats(r, n)
		want := make([]float64, len(table))
		for i, x := range table {
			want[i] = float64(x)
		}
		for _, row := range rows {
			for i, x := range src {
				want[int(row)+i] += float64(x)
			}
		}
		AddToRowsFloat(table, src, rows)
		sameFloats(t, "AddToRowsFloat", table, want, 40)
	})
}

func TestSCReLUFloat(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		v, w, dv, dw := floats(r, n), floats(r, n), floats(r, n), floats(r, n)
		g := float32(r.NormFloat64())
		var dot float64
		wantV, wantW := make([]float64, n), make([]float64, n)
		for i := range v {
			x := float64(v[i])
			c := min(max(x, 0), 1)
			dot += c * c * float64(w[i])
			wantW[i] = float64(dw[i]) + float64(g)*c*c
			if 0 < x && x < 1 {
				wantV[i] = float64(g) * float64(w[i]) * 2 * x
			}
		}
		name := fmt.Sprintf("SCReLUDotFloat of %d", n)
		sameFloats(t, name, []float32{SCReLUDotFloat(v, w)}, []float64{dot}, float64(10+n/4))
		SCReLUBackFloat(dv, dw, v, w, g)
		sameFloats(t, "SCReLUBackFloat, dv", dv, wantV, 10)
		sameFloats(t, "SCReLUBackFloat, dw", dw, wantW, 10)
	})
}

// TestFloatKeepsNaN checks that clipping preserves NaN.
func TestFloatKeepsNaN(t *testing.T) {
	nan := float32(math.NaN())
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		if n == 0 {
			return
		}
		v, w, p := floats(r, n), floats(r, n), floats(r, n)
		i := r.IntN(n)
		v[i], p[i] = nan, nan
		if x := SCReLUDotFloat(v, w); x == x {
			t.Fatalf("SCReLUDotFloat, %d elements: %g", n, x)
		}
		AdamW(p, floats(r, n), make([]float32, n), nil, &AdamWStep{Rate: 1, Epsilon: 1, Max: 1})
		if p[i] == p[i] {
			t.Fatalf("AdamW, %d elements: %g", n, p[i])
		}
	})
}

func TestAdamW(t *testing.T) {
	eachFloatWidth(t, func(t *testing.T, r *rand.Rand, n int) {
		s := AdamWStep{
			Rate: 0.01, Beta1: 0.9, Beta2: 0.99, Correct1: 2.5, Correct2: 12, Epsilon: 1e-3, Decay: 0.1, Max: 1.5,
		}
		p, m, v := floats(r, n), floats(r, n), floats(r, n)
		for i := range v {
			v[i] *= v[i]
		}
		grads := make([][]float32, r.IntN(4))
		for i := range grads {
			grads[i] = floats(r, n+i)
		}
		wantP, wantM, wantV := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range p {
			var g float64
			for _, grad := range grads {
				g += float64(grad[i])
			}
			wantM[i] = 0.9*float64(m[i]) + 0.1*g
			wantV[i] = 0.99*float64(v[i]) + 0.01*g*g
			x := float64(p[i])
			x -= 0.01 * (wantM[i]*2.5/(math.Sqrt(wantV[i]*12)+1e-3) + 0.1*x)
			wantP[i] = min(max(x, -1.5), 1.5)
		}
		AdamW(p, m, v, grads, &s)
		sameFloats(t, "AdamW, p", p, wantP, 4)
		sameFloats(t, "AdamW, m", m, wantM, 8)
		sameFloats(t, "AdamW, v", v, wantV, 20)
		for k, grad := range grads {
			for i, x := range grad[:n] {
				if x != 0 {
					t.Fatalf("AdamW, %d elements: gradient %d has %g at %d", n, k, x, i)
				}
			}
		}
	})
}

// TestFloatChecksLengths expects panics for slices that are too short.
func TestFloatChecksLengths(t *testing.T) {
	v, short := make([]float32, 64), make([]float32, 63)
	for name, run := range map[string]func(){
		"SumRowsFloat, bias":   func() { SumRowsFloat(v, short, v, nil) },
		"SumRowsFloat, row":    func() { SumRowsFloat(v, v, v, []int32{1}) },
		"SumRowsFloat, before": func() { SumRowsFloat(v, v, v, []int32{-1}) },
		"AddToRowsFloat":       func() { AddToRowsFloat(v, v, []int32{0, 1}) },
		"SCReLUDotFloat":       func() { SCReLUDotFloat(v, short[:0:10]) },
		"SCReLUBackFloat":      func() { SCReLUBackFloat(v, short, v, v, 1) },
		"AdamW, moment":        func() { AdamW(v, v, short, nil, &AdamWStep{}) },
		"AdamW, gradient":      func() { AdamW(v, v, v, [][]float32{v, short}, &AdamWStep{}) },
	} {
		mustPanic(t, name, run)
	}
}

// BenchmarkFloat measures the training on one position: 30 rows forward and
// backward, and a step of the optimizer for as many parameters as the rows of
// one square have.
func BenchmarkFloat(b *testing.B) {
	benchmark(b, "SumRowsFloat", func(r *rand.Rand, width int) func() {
		table, rows := benchRows(r, width)
		dst, bias := floats(r, width), floats(r, width)
		return func() { SumRowsFloat(dst, bias, table, rows) }
	})
	benchmark(b, "AddToRowsFloat", func(r *rand.Rand, width int) func() {
		table, rows := benchRows(r, width)
		src := make([]float32, width)
		return func() { AddToRowsFloat(table, src, rows) }
	})
	benchmark(b, "SCReLUDotFloat", func(r *rand.Rand, width int) func() {
		v, w := floats(r, width), floats(r, width)
		return func() { SCReLUDotFloat(v, w) }
	})
	benchmark(b, "SCReLUBackFloat", func(r *rand.Rand, width int) func() {
		v, w, dv, dw := floats(r, width), floats(r, width), floats(r, width), floats(r, width)
		return func() { SCReLUBackFloat(dv, dw, v, w, 0) }
	})
	benchmark(b, "AdamW", func(r *rand.Rand, width int) func() {
		p, m, v := floats(r, 12*width), floats(r, 12*width), make([]float32, 12*width)
		grads := [][]float32{floats(r, len(p)), floats(r, len(p))}
		s := AdamWStep{
			Rate: 1e-3, Beta1: 0.9, Beta2: 0.999, Correct1: 1, Correct2: 1, Epsilon: 1e-8, Decay: 0.01, Max: 2,
		}
		return func() { AdamW(p, m, v, grads, &s) }
	})
}

// benchRows returns 30 rows of a table of 768.
func benchRows(r *rand.Rand, width int) (table []float32, rows []int32) {
	for range 30 {
		rows = append(rows, int32(r.IntN(768)*width))
	}
	return floats(r, 768*width), rows
}
