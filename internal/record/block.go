package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// version is the version of the format that this package writes and reads.
const version = 1

const (
	fileMagic  = "SkeinRec"
	blockMagic = "SkBl"

	// fileHeaderSize is the size of the file header in bytes, without
	// description and checksum.
	fileHeaderSize  = 16
	checksumSize    = 4
	maxDescription  = 1<<16 - 1
	blockHeaderSize = 20
	atBlockSum      = 16 // offset of the checksum in the header of a block

	// A block is closed once it holds blockTarget bytes of games. It is small
	// because an abrupt end of the writer loses at most one block.
	blockTarget = 1 << 14
	// maxPayload bounds the games of a block, in bytes, and thereby the memory
	// of a reader.
	maxPayload = 1 << 20
)

// checksum returns the CRC-32C of parts that follow each other.
func checksum(parts ...[]byte) (sum uint32) {
	for _, part := range parts {
		sum = update(sum, part)
	}
	return sum
}

// update returns the checksum of bytes whose checksum is sum and of b after them. The
// engine is linked with this package, so the tables are made when they are needed first
// and not when it starts.
func update(sum uint32, b []byte) uint32 {
	return crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), b)
}

// fileHeader is the content of the header of a file.
type fileHeader struct {
	description string
	unit        int // score units per pawn, 0 if unknown
}

// append appends the encoded header to b.
func (h fileHeader) append(b []byte) ([]byte, error) {
	if len(h.description) > maxDescription {
		return b, fmt.Errorf("description of %d bytes is longer than %d", len(h.description), maxDescription)
	}
	from := len(b)
	b = append(b, fileMagic...)
	b = binary.LittleEndian.AppendUint16(b, version)
	b = binary.LittleEndian.AppendUint16(b, uint16(h.unit))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h.description)))
	b = append(b, h.description...)
	return binary.LittleEndian.AppendUint32(b, checksum(b[from:])), nil
}

// readFileHeader reads the header of a file and returns it with its size in bytes. The error is a *DamageError unless
// reading failed.
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
	if v := binary.LittleEndian.Uint16(head[8:]); v != version {
		return h, 0, damage(8, false, "version %d of the format is not %d", v, version)
	}
	length := binary.LittleEndian.Uint32(head[12:])
	if length > maxDescription {
		return h, 0, damage(12, false, "description of %d bytes is longer than %d", length, maxDescription)
	}
	rest := make([]byte, length+checksumSize)
	if n, err := io.ReadFull(r, rest); err != nil {
		return h, 0, readError(err, damage(int64(fileHeaderSize+n), true, "the file ends here"))
	}
	sum := checksum(head[:], rest[:length])
	if sum != binary.LittleEndian.Uint32(rest[length:]) {
		return h, 0, damage(0, false, "wrong checksum")
	}
	h = fileHeader{string(rest[:length]), int(binary.LittleEndian.Uint16(head[10:]))}
	return h, fileHeaderSize + int64(len(rest)), nil
}

// readError returns atEnd if err is io.EOF or io.ErrUnexpectedEOF, otherwise
// err.
func readError(err, atEnd error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return atEnd
	}
	return err
}

// block is a block that was read, without its header.
type block struct {
	games   int
	payload []byte
}

// size returns the size of the block in the file, in bytes.
func (b *block) size() int64 { return blockHeaderSize + int64(len(b.payload)) }

// positions returns the number of positions with a move and a score.
func (b *block) positions() int64 {
	return int64(len(b.payload)-b.games*minGameSize) / plySize
}

// seal writes the header of a block to the start of buf, which holds the games
// after it.
func seal(buf []byte, games int) {
	copy(buf, blockMagic)
	binary.LittleEndian.PutUint32(buf[4:], uint32(len(buf)-blockHeaderSize))
	binary.LittleEndian.PutUint32(buf[8:], uint32(games))
	binary.LittleEndian.PutUint32(buf[12:], 0)
	binary.LittleEndian.PutUint32(buf[atBlockSum:], blockSum(buf))
}

// blockSum returns the checksum of a block, computed over everything but the
// checksum field.
func blockSum(buf []byte) uint32 {
	return checksum(buf[:atBlockSum], buf[blockHeaderSize:])
}

// blockError is an error in a block, with its offset from the start of the
// block.
type blockError struct {
	at     int
	torn   bool
	reason string
}

func (e *blockError) Error() string { return e.reason }

// readBlock reads the next block, using buf as memory if it is large enough,
// and returns the memory used. The error is io.EOF at the end of the file, a
// *blockError for a damaged block, another for one of an unknown kind, or that of the
// reader.
func readBlock(r io.Reader, buf []byte) (block, []byte, error) {
	buf = grow(buf, blockHeaderSize)
	n, err := io.ReadFull(r, buf)
	if n == 0 && errors.Is(err, io.EOF) {
		return block{}, buf, io.EOF
	}
	if common := min(n, len(blockMagic)); string(buf[:common]) != blockMagic[:common] {
		return block{}, buf, &blockError{0, false, "no block starts here"}
	}
	if err != nil {
		return block{}, buf, readError(err, &blockError{n, true, "the file ends here, in the header of a block"})
	}
	length, err := payloadLength(buf)
	if err != nil {
		return block{}, buf, err
	}
	buf = grow(buf, blockHeaderSize+length)
	if n, err := io.ReadFull(r, buf[blockHeaderSize:]); err != nil {
		atEnd := &blockError{blockHeaderSize + n, true, "the file ends here, in the middle of a block"}
		return block{}, buf, readError(err, atEnd)
	}
	if blockSum(buf) != binary.LittleEndian.Uint32(buf[atBlockSum:]) {
		return block{}, buf, &blockError{0, false, "wrong checksum of the block that starts here"}
	}
	if err := checkKind(buf); err != nil {
		return block{}, buf, err
	}
	return block{int(binary.LittleEndian.Uint32(buf[8:])), buf[blockHeaderSize:]}, buf, nil
}

// payloadLength returns the number of bytes of the games after a header of a block. The
// error, a *blockError, says that no block has such a header.
func payloadLength(header []byte) (int, error) {
	length, games := int64(binary.LittleEndian.Uint32(header[4:])), int64(binary.LittleEndian.Uint32(header[8:]))
	switch {
	case length > maxPayload:
		return 0, &blockError{4, false, fmt.Sprintf("block of %d bytes is longer than %d", length, maxPayload)}
	case games < 1 || games*minGameSize > length || (length-games*minGameSize)%plySize != 0:
		return 0, &blockError{8, false, fmt.Sprintf("%d games cannot take %d bytes", games, length)}
	}
	return int(length), nil
}

// checkKind returns an error if the header of an intact block is that of an unknown kind.
func checkKind(header []byte) error {
	if kind := binary.LittleEndian.Uint32(header[12:]); kind != 0 {
		return fmt.Errorf("a block of kind %d, which this version does not know", kind)
	}
	return nil
}

// grow returns a slice of length n that starts with the bytes of buf.
func grow(buf []byte, n int) []byte {
	if cap(buf) >= n {
		return buf[:n]
	}
	return append(buf, make([]byte, n-len(buf))...)
}
