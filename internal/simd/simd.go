// Package simd holds the vector kernels of the network. It knows nothing of
// chess.
//
// The generic versions in generic.go are the specification: any other
// implementation gives the same bits. Which one runs is chosen when the program
// starts; see Level.
//
// Vectors are int16 and their lengths multiples of 16; others are correct but
// slow. A pair is two vectors of equal length one behind the other: the
// accumulators of both perspectives. Sums wrap around.
package simd

// step is the number of elements that every vector implementation can take at
// a time.
const step = 16

// AddSub sets dst[i] = src[i] + add[i] - sub[i]. All slices have dst's length.
func AddSub(dst, src, add, sub []int16) {
	n := len(dst)
	addSub(dst, src[:n], add[:n], sub[:n])
}

// AddSubSub sets dst[i] = src[i] + add[i] - sub1[i] - sub2[i].
func AddSubSub(dst, src, add, sub1, sub2 []int16) {
	n := len(dst)
	addSubSub(dst, src[:n], add[:n], sub1[:n], sub2[:n])
}

// AddAddSubSub sets dst[i] = src[i] + add1[i] + add2[i] - sub1[i] - sub2[i].
func AddAddSubSub(dst, src, add1, add2, sub1, sub2 []int16) {
	n := len(dst)
	addAddSubSub(dst, src[:n], add1[:n], add2[:n], sub1[:n], sub2[:n])
}

// AddSubPair is AddSub for the pairs dst and src, with rows A for the first
// half and B for the second.
func AddSubPair(dst, src, addA, subA, addB, subB []int16) {
	n := len(dst) / 2
	addSubPair(dst[:2*n], src[:2*n], addA[:n], subA[:n], addB[:n], subB[:n])
}

// AddSubSubPair is AddSubSub for the pairs dst and src.
func AddSubSubPair(dst, src, addA, sub1A, sub2A, addB, sub1B, sub2B []int16) {
	n := len(dst) / 2
	addSubSubPair(dst[:2*n], src[:2*n], addA[:n], sub1A[:n], sub2A[:n], addB[:n], sub1B[:n], sub2B[:n])
}

// AddSubRows adds to dst the rows of table that begin at the elements add, and
// subtracts those that begin at sub. A row has dst's length.
func AddSubRows(dst, table []int16, add, sub []int32) {
	last := len(table) - len(dst)
	for _, offset := range add {
		if uint(offset) > uint(last) || last < 0 {
			panic("simd: row outside the table")
		}
	}
	for _, offset := range sub {
		if uint(offset) > uint(last) || last < 0 {
			panic("simd: row outside the table")
		}
	}
	addSubRows(dst, table, add, sub)
}

// SCReLUDot returns the sum of clamp(v[i], 0, limit)² * w[i], where v is a and
// behind it b, which have equal lengths: the squared clipped rectified linear
// unit of both perspectives followed by a linear layer. The sum wraps around at
// 32 bits. 0 <= limit <= 255 and |w[i]| <= 127, so that the product of a
// clamped value and its weight fits 16 bits.
func SCReLUDot(a, b, w []int16, limit int16) int32 {
	n := len(a)
	return screluDot(a, b[:n], w[:2*n], limit)
}
