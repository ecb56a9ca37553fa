// Package polyglot reads opening books in the format of the program PolyGlot:
// files of entries of 16 bytes, each a move with the key of its position, sorted
// by key.
//
//	book, err := polyglot.Open("book.bin")
//	...
//	defer book.Close()
//	p, doubleStep := position.Start(), chess.NoSquare
//	moves, err := book.Moves(&p, doubleStep)
//	...
//	if m := polyglot.Pick(moves, rand.Uint64()); m != chess.NoMove {
//		doubleStep = polyglot.DoubleStep(&p, m)
//		p = p.After(m)
//	}
//
// A book is read from the file at each look-up, which takes about 20 reads of 16
// bytes. It may be used concurrently.
//
// Source: M. Van den Bergh, "Polyglot book format".
package polyglot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"

	"skein/chess"
	"skein/internal/input"
	"skein/notation"
	"skein/position"
)

const (
	entrySize = 16
	// maxEntries bounds the number of moves read for one position, in case the
	// file is not a book.
	maxEntries = 512
)

// Book is an opening book. Entries are read from the file when needed.
type Book struct {
	r    io.ReaderAt
	n    int      // entries
	file *os.File // nil if the caller opened it
}

// Entry is a move of a book.
type Entry struct {
	Move   chess.Move
	Weight uint16 // relative frequency; 0 is never played
	Learn  uint32 // learning data, uninterpreted
}

// New returns a book of size bytes that is read through r. It is an error if the
// size is not positive or not a multiple of the size of an entry.
func New(r io.ReaderAt, size int64) (*Book, error) {
	if size <= 0 {
		return nil, errors.New("not a PolyGlot book: it is empty")
	}
	if size%entrySize != 0 {
		return nil, fmt.Errorf("not a PolyGlot book: size %d is not a multiple of %d bytes", size, entrySize)
	}
	return &Book{r: r, n: int(size / entrySize)}, nil
}

// Open opens a book file. Close it after use.
func Open(path string) (*Book, error) {
	info, err := input.Stat(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	b, err := New(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b.file = f
	return b, nil
}

// Close closes the file of a book made by Open. One made by New needs no Close.
func (b *Book) Close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}

// Len returns the number of entries.
func (b *Book) Len() int { return b.n }

// Moves returns the moves for p in the order of the file. For doubleStep see
// [Key]. Illegal moves are skipped, since different positions may have the same
// key. The error is a read error.
func (b *Book) Moves(p *position.Position, doubleStep chess.Square) ([]Entry, error) {
	key := Key(p, doubleStep)
	var err error
	var raw [entrySize]byte
	read := func(i int) uint64 {
		// io.EOF may come with the last entry.
		if n, e := b.r.ReadAt(raw[:], int64(i)*entrySize); n < entrySize && err == nil {
			err = e
		}
		return binary.BigEndian.Uint64(raw[:])
	}
	first := sort.Search(b.n, func(i int) bool { return read(i) >= key })
	var entries []Entry
	for i := first; i < min(b.n, first+maxEntries); i++ {
		if read(i) != key || err != nil {
			break
		}
		if m := decode(p, binary.BigEndian.Uint16(raw[8:])); m != chess.NoMove {
			entries = append(entries, Entry{m, binary.BigEndian.Uint16(raw[10:]), binary.BigEndian.Uint32(raw[12:])})
		}
	}
	if err != nil {
		if b.file != nil && err == io.EOF {
			err = fmt.Errorf("%s: %w: it has become shorter", b.file.Name(), io.ErrUnexpectedEOF)
		}
		return nil, fmt.Errorf("reading the book: %w", err)
	}
	return entries, nil
}

// decode returns the move of p encoded in bits, NoMove if it is not legal:
// target and origin in six bits each, then the promotion in three. Castling is
// king takes rook, or in some books the king's step of two squares.
func decode(p *position.Position, bits uint16) chess.Move {
	text := chess.Square(bits>>6&63).String() + chess.Square(bits&63).String()
	switch t := bits >> 12; {
	case t > 4: // what follows the queen is no promotion
		return chess.NoMove
	case t != 0:
		text += chess.PieceType(t).String()
	}
	m, err := notation.ParseUCI(p, text)
	if err != nil {
		return chess.NoMove
	}
	return m
}

// Pick returns the move of an entry that random, a uniform 64-bit number,
// selects with a probability proportional to the weights. It returns NoMove if
// all weights are zero.
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
