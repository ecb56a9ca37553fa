package simd

import "unsafe"

// The generic kernels process four lanes of 16 bits in a word. With the sign
// bits inverted, a word is the sum of (lane + 2^15) * 2^(16*i) over its lanes i.
// Additions and subtractions of these numbers are exact, even if there are
// carries between lanes, so that the lanes of the final sum are correct if each
// of them fits 16 bits.

// high is the sign bits of the lanes.
const high = 0x8000_8000_8000_8000

// words returns v as words of four elements.
func words(v []int16) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(v))), len(v)/4)
}

func addSubGeneric(dst, src, add, sub []int16) {
	d := words(dst)
	s, a, b := words(src)[:len(d)], words(add)[:len(d)], words(sub)[:len(d)]
	for i := range d {
		d[i] = ((s[i] ^ high) + (a[i] ^ high) - (b[i] ^ high)) ^ high
	}
}

func addSubSubGeneric(dst, src, add, sub1, sub2 []int16) {
	d := words(dst)
	s, a := words(src)[:len(d)], words(add)[:len(d)]
	b, c := words(sub1)[:len(d)], words(sub2)[:len(d)]
	for i := range d {
		d[i] = ((s[i] ^ high) + (a[i] ^ high) - (b[i] ^ high) - (c[i] ^ high) + high) ^ high
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

func addSubRowsGeneric(dst, src, table []int16, add, sub []int32) {
	n := len(dst)
	for ; len(add) > 0 && len(sub) > 0; add, sub = add[1:], sub[1:] {
		addSubGeneric(dst, src, table[add[0]:][:n], table[sub[0]:][:n])
		src = dst
	}
	copy(dst, src)
	for _, row := range add {
		addRow(dst, table[row:][:n])
	}
	for _, row := range sub {
		subRow(dst, table[row:][:n])
	}
}

// addRow and subRow are not inlined: in the loop of a caller they would need
// more registers than there are and take a third longer.
//
//go:noinline
func addRow(dst, row []int16) {
	d := words(dst)
	for i, x := range words(row)[:len(d)] {
		d[i] = ((d[i] ^ high) + (x ^ high) - high) ^ high
	}
}

//go:noinline
func subRow(dst, row []int16) {
	d := words(dst)
	for i, x := range words(row)[:len(d)] {
		d[i] = ((d[i] ^ high) - (x ^ high) + high) ^ high
	}
}

// squares holds clamp(v, 0, Clip)² for every int16 v, indexed by uint16(v). A
// lookup takes half as long as clamping; a branch takes longer for values in
// random order.
var squares [1 << 16]uint16

func init() {
	for i := range 1 << 15 {
		squares[i] = uint16(min(i, Clip) * min(i, Clip))
	}
}

func screluDotGeneric(a, b, w []int16) int32 {
	n := len(a)
	return screluDotHalf(a, w[:n]) + screluDotHalf(b, w[n:])
}

func screluDotHalf(v, w []int16) int32 {
	w = w[:len(v)]
	var sum int32
	for i, x := range v {
		sum += int32(squares[uint16(x)]) * int32(w[i])
	}
	return sum
}
