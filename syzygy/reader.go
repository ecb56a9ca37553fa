package syzygy

import (
	"encoding/binary"
	"errors"
)

// reader reads a file up to its checksum. After the first error it returns
// zeros.
type reader struct {
	data []byte // all of the file
	end  uint64 // where the checksum begins
	pos  uint64
	err  error
}

var errTruncated = errors.New("truncated")

// bytes returns the next n bytes, nil after an error.
func (r *reader) bytes(n int) []byte { return r.section(uint64(n), 0) }

// section returns the next n bytes and after them up to more bytes that are not
// consumed and may belong to the checksum, nil after an error.
func (r *reader) section(n, more uint64) []byte {
	if left := r.end - r.pos; n > left || r.err != nil {
		if r.err == nil {
			r.err = errTruncated
		}
		return nil
	}
	end := min(r.pos+n+more, uint64(len(r.data)))
	b := r.data[r.pos:end:end]
	r.pos += n
	return b
}

func (r *reader) byte() uint8 {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b := r.bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) uint32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// skip passes over n bytes.
func (r *reader) skip(n int) { r.bytes(n) }

// align passes over bytes up to a multiple of n.
func (r *reader) align(n uint64) { r.section(-r.pos%n, 0) }
