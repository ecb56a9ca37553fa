package simd

import "math"

// AdamWStep is the settings of one step of AdamW.
//
// Source: I. Loshchilov, F. Hutter, "Decoupled Weight Decay Regularization",
// 2019.
type AdamWStep struct {
	Rate     float32 // learning rate
	Beta1    float32 // decay of the first moment, 0..1
	Beta2    float32 // decay of the second moment, 0..1
	Correct1 float32 // bias correction of the first moment, 1/(1-Beta1^t) in step t = 1, 2, ...
	Correct2 float32 // bias correction of the second moment, 1/(1-Beta2^t)
	Epsilon  float32 // added to the square root of the second moment
	Decay    float32 // weight decay per step, as a share of Rate
	Max      float32 // parameters are clipped to ±Max; may be +Inf
}

// vectorFloat reports whether the vector implementation can be used for n
// float32.
func vectorFloat(n int) bool { return useVector && n > 0 && n%step == 0 }

// SumRowsFloat sets dst[i] to bias[i] plus the sum of table[row+i] over rows.
func SumRowsFloat(dst, bias, table []float32, rows []int32) {
	n := len(dst)
	bias = bias[:n]
	checkRows(table, rows, n)
	if !vectorFloat(n) || len(table) == 0 {
		sumRowsFloatGeneric(dst, bias, table, rows)
		return
	}
	sumRowsFloatVector(&dst[0], &bias[0], n, &table[0], rows)
}

// AddToRowsFloat adds src to each of rows: table[row+i] += src[i], twice if a
// row is listed twice.
func AddToRowsFloat(table, src []float32, rows []int32) {
	n := len(src)
	checkRows(table, rows, n)
	if !vectorFloat(n) || len(table) == 0 {
		addToRowsFloatGeneric(table, src, rows)
		return
	}
	addToRowsFloatVector(&table[0], &src[0], n, rows)
}

// checkRows panics if one of rows, of n elements, is not within table.
func checkRows(table []float32, rows []int32, n int) {
	for _, row := range rows {
		_ = table[row:][:n]
	}
}

// SCReLUDotFloat returns the sum of clamp(v[i], 0, 1)² * w[i].
func SCReLUDotFloat(v, w []float32) float32 {
	n := len(v)
	w = w[:n]
	if !vectorFloat(n) {
		return screluDotFloatGeneric(v, w)
	}
	return screluDotFloatVector(&v[0], &w[0], n)
}

// SCReLUBackFloat is the backward pass of SCReLUDotFloat, whose result has
// gradient g: it adds g * clamp(v[i], 0, 1)² to dw[i] and sets dv[i] to g *
// w[i] * 2 * v[i] where 0 < v[i] < 1 and to zero elsewhere.
func SCReLUBackFloat(dv, dw, v, w []float32, g float32) {
	n := len(v)
	dv, dw, w = dv[:n], dw[:n], w[:n]
	if !vectorFloat(n) {
		screluBackFloatGeneric(dv, dw, v, w, g)
		return
	}
	screluBackFloatVector(&dv[0], &dw[0], &v[0], &w[0], n, g)
}

// AdamW makes a step of AdamW on parameters p with first and second moments m
// and v. The gradient is the sum of grads, which are set to zero.
func AdamW(p, m, v []float32, grads [][]float32, s *AdamWStep) {
	n := len(p)
	m, v = m[:n], v[:n]
	for _, g := range grads {
		_ = g[:n]
	}
	head := 0
	if vectorFloat(n &^ (step - 1)) {
		head = n &^ (step - 1)
		adamWVector(&p[0], &m[0], &v[0], head, grads, s)
	}
	adamWGeneric(p, m, v, grads, s, head)
}

func sumRowsFloatGeneric(dst, bias, table []float32, rows []int32) {
	copy(dst, bias)
	for _, row := range rows {
		for i, x := range table[row:][:len(dst)] {
			dst[i] += x
		}
	}
}

func addToRowsFloatGeneric(table, src []float32, rows []int32) {
	for _, row := range rows {
		dst := table[row:][:len(src)]
		for i, x := range src {
			dst[i] += x
		}
	}
}

func screluDotFloatGeneric(v, w []float32) float32 {
	var sum float32
	for i, x := range v {
		x = min(max(x, 0), 1)
		sum += x * x * w[i]
	}
	return sum
}

func screluBackFloatGeneric(dv, dw, v, w []float32, g float32) {
	for i, x := range v {
		c := min(max(x, 0), 1)
		dw[i] += g * c * c
		if dv[i] = 0; x < 1 {
			dv[i] = 2 * g * w[i] * c
		}
	}
}

// adamWGeneric makes the step for the parameters from index start on.
func adamWGeneric(p, m, v []float32, grads [][]float32, s *AdamWStep, start int) {
	for i := start; i < len(p); i++ {
		var g float32
		for _, grad := range grads {
			g += grad[i]
			grad[i] = 0
		}
		m[i] = s.Beta1*m[i] + (1-s.Beta1)*g
		v[i] = s.Beta2*v[i] + (1-s.Beta2)*g*g
		change := m[i] * s.Correct1 / (sqrt(v[i]*s.Correct2) + s.Epsilon)
		x := p[i] - s.Rate*(change+s.Decay*p[i])
		p[i] = min(max(x, -s.Max), s.Max)
	}
}

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
