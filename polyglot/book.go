// Package polyglot reads opening books in the format of the program PolyGlot:
// files of entries of 16 bytes, each a move in a position that is named by its
// key, sorted by key.
//
// Source: M. Van den Bergh, "Polyglot book format".
package polyglot

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sort"

	"skein/chess"
	"skein/notation"
	"skein/position"
)

const (
	entrySize = 16
	// maxEntries bounds the moves of one position that are looked at, in case
	// the file is not what it seems to be.
	maxEntries = 512
)

// Book is an opening book. It is read where it lies, not loaded.
type Book struct {
	r io.ReaderAt
	n int // entries
}

// Entry is a move of a book.
type Entry struct {
	Move   chess.Move
	Weight uint16 // the more, the better or the more often played; 0 is never played
	Learn  uint32 // what programs learned, as the file has it
}

// New returns the book of size bytes that r reads. The error is about the size.
func New(r io.ReaderAt, size int64) (*Book, error) {
	if size%entrySize != 0 {
		return nil, fmt.Errorf("no Polyglot book: %d bytes are not whole entries of %d", size, entrySize)
	}
	return &Book{r, int(size / entrySize)}, nil
}

// Open returns the book in a file, which must be closed.
func Open(path string) (*Book, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	var b *Book
	if err == nil {
		if b, err = New(f, info.Size()); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

// Close closes the file of a book made by Open.
func (b *Book) Close() error {
	if c, ok := b.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Len returns the number of entries.
func (b *Book) Len() int { return b.n }

// Moves returns the moves for p, as the file orders them. For doubleStep see
// [Key]. Moves that are not legal are left out: keys of different positions may
// be equal. The error is that of reading.
func (b *Book) Moves(p *position.Position, doubleStep chess.Square) ([]Entry, error) {
	key := Key(p, doubleStep)
	var err error
	var raw [entrySize]byte
	read := func(i int) uint64 {
		if _, e := b.r.ReadAt(raw[:], int64(i)*entrySize); e != nil && err == nil {
			err = e
		}
		return binary.BigEndian.Uint64(raw[:])
	}
	first := sort.Search(b.n, func(i int) bool { return read(i) >= key })
	var entries []Entry
	for i := first; i < min(b.n, first+maxEntries) && err == nil; i++ {
		if read(i) != key || err != nil {
			break
		}
		if m := decode(p, binary.BigEndian.Uint16(raw[8:])); m != chess.NoMove {
			entries = append(entries, Entry{m, binary.BigEndian.Uint16(raw[10:]), binary.BigEndian.Uint32(raw[12:])})
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the book: %w", err)
	}
	return entries, nil
}

// decode returns the move of p that the bits mean, NoMove if it is not legal:
// target and origin in six bits each, then the promotion in three. Castling is
// king takes rook, or in some books the king's step of two squares.
func decode(p *position.Position, bits uint16) chess.Move {
	text := chess.Square(bits>>6&63).String() + chess.Square(bits&63).String()
	if t := bits >> 12; t != 0 {
		text += chess.PieceType(t).String()
	}
	m, err := notation.ParseUCI(p, text)
	if err != nil {
		return chess.NoMove
	}
	return m
}

// Pick chooses among entries by chance, each as often as its weight says.
// Random is a number from all of 64 bits. NoMove is returned if no entry has a
// weight.
func Pick(entries []Entry, random uint64) chess.Move {
	sum := uint64(0)
	for _, e := range entries {
		sum += uint64(e.Weight)
	}
	if sum == 0 {
		return chess.NoMove
	}
	random %= sum
	for _, e := range entries {
		if random < uint64(e.Weight) {
			return e.Move
		}
		random -= uint64(e.Weight)
	}
	return chess.NoMove
}
