package syzygy

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"
	"sync"
)

// checksumSize is the size of the checksum at the end of a file in bytes.
const checksumSize = 16

// chunkSize is the number of bytes of a file that are hashed at once.
const chunkSize = 1 << 24

// checksum computes the checksum of the contents of a file before it:
// CityHashCrc128 of the CityHashCrc256 of its chunks.
// Source: G. Pike, J. Alakuijala, "CityHash", version 1.0, 2011.
func checksum(data []byte) [checksumSize]byte {
	var sums []byte
	for chunk := range slices.Chunk(data, chunkSize) {
		for _, word := range cityCrc256(chunk) {
			sums = binary.LittleEndian.AppendUint64(sums, word)
		}
	}
	sum := cityCrc128(sums)
	var b [checksumSize]byte
	binary.LittleEndian.PutUint64(b[:], sum.a)
	binary.LittleEndian.PutUint64(b[8:], sum.b)
	return b
}

// Constants of CityHash.
const (
	city0   = 0xc3a5c85c97cb3127
	city1   = 0xb492b66fbe98f273
	city3   = 0xc949d7c7509e6557
	cityMul = 0x9ddfea08eb382d69
)

type pair struct{ a, b uint64 }

func word(s []byte, i int) uint64   { return binary.LittleEndian.Uint64(s[i:]) }
func rotate(x uint64, n int) uint64 { return bits.RotateLeft64(x, -n) }
func shiftMix(x uint64) uint64      { return x ^ x>>47 }
func mix(a, b uint64) uint64        { return shiftMix((b^shiftMix((a^b)*cityMul))*cityMul) * cityMul }

// crc updates a CRC-32C with the eight bytes of x, like the CPU instruction, with
// eight tables.
func crc(t *[8]crc32.Table, sum uint32, x uint64) uint32 {
	x ^= uint64(sum)
	return t[7][x&255] ^ t[6][x>>8&255] ^ t[5][x>>16&255] ^ t[4][x>>24&255] ^
		t[3][x>>32&255] ^ t[2][x>>40&255] ^ t[1][x>>48&255] ^ t[0][x>>56]
}

// crcTables holds the CRC of each byte followed by 0 to 7 zeros.
var crcTables = sync.OnceValue(func() *[8]crc32.Table {
	var t [8]crc32.Table
	t[0] = *crc32.MakeTable(crc32.Castagnoli)
	for i := 1; i < len(t); i++ {
		for b, sum := range t[i-1] {
			t[i][b] = t[0][sum&255] ^ sum>>8
		}
	}
	return &t
})

// cityCrcState are five words of CityHashCrc256, the sixth that replaces the
// last of them, and a sum over each.
type cityCrcState struct {
	a, b, c, d, e, t uint64
	sums             [5]uint32
	tables           *[8]crc32.Table
}

// block adds 40 bytes.
func (h *cityCrcState) block(s []byte, factor uint64, z int) {
	old := h.a
	h.a = rotate(h.b, 41^z)*factor + word(s, 0)
	h.b = rotate(h.c, 27^z)*factor + word(s, 8)
	h.c = rotate(h.d, 41^z)*factor + word(s, 16)
	h.d = rotate(h.e, 33^z)*factor + word(s, 24)
	h.e = rotate(h.t, 25^z)*factor + word(s, 32)
	h.t = old
	h.sums[0] = crc(h.tables, h.sums[0], h.a)
	h.sums[1] = crc(h.tables, h.sums[1], h.b)
	h.sums[2] = crc(h.tables, h.sums[2], h.c)
	h.sums[3] = crc(h.tables, h.sums[3], h.d)
	h.sums[4] = crc(h.tables, h.sums[4], h.e)
}

// cityCrc256 is CityHashCrc256. Less than 240 bytes are filled up with zeros.
func cityCrc256(s []byte) [4]uint64 {
	seed := uint32(0)
	if len(s) < 240 {
		seed = ^uint32(len(s))
		s = append(make([]byte, 0, 240), s...)[:240]
	}
	n := uint64(len(s))
	h := cityCrcState{
		a: word(s, 56) + city0,
		b: word(s, 96) + city0,
		d: word(s, 120)*city0 + n,
		e: word(s, 184) + uint64(seed),

		tables: crcTables(),
	}
	h.c = mix(h.b, n)
	h.t = h.c + h.d
	h.sums[0] = seed
	r0, r1 := h.c, h.d
	end := len(s) / 240 * 240
	for i := 0; i < end; i += 80 {
		h.block(s[i:], 1, 1)
		h.block(s[i+40:], city0, 0)
	}
	for ; end+40 <= len(s); end += 40 {
		h.block(s[end:], city0, 0)
	}
	if end < len(s) {
		h.block(s[len(s)-40:], city0, 0)
	}
	return h.finish(r0, r1)
}

