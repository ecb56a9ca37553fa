package simd

import "unsafe"

// These three take one element at a time: as words of four lanes (addLanes,
// subLanes) they gain 10 % with one row to subtract and nothing with two.

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
	for _, row := range add {
		addRow(dst, table[row:][:len(dst)])
	}
	for _, row := range sub {
		subRow(dst, table[row:][:len(dst)])
	}
}

// high is the sign bits of four 16-bit lanes in a word.
const high = 0x8000_8000_8000_8000

// addLanes returns the sums of four lanes each: those of the lower bits cannot
// carry into the next lane, and the sign bits are added without a carry.
func addLanes(a, b uint64) uint64 { return ((a &^ high) + (b &^ high)) ^ ((a ^ b) & high) }

// subLanes returns the differences of four lanes each: a sign bit is set for
// the lower bits to borrow from.
func subLanes(a, b uint64) uint64 { return ((a | high) - (b &^ high)) ^ (^(a ^ b) & high) }

// aligned reports whether every processor can read v as words.
func aligned(v []int16) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(v)))%8 == 0 }

// words returns the elements of v, four in a word, without a remainder.
func words(v []int16) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v)/4)
}

// addRow and subRow are not inlined: in a caller's loop they run out of
// registers and take a third longer.
//
//go:noinline
func addRow(dst, row []int16) {
	n := len(dst)
	row = row[:n]
	head := 0
	if aligned(dst) && aligned(row) {
		head = n &^ 3
		d := words(dst)
		for i, x := range words(row) {
			d[i] = addLanes(d[i], x)
		}
	}
	for i := head; i < n; i++ {
		dst[i] += row[i]
	}
}

//go:noinline
func subRow(dst, row []int16) {
	n := len(dst)
	row = row[:n]
	head := 0
	if aligned(dst) && aligned(row) {
		head = n &^ 3
		d := words(dst)
		for i, x := range words(row) {
			d[i] = subLanes(d[i], x)
		}
	}
	for i := head; i < n; i++ {
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
