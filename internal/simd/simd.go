// Package simd contains the vector kernels of the network, of the threats on which
// its features depend, and of its trainer. It imports nothing of chess: squares are
// bits.
//
// The generic versions are the specification: all implementations of an integer
// kernel give identical results. Those of the float32 kernels of the trainer
// add in a different order and fuse multiplications with additions, so results
// differ between levels by rounding; at one level they are a function of the
// arguments. The level is selected when the program starts; see Level.
//
// Vectors are int16 or float32. Those of int16 must have a multiple of 16
// elements and start at multiples of 8 bytes. Those of float32 may have any
// length, but are slow if it is not a multiple of 16. A row is a vector in a
// table of weights, given by the index of its first element; it is as long as
// the vector to which it is added. A pair is two adjacent vectors of equal
// length: the accumulators of both perspectives. Sums of rows must fit 16 bits;
// partial sums need not.
package simd

// step is the number of elements that every vector implementation can process
// at a time.
const step = 16

// Clip is the upper limit of clipped values in integer kernels.
const Clip = 255

// vector reports whether the vector implementation is used for n int16. It
// panics if n is not a multiple of 16.
func vector(n int) bool {
	if n%step != 0 {
		panic("simd: the length of a vector is not a multiple of 16")
	}
	return useVector && n > 0
}

// AddSubPair sets the pair dst to the pair src plus a row of table minus another: rows A
// in the first half and rows B in the second.
func AddSubPair(dst, src, table []int16, addA, subA, addB, subB int) {
	n := len(dst) / 2
	dst, src = dst[:2*n], src[:2*n]
	aA, sA, aB, sB := table[addA:][:n], table[subA:][:n], table[addB:][:n], table[subB:][:n]
	if !vector(n) {
		addSubPairGeneric(dst, src, aA, sA, aB, sB)
		return
	}
	addSubPairVector(&dst[0], &src[0], &aA[0], &sA[0], &aB[0], &sB[0], n)
}

// AddSubSubPair is AddSubPair with two rows to subtract.
func AddSubSubPair(dst, src, table []int16, addA, sub1A, sub2A, addB, sub1B, sub2B int) {
	n := len(dst) / 2
	dst, src = dst[:2*n], src[:2*n]
	aA, s1A, s2A := table[addA:][:n], table[sub1A:][:n], table[sub2A:][:n]
	aB, s1B, s2B := table[addB:][:n], table[sub1B:][:n], table[sub2B:][:n]
	if !vector(n) {
		addSubSubPairGeneric(dst, src, aA, s1A, s2A, aB, s1B, s2B)
		return
	}
	addSubSubPairVector(&dst[0], &src[0], &aA[0], &s1A[0], &s2A[0], &aB[0], &s1B[0], &s2B[0], n)
}

// AddSubRows sets dst to src, which may be the same, plus the rows of table listed in
// add, minus those in sub. It panics if one is outside the table.
func AddSubRows(dst, src, table []int16, add, sub []int32) {
	n := len(dst)
	src = src[:n]
	last, outside := len(table)-n, 0 // negative as soon as a row is
	for _, row := range add {
		outside |= int(row) | (last - int(row))
	}
	for _, row := range sub {
		outside |= int(row) | (last - int(row))
	}
	if outside < 0 {
		panic("simd: a row is outside the table")
	}
	if !vector(n) || len(table) == 0 {
		addSubRowsGeneric(dst, src, table, add, sub)
		return
	}
	addSubRowsVector(&dst[0], &src[0], n, &table[0], add, sub)
}

// SCReLUDot returns the sum of clamp(v[i], 0, Clip)² * w[i], where v is a
// followed by b, which have equal lengths: squared clipped ReLU of both
// perspectives and a linear layer. The sum wraps around at 32 bits. |w[i]| must
// be at most 127, so that the product of a clamped value and its weight fits 16
// bits.
func SCReLUDot(a, b, w []int16) int32 {
	n := len(a)
	b, w = b[:n], w[:2*n]
	if !vector(n) {
		return screluDotGeneric(a, b, w)
	}
	return screluDotVector(&a[0], &b[0], &w[0], n)
}
