//go:build !purego

package simd

// The vector functions take n elements, a positive multiple of step.

//go:noescape
func sumRowsFloatVector(dst, bias *float32, n int, table *float32, rows []int32)

//go:noescape
func addToRowsFloatVector(table, src *float32, n int, rows []int32)

//go:noescape
func screluDotFloatVector(v, w *float32, n int) float32

//go:noescape
func screluBackFloatVector(dv, dw, v, w *float32, n int, gradient float32)

//go:noescape
func adamWVector(p, m, v *float32, n int, grads [][]float32, s *AdamWStep)