// finish mixes the state into the result, whose first two words began as r0
// and r1.
func (st *cityCrcState) finish(r0, r1 uint64) [4]uint64 {
	a, b, c, d, e := st.a, st.b, st.c, st.d, st.e
	f, g, h := uint64(st.sums[0]), uint64(st.sums[1]), uint64(st.sums[2])
	i, j := uint64(st.sums[3]), uint64(st.sums[4])
	j += i << 32
	a = mix(a, j)
	h += g << 32
	b += h
	c = mix(c, f) + i
	d = mix(d, e+r0)
	j += e
	i += mix(h, st.t)
	e = mix(a, d) + j
	f = mix(b, c) + a
	g = mix(j, i) + c
	var r [4]uint64
	r[0] = e + f + g + h
	a = shiftMix((a+g)*city0)*city0 + b
	r[1] = r1 + a + r[0]
	a = shiftMix(a*city0)*city0 + c
	r[2] = a + r[1]
	a = shiftMix((a+e)*city0) * city0
	r[3] = a + r[2]
	return r
}

// cityCrc128 is CityHashCrc128 of at least 32 bytes in multiples of 16.
func cityCrc128(s []byte) pair {
	if len(s) > 900 {
		long := cityCrc256(s)
		return pair{long[2], long[3]}
	}
	return city128(s)
}

// city128 is CityHash128 of at least 32 bytes in multiples of 16.
func city128(s []byte) pair {
	seed := pair{word(s, 0) ^ city3, word(s, 8)}
	if s = s[16:]; len(s) < 128 {
		return cityMurmur(s, seed)
	}
	h := newCityState(s, seed)
	i := 0
	for ; len(s)-i >= 128; i += 128 {
		h.block(s[i:])
		h.block(s[i+64:])
	}
	return h.finish(s, len(s)-i)
}

// cityMurmur is CityHash128 of short strings, after the first 16 bytes.
func cityMurmur(s []byte, seed pair) pair {
	a, b := seed.a, seed.b
	var c, d uint64
	if n := len(s); n <= 16 {
		a = shiftMix(a*city1) * city1
		x, y := word(s, 0), word(s, 8)
		c = b*city1 + (mix(x, rotate(y+16, 16)) ^ y)
		d = shiftMix(a + x)
	} else {
		c = mix(word(s, n-8)+city1, a)
		d = mix(b+uint64(n), c+word(s, n-16))
		a += d
		for i := 0; i < n-16; i += 16 { // the last 16 bytes were above
			a = (a ^ shiftMix(word(s, i)*city1)*city1) * city1
			b ^= a
			c = (c ^ shiftMix(word(s, i+8)*city1)*city1) * city1
			d ^= c
		}
	}
	a, b = mix(a, c), mix(d, b)
	return pair{a ^ b, mix(b, a)}
}

// cityState is the state of CityHash128 for long strings.
type cityState struct {
	v, w    pair
	x, y, z uint64
}

func newCityState(s []byte, seed pair) *cityState {
	h := &cityState{x: seed.a, y: seed.b, z: uint64(len(s)) * city1}
	h.v.a = rotate(h.y^city1, 49)*city1 + word(s, 0)
	h.v.b = rotate(h.v.a, 42)*city1 + word(s, 8)
	h.w.a = rotate(h.y+h.z, 35)*city1 + h.x
	h.w.b = rotate(h.x+word(s, 88), 53) * city1
	return h
}

// block adds 64 bytes.
func (h *cityState) block(s []byte) {
	h.x = rotate(h.x+h.y+h.v.a+word(s, 8), 37) * city1
	h.y = rotate(h.y+h.v.b+word(s, 48), 42) * city1
	h.x ^= h.w.b
	h.y += h.v.a + word(s, 40)
	h.z = rotate(h.z+h.w.a, 33) * city1
	h.v = cityWeak(s, h.v.b*city1, h.x+h.w.a)
	h.w = cityWeak(s[32:], h.z+h.w.b, h.y+word(s, 16))
	h.z, h.x = h.x, h.z
}

// cityWeak hashes 32 bytes.
func cityWeak(s []byte, a, b uint64) pair {
	a += word(s, 0)
	b = rotate(b+a+word(s, 24), 21)
	c := a
	a += word(s, 8) + word(s, 16)
	return pair{a + word(s, 24), b + rotate(a, 44) + c}
}

// finish adds the last rest bytes of s, in pieces of 32 from the end.
func (h *cityState) finish(s []byte, rest int) pair {
	h.x += rotate(h.v.a+h.z, 49) * city0
	h.z += rotate(h.w.a, 37) * city0
	for done := 0; done < rest; {
		done += 32
		tail := s[len(s)-done:]
		h.y = rotate(h.x+h.y, 42)*city0 + h.v.b
		h.w.a += word(tail, 16)
		h.x = h.x*city0 + h.w.a
		h.z += h.w.b + word(tail, 0)
		h.w.b += h.v.a
		h.v = cityWeak(tail, h.v.a+h.z, h.v.b)
	}
	x, y := mix(h.x, h.v.a), mix(h.y+h.z, h.w.a)
	return pair{mix(x+h.v.b, h.w.b) + y, mix(x+h.w.b, y+h.v.b)}
}
