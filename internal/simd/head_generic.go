package simd

import (
	"encoding/binary"
	"unsafe"
)

// clipped holds clamp(v, 0, Clip) for every int16 v, indexed by uint16(v); see
// squares.
var clipped [1 << 16]uint8

func init() {
	for i := range 1 << 15 {
		clipped[i] = uint8(min(i, Clip))
	}
}

// pairwise sets dst to the products of the halves of v.
func pairwise(dst []uint8, v []int16) {
	a, b := v[:len(dst)], v[len(dst):][:len(dst)]
	for i := range dst {
		dst[i] = uint8(uint(clipped[uint16(a[i])]) * uint(clipped[uint16(b[i])]) >> 9)
	}
}

// firstLayer sets the products and the sums of the first layer. It adds 128 to
// every weight, so that the products of two neurons are positive and can be
// computed and added in one word, 32 bits apart: the sums are less than
// 4096*127*255. At the end it subtracts 128 times the sum of the products.
func (h *Head) firstLayer(sums *[FirstNeurons]int32, us, them []int16, products []uint8) {
	const (
		offset = 0x8080_8080_8080_8080
		mask   = 0x0000_00ff_0000_00ff
	)
	half := len(us) / 2
	pairwise(products[:half], us)
	pairwise(products[half:], them)

	weights := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(h.first))), len(h.first))
	var pairs [FirstNeurons / 2]uint64
	total := uint64(0)
	for i := 0; i+block <= len(products); i += block {
		p := uint64(binary.LittleEndian.Uint32(products[i:]))
		if p == 0 {
			continue
		}
		p0, p1, p2, p3 := p&0xff, p>>8&0xff, p>>16&0xff, p>>24
		total += p0 + p1 + p2 + p3
		row := weights[i*FirstNeurons:][:block*FirstNeurons]
		for j := range pairs {
			w := binary.LittleEndian.Uint64(row[8*j:]) ^ offset
			pairs[j] += (w&mask)*p0 + (w>>8&mask)*p1 + (w>>16&mask)*p2 + (w>>24&mask)*p3
		}
	}
	for j, pair := range pairs {
		sums[2*j] = h.firstBias[2*j] + int32(uint32(pair)) - int32(total)<<7
		sums[2*j+1] = h.firstBias[2*j+1] + int32(pair>>32) - int32(total)<<7
	}
}

// secondLayer returns the output for the sums of the first layer. It also adds
// two neurons in one word; the upper one is less by 1 if the lower one is
// negative.
func (h *Head) secondLayer(sums *[FirstNeurons]int32) int64 {
	const half = SecondNeurons / 2
	var activations [2 * FirstNeurons]int64
	for j, s := range sums {
		s = min(max(s, -HeadOne), HeadOne)
		activations[j] = int64(max(s, 0))
		activations[FirstNeurons+j] = int64(s * s >> squareShift)
	}
	var pairs [half]int64
	for j, c := range activations {
		if c == 0 {
			continue
		}
		row := (*[half]int64)(h.secondPairs[half*j:])
		for k := 0; k < half; k += 4 {
			pairs[k] += c * row[k]
			pairs[k+1] += c * row[k+1]
			pairs[k+2] += c * row[k+2]
			pairs[k+3] += c * row[k+3]
		}
	}
	output := int64(0)
	for k, pair := range pairs {
		lower := int32(pair)
		upper := int32((pair - int64(lower)) >> 32)
		output += int64(activate(h.secondBias[2*k]+lower)) * int64(h.output[2*k])
		output += int64(activate(h.secondBias[2*k+1]+upper)) * int64(h.output[2*k+1])
	}
	return output
}

// activate returns the activation of a sum of the second layer.
func activate(sum int32) int32 {
	return min(max(sum, 0), HeadOne<<HeadShift) >> HeadShift
}
