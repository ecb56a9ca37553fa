//go:build !purego

package simd

// The vector functions take n elements (n > 0, a multiple of step) from each
// pointer, 2n from one to a pair. They must be called only if useVector is set.

//go:noescape
func addSubVector(dst, src, add, sub *int16, n int)

//go:noescape
func addSubSubVector(dst, src, add, sub1, sub2 *int16, n int)

//go:noescape
func addAddSubSubVector(dst, src, add1, add2, sub1, sub2 *int16, n int)

//go:noescape
func addSubPairVector(dst, src, addA, subA, addB, subB *int16, n int)

//go:noescape
func addSubSubPairVector(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)

//go:noescape
func addSubRowsVector(dst *int16, n int, table *int16, add, sub []int32)

//go:noescape
func screluDotVector(a, b, w *int16, n int, limit int16) int32
