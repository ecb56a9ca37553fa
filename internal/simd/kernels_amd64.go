//go:build !purego

package simd

// The vector functions take n elements (n > 0, a multiple of step) from each
// pointer, 2n from one to a pair.

//go:noescape
func addSubAVX2(dst, src, add, sub *int16, n int)

//go:noescape
func addSubAVX512(dst, src, add, sub *int16, n int)

//go:noescape
func addSubSubAVX2(dst, src, add, sub1, sub2 *int16, n int)

//go:noescape
func addSubSubAVX512(dst, src, add, sub1, sub2 *int16, n int)

//go:noescape
func addAddSubSubAVX2(dst, src, add1, add2, sub1, sub2 *int16, n int)

//go:noescape
func addAddSubSubAVX512(dst, src, add1, add2, sub1, sub2 *int16, n int)

//go:noescape
func addSubPairAVX2(dst, src, addA, subA, addB, subB *int16, n int)

//go:noescape
func addSubPairAVX512(dst, src, addA, subA, addB, subB *int16, n int)

//go:noescape
func addSubSubPairAVX2(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)

//go:noescape
func addSubSubPairAVX512(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B *int16, n int)

//go:noescape
func addSubRowsAVX2(dst *int16, n int, table *int16, add, sub []int32)

//go:noescape
func addSubRowsAVX512(dst *int16, n int, table *int16, add, sub []int32)

//go:noescape
func screluDotAVX2(a, b, w *int16, n int, limit int16) int32

//go:noescape
func screluDotAVX512(a, b, w *int16, n int, limit int16) int32

// vector reports whether a vector implementation takes n elements.
func vector(n int) bool { return useAVX2 && n > 0 && n%step == 0 }

func addSub(dst, src, add, sub []int16) {
	switch n := len(dst); {
	case !vector(n):
		addSubGeneric(dst, src, add, sub)
	case useAVX512:
		addSubAVX512(&dst[0], &src[0], &add[0], &sub[0], n)
	default:
		addSubAVX2(&dst[0], &src[0], &add[0], &sub[0], n)
	}
}

func addSubSub(dst, src, add, sub1, sub2 []int16) {
	switch n := len(dst); {
	case !vector(n):
		addSubSubGeneric(dst, src, add, sub1, sub2)
	case useAVX512:
		addSubSubAVX512(&dst[0], &src[0], &add[0], &sub1[0], &sub2[0], n)
	default:
		addSubSubAVX2(&dst[0], &src[0], &add[0], &sub1[0], &sub2[0], n)
	}
}

func addAddSubSub(dst, src, add1, add2, sub1, sub2 []int16) {
	switch n := len(dst); {
	case !vector(n):
		addAddSubSubGeneric(dst, src, add1, add2, sub1, sub2)
	case useAVX512:
		addAddSubSubAVX512(&dst[0], &src[0], &add1[0], &add2[0], &sub1[0], &sub2[0], n)
	default:
		addAddSubSubAVX2(&dst[0], &src[0], &add1[0], &add2[0], &sub1[0], &sub2[0], n)
	}
}

func addSubPair(dst, src, addA, subA, addB, subB []int16) {
	switch n := len(addA); {
	case !vector(n):
		addSubPairGeneric(dst, src, addA, subA, addB, subB)
	case useAVX512:
		addSubPairAVX512(&dst[0], &src[0], &addA[0], &subA[0], &addB[0], &subB[0], n)
	default:
		addSubPairAVX2(&dst[0], &src[0], &addA[0], &subA[0], &addB[0], &subB[0], n)
	}
}

func addSubSubPair(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B []int16) {
	switch n := len(addA); {
	case !vector(n):
		addSubSubPairGeneric(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B)
	case useAVX512:
		addSubSubPairAVX512(&dst[0], &src[0], &addA[0], &sub1A[0], &sub2A[0], &addB[0], &sub1B[0], &sub2B[0], n)
	default:
		addSubSubPairAVX2(&dst[0], &src[0], &addA[0], &sub1A[0], &sub2A[0], &addB[0], &sub1B[0], &sub2B[0], n)
	}
}

func addSubRows(dst, table []int16, add, sub []int32) {
	switch n := len(dst); {
	case !vector(n) || len(table) == 0:
		addSubRowsGeneric(dst, table, add, sub)
	case useAVX512:
		addSubRowsAVX512(&dst[0], n, &table[0], add, sub)
	default:
		addSubRowsAVX2(&dst[0], n, &table[0], add, sub)
	}
}

func screluDot(a, b, w []int16, limit int16) int32 {
	switch n := len(a); {
	case !vector(n):
		return screluDotGeneric(a, b, w, limit)
	case useAVX512:
		return screluDotAVX512(&a[0], &b[0], &w[0], n, limit)
	default:
		return screluDotAVX2(&a[0], &b[0], &w[0], n, limit)
	}
}
