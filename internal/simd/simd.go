// Package simd holds the vector kernels of the network. It knows nothing of
// chess. The generic versions in this file are the specification: any other
// implementation gives the same bits.
package simd

// AddSub sets dst[i] = src[i] + add[i] - sub[i]. All slices have dst's length;
// int16 arithmetic wraps around.
func AddSub(dst, src, add, sub []int16) {
	n := len(dst)
	src, add, sub = src[:n], add[:n], sub[:n]
	for i := range dst {
		dst[i] = src[i] + add[i] - sub[i]
	}
}

// AddSubSub sets dst[i] = src[i] + add[i] - sub1[i] - sub2[i].
func AddSubSub(dst, src, add, sub1, sub2 []int16) {
	n := len(dst)
	src, add, sub1, sub2 = src[:n], add[:n], sub1[:n], sub2[:n]
	for i := range dst {
		dst[i] = src[i] + add[i] - sub1[i] - sub2[i]
	}
}

// AddAddSubSub sets dst[i] = src[i] + add1[i] + add2[i] - sub1[i] - sub2[i].
func AddAddSubSub(dst, src, add1, add2, sub1, sub2 []int16) {
	n := len(dst)
	src, add1, add2, sub1, sub2 = src[:n], add1[:n], add2[:n], sub1[:n], sub2[:n]
	for i := range dst {
		dst[i] = src[i] + add1[i] + add2[i] - sub1[i] - sub2[i]
	}
}

// Add adds row to dst element by element. Inlined into a caller's loop it runs
// out of registers and takes a third longer.
//
//go:noinline
func Add(dst, row []int16) {
	row = row[:len(dst)]
	for i := range dst {
		dst[i] += row[i]
	}
}

// SCReLUDot returns the sum of clamp(v[i], 0, limit)² * w[i], the squared
// clipped rectified linear unit followed by a linear layer. Sums wrap around at
// 32 bits. With limit <= 255 and |w[i]| <= 127 the product of a clamped value
// and its weight fits 16 bits, which vector versions rely on.
func SCReLUDot(v, w []int16, limit int16) int32 {
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
