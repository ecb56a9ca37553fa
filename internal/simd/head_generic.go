package simd

import (
	"encoding/binary"
	"unsafe"
)

// pairwise sets dst to the products of the halves of v.
func pairwise(dst []uint8, v []int16) {
	a, b := v[:len(dst)], v[len(dst):][:len(dst)]
	for i := range dst {
		x, y := min(max(int(a[i]), 0), Clip), min(max(int(b[i]), 0), Clip)
		dst[i] = uint8(x * y >> 9)
	}
}

// firstLayer sets the products and the sums of the first layer. It adds 128 to every weight, so that those of two neurons,
// 32 bits apart in a word, are multiplied and summed up in one: less than
// 4096*127*255. In the end it takes 128 times the sum of products away again.
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

// secondLayer returns the output for the sums of the first layer.
func (h *Head) secondLayer(sums *[FirstNeurons]int32) int64 {
	var activations [2 * FirstNeurons]int32
	for j, s := range sums {
		s = min(max(s, -HeadOne), HeadOne)
		activations[j] = max(s, 0)
		activations[FirstNeurons+j] = s * s >> squareShift
	}
	second := [SecondNeurons]int32(h.secondBias)
	for j := range FirstNeurons {
		c0, c1 := activations[2*j], activations[2*j+1]
		if c0|c1 == 0 {
			continue
		}
		row := h.second[2*SecondNeurons*j:][:2*SecondNeurons]
		for k := range second {
			second[k] += c0*int32(row[2*k]) + c1*int32(row[2*k+1])
		}
	}
	output := int64(0)
	for k, s := range second {
		output += int64(min(max(s, 0), HeadOne<<HeadShift)>>HeadShift) * int64(h.output[k])
	}
	return output
}
