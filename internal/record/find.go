package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

const (
	maxBlock = blockHeaderSize + maxPayload
	window   = 4 * maxPayload // bytes of a file that a finder holds
	sumStep  = 256            // bytes between the checksums that it keeps
)

// finder finds intact blocks in a damaged file. Any four bytes can claim that a block of
// maxPayload bytes begins there, so it does not read what they claim: it takes the
// checksum of the payload from those of the bytes before its start and before its end.
// The time that a file takes is then proportional to its size, whatever is in it.
type finder struct {
	r    io.ReaderAt
	size int64    // of the file
	base int64    // offset of data in the file
	data []byte   // part of the file
	sums []uint32 // sums[i] is the checksum of data[:i*sumStep]
}

// next returns the offset of the first intact block at or after from, -1 if there is
// none. The error is that of checkKind, of the reader, or of ctx.
func (f *finder) next(ctx context.Context, from int64) (int64, error) {
	for from < f.size {
		if err := ctx.Err(); err != nil {
			return -1, err
		}
		if err := f.load(from); err != nil {
			return -1, err
		}
		at := bytes.Index(f.data[from-f.base:], []byte(blockMagic))
		if at < 0 {
			from = f.base + int64(len(f.data)-len(blockMagic)+1)
			if f.complete() {
				break
			}
			continue
		}
		from += int64(at)
		if err := f.load(from); err != nil {
			return -1, err
		}
		if head := f.data[from-f.base:]; f.intact(head) {
			return from, checkKind(head)
		}
		from++
	}
	return -1, nil
}

// complete reports whether the data reaches the end of the file.
func (f *finder) complete() bool { return f.base+int64(len(f.data)) == f.size }

// load makes sure that the data has the longest block that may begin at from, which never
// decreases, or what there is of it.
func (f *finder) load(from int64) error {
	if f.complete() || from+maxBlock <= f.base+int64(len(f.data)) {
		return nil
	}
	n := int(min(window, f.size-from))
	f.data = slices.Grow(f.data[:0], n)[:n]
	n, err := f.r.ReadAt(f.data, from)
	if errors.Is(err, io.EOF) {
		f.size = from + int64(n) // less if the file has shrunk
	} else if err != nil {
		return err
	}
	f.base, f.data = from, f.data[:n]
	f.sums = append(f.sums[:0], 0)
	for chunk := range slices.Chunk(f.data, sumStep) {
		f.sums = append(f.sums, update(f.sums[len(f.sums)-1], chunk))
	}
	return nil
}

// intact reports whether b, which is the end of the data, begins with an intact block, of
// any kind.
func (f *finder) intact(b []byte) bool {
	if len(b) < blockHeaderSize {
		return false
	}
	length, err := payloadLength(b)
	if err != nil || blockHeaderSize+length > len(b) {
		return false
	}
	start := len(f.data) - len(b) + blockHeaderSize
	before := f.sum(start) ^ checksum(b[:atBlockSum])
	after := f.sum(start+length) ^ binary.LittleEndian.Uint32(b[atBlockSum:])
	return after == apart(before, length)
}

// sum returns the checksum of the first n bytes of the data.
func (f *finder) sum(n int) uint32 {
	i := n / sumStep
	return update(f.sums[i], f.data[i*sumStep:n])
}

// apart returns the exclusive or of two checksums that are updated with the same n bytes,
// whatever they are, from what it was before. The bits of a checksum, the highest first,
// are the coefficients of a polynomial over GF(2), and a byte multiplies it by x^8.
//
// Source: M. Adler, crc32_combine of zlib.
func apart(before uint32, n int) uint32 {
	const one = 1 << 31
	power := uint32(one >> 8)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			before = product(before, power)
		}
		power = product(power, power)
	}
	return before
}

// product returns the product of two polynomials modulo that of the checksum.
func product(a, b uint32) (p uint32) {
	for ; a != 0; a <<= 1 {
		p ^= b & -(a >> 31)
		b = b>>1 ^ crc32.Castagnoli&-(b&1) // times x
	}
	return p
}
