package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

const (
	fileMagic  = "SkeinRec"
	blockMagic = "SkBl"

	// fileHeaderSize is the size of the file's header without the description
	// and the checksum after it.
	fileHeaderSize  = 16
	checksumSize    = 4
	maxDescription  = 1<<16 - 1
	blockHeaderSize = 20

	// A block is closed once it holds blockTarget bytes of games. Whoever
	// writes a file loses at most one block to a sudden end, so it is small.
	blockTarget = 1 << 14
	// maxPayload bounds the games of a block, and so the memory of a reader.
	maxPayload = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// fileHeader is what a file says about all of its games.
type fileHeader struct {
	description string
	unit        int // of scores in a pawn, 0 if unknown
}

// append appends the header as bytes of a file.
func (h fileHeader) append(b []byte) ([]byte, error) {
	if len(h.description) > maxDescription {
		return b, fmt.Errorf("description of %d bytes is longer than %d", len(h.description), maxDescription)
	}
	from := len(b)
	b = append(b, fileMagic...)
	b = binary.LittleEndian.AppendUint16(b, Version)
	b = binary.LittleEndian.AppendUint16(b, uint16(h.unit))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h.description)))
	b = append(b, h.description...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli)), nil
}

// readFileHeader reads the header of a file and returns its size too. The error is a *DamageError unless reading
// failed.
func readFileHeader(r io.Reader) (h fileHeader, size int64, err error) {
	damage := func(at int64, torn bool, format string, args ...any) error {
		return &DamageError{Offset: at, Block: -1, Torn: torn, Reason: fmt.Sprintf(format, args...)}
	}
	var head [fileHeaderSize]byte
	n, err := io.ReadFull(r, head[:])
	if common := min(n, len(fileMagic)); string(head[:common]) != fileMagic[:common] {
		return h, 0, damage(0, false, "not a file of games")
	}
	if err != nil {
		return h, 0, readError(err, damage(int64(n), true, "the file ends here"))
	}
	if v := binary.LittleEndian.Uint16(head[8:]); v != Version {
		return h, 0, damage(8, false, "version %d of the format is not %d", v, Version)
	}
	length := binary.LittleEndian.Uint32(head[12:])
	if length > maxDescription {
		return h, 0, damage(12, false, "description of %d bytes is longer than %d", length, maxDescription)
	}
	rest := make([]byte, length+checksumSize)
	if n, err := io.ReadFull(r, rest); err != nil {
		return h, 0, readError(err, damage(int64(fileHeaderSize+n), true, "the file ends here"))
	}
	sum := crc32.Update(crc32.Checksum(head[:], castagnoli), castagnoli, rest[:length])
	if sum != binary.LittleEndian.Uint32(rest[length:]) {
		return h, 0, damage(0, false, "wrong checksum")
	}
	h = fileHeader{string(rest[:length]), int(binary.LittleEndian.Uint16(head[10:]))}
	return h, fileHeaderSize + int64(len(rest)), nil
}

// readError returns atEnd if err says that the input has ended, else err.
func readError(err, atEnd error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return atEnd
	}
	return err
}

// A block is a header and the games.
type block struct {
	games   int
	payload []byte
}

// size returns the number of bytes the block takes in the file.
func (b *block) size() int64 { return blockHeaderSize + int64(len(b.payload)) }

// positions returns the number of positions with a move and a score.
func (b *block) positions() int64 {
	return int64(len(b.payload)-b.games*minGameSize) / plySize
}

// seal writes the header of the block whose games follow it in buf.
func seal(buf []byte, games int) {
	copy(buf, blockMagic)
	binary.LittleEndian.PutUint32(buf[4:], uint32(len(buf)-blockHeaderSize))
	binary.LittleEndian.PutUint32(buf[8:], uint32(games))
	binary.LittleEndian.PutUint32(buf[12:], 0)
	binary.LittleEndian.PutUint32(buf[16:], blockSum(buf))
}

// blockSum returns the checksum over the block but for the checksum itself.
func blockSum(buf []byte) uint32 {
	return crc32.Update(crc32.Checksum(buf[:16], castagnoli), castagnoli, buf[blockHeaderSize:])
}

// blockError is what is wrong with a block at a distance from its first byte.
type blockError struct {
	at     int
	torn   bool
	reason string
}

func (e *blockError) Error() string { return e.reason }

// readBlock reads the next block; buf is memory to use. It returns io.EOF at
// the end of the file, a *blockError for a bad block, or the reader's error.
func readBlock(r io.Reader, buf []byte) (block, []byte, error) {
	buf = grow(buf, blockHeaderSize)
	n, err := io.ReadFull(r, buf)
	if n == 0 && errors.Is(err, io.EOF) {
		return block{}, buf, io.EOF
	}
	if common := min(n, len(blockMagic)); string(buf[:common]) != blockMagic[:common] {
		return block{}, buf, &blockError{0, false, "no block begins here"}
	}
	if err != nil {
		return block{}, buf, readError(err, &blockError{n, true, "the file ends here, in the header of a block"})
	}
	length, games := int64(binary.LittleEndian.Uint32(buf[4:])), int64(binary.LittleEndian.Uint32(buf[8:]))
	switch {
	case length > maxPayload:
		return block{}, buf, &blockError{4, false, fmt.Sprintf("block of %d bytes is longer than %d", length, maxPayload)}
	case games < 1 || games*minGameSize > length || (length-games*minGameSize)%plySize != 0:
		return block{}, buf, &blockError{8, false, fmt.Sprintf("%d games cannot fill %d bytes", games, length)}
	case binary.LittleEndian.Uint32(buf[12:]) != 0:
		return block{}, buf, &blockError{12, false, "block of an unknown kind"}
	}
	buf = grow(buf, blockHeaderSize+int(length))
	if n, err := io.ReadFull(r, buf[blockHeaderSize:]); err != nil {
		return block{}, buf, readError(err, &blockError{blockHeaderSize + n, true, "the file ends here, in the middle of a block"})
	}
	if blockSum(buf) != binary.LittleEndian.Uint32(buf[16:]) {
		return block{}, buf, &blockError{0, false, "wrong checksum of the block that begins here"}
	}
	return block{int(games), buf[blockHeaderSize:]}, buf, nil
}

// grow returns a slice of length n that begins with the bytes of buf.
func grow(buf []byte, n int) []byte {
	if cap(buf) >= n {
		return buf[:n]
	}
	return append(buf, make([]byte, n-len(buf))...)
}
