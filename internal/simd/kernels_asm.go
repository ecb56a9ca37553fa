//go:build !purego && (amd64 || arm64)

package simd

// The vector functions process n elements (n > 0, a multiple of step) at each
// pointer, 2n at those to pairs. They must be called only if useVector is true.

//go:noescape
func addSubPairVector(dst, src, addA, subA, addB, subB *int16, n int)

//go:noescape
func addSubSubPairVector(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)

//go:noescape
func addSubRowsVector(dst, src *int16, n int, table *int16, add, sub []int32)

//go:noescape
func screluDotVector(a, b, w *int16, n int) int32

// headVector reads n elements (n > 0, a multiple of headStep) from each of us
// and them, sets n products and FirstNeurons sums, and returns the output.
//
//go:noescape
func headVector(h *Head, sums *int32, us, them *int16, n int, products *uint8) int64

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

//go:noescape
func pairsFloatVector(dst, v *float32, n int)

//go:noescape
func pairsBackFloatVector(dv, v, gradient *float32, n int)

//go:noescape
func nonZeroFloatVector(list *int32, x *float32, n int) int

//go:noescape
func mulRowsFloatVector(dst *float32, n int, x, table *float32, list []int32)

//go:noescape
func mulRowsBackFloatVector(dx, dtable, gradient *float32, n int, x, table *float32, list []int32)
