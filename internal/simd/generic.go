package simd

func addSubGeneric(dst, src, add, sub []int16) {
	n := len(dst)
	src, add, sub = src[:n], add[:n], sub[:n]
	for i := range dst {
		dst[i] = src[i] + add[i] - sub[i]
	}
}

func addSubSubGeneric(dst, src, add, sub1, sub2 []int16) {
	n := len(dst)
	src, add, sub1, sub2 = src[:n], add[:n], sub1[:n], sub2[:n]
	for i := range dst {
		dst[i] = src[i] + add[i] - sub1[i] - sub2[i]
	}
}

func addAddSubSubGeneric(dst, src, add1, add2, sub1, sub2 []int16) {
	n := len(dst)
	src, add1, add2, sub1, sub2 = src[:n], add1[:n], add2[:n], sub1[:n], sub2[:n]
	for i := range dst {
		dst[i] = src[i] + add1[i] + add2[i] - sub1[i] - sub2[i]
	}
}

func addSubPairGeneric(dst, src, addA, subA, addB, subB []int16) {
	n := len(addA)
	addSubGeneric(dst[:n], src[:n], addA, subA)
	addSubGeneric(dst[n:], src[n:], addB, subB)
}

func addSubSubPairGeneric(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B []int16) {
	n := len(addA)
	addSubSubGeneric(dst[:n], src[:n], addA, sub1A, sub2A)
	addSubSubGeneric(dst[n:], src[n:], addB, sub1B, sub2B)
}

func addSubRowsGeneric(dst, table []int16, add, sub []int32) {
	for _, offset := range add {
		addRow(dst, table[offset:])
	}
	for _, offset := range sub {
		subRow(dst, table[offset:])
	}
}

// addRow adds row to dst. Inlined into a caller's loop it runs out of registers
// and takes a third longer.
//
//go:noinline
func addRow(dst, row []int16) {
	row = row[:len(dst)]
	for i := range dst {
		dst[i] += row[i]
	}
}

//go:noinline
func subRow(dst, row []int16) {
	row = row[:len(dst)]
	for i := range dst {
		dst[i] -= row[i]
	}
}

func screluDotGeneric(a, b, w []int16, limit int16) int32 {
	n := len(a)
	return screluDotHalf(a, w[:n], limit) + screluDotHalf(b, w[n:], limit)
}

func screluDotHalf(v, w []int16, limit int16) int32 {
	w = w[:len(v)]
	var sum int32
	// Without a branch: skipping zeros takes three times as long where half of
	// the values are, in no order. Unrolling gains 5 %.
	for i, x := range v {
		x = min(max(x, 0), limit)
		sum += int32(x*w[i]) * int32(x)
	}
	return sum
}
