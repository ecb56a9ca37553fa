//go:build purego || !amd64

package simd

func addSub(dst, src, add, sub []int16) { addSubGeneric(dst, src, add, sub) }

func addSubSub(dst, src, add, sub1, sub2 []int16) { addSubSubGeneric(dst, src, add, sub1, sub2) }

func addAddSubSub(dst, src, add1, add2, sub1, sub2 []int16) {
	addAddSubSubGeneric(dst, src, add1, add2, sub1, sub2)
}

func addSubPair(dst, src, addA, subA, addB, subB []int16) {
	addSubPairGeneric(dst, src, addA, subA, addB, subB)
}

func addSubSubPair(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B []int16) {
	addSubSubPairGeneric(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B)
}

func addSubRows(dst, table []int16, add, sub []int32) { addSubRowsGeneric(dst, table, add, sub) }

func screluDot(a, b, w []int16, limit int16) int32 { return screluDotGeneric(a, b, w, limit) }
